"""Reading files leaves the program around it as it was."""

import subprocess
import sys

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
