"""Reading files: what a page shows is read, and the program around it left as it was."""

import subprocess
import sys

from testset.corpus.reading import visible_text

PROGRAM = """
import logging, sys
from testset import Corpus
Corpus.of(sys.argv[1])
root = logging.getLogger()
print("readers" if "llama_index.readers.file" in sys.modules else "none", root.handlers, root.level)
"""


def test_reading_a_folder_does_not_configure_logging(tmp_path):
    (tmp_path / "a.md").write_text("The Orla ferry carries 120 people.\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split(maxsplit=1) == ["readers", "[] 30\n"]


def test_a_page_keeps_its_title_and_loses_what_leads_to_others():
    menu = '<div class="navheader"><div>Home</div> Next</div><nav>Up</nav>'
    page = f"<head><title>Vents</title></head><body>{menu}<h2>Care</h2><p>Dust it.</p></body>"
    assert visible_text(page) == "# Vents\n\n## Care\n\nDust it.\n"
