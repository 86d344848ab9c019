"""Reading files: what a page shows is read, and the program around it left as it was."""

import json
import os
import re
import sys

import pytest

from llamaindex_rag_eval.errors import DocumentError
from testset.corpus.documents import Corpus
from testset.corpus.markup import plain_view_of
from testset.corpus.markup.page import page_as_markdown
from testset.corpus.reading import read_file


def test_a_page_keeps_its_title_and_loses_what_leads_to_others():
    menu = '<div class="navheader"><div>Home</div> Next</div><nav>Up</nav>'
    page = f"<head><title>Vents</title></head><body>{menu}<h2>Care</h2><p>Dust it.</p></body>"
    assert page_as_markdown(page) == "# Vents\n\n## Care\n\nDust it.\n"


def test_a_page_of_a_book_is_named_after_it_and_its_menu_left_out():
    menu = '<table class="menu"><tr><td>5.1 Doors<td>How to open them</table>'
    page = f"<title>The house: 5 Vents</title><body><h2>5 Vents</h2>{menu}<p>Dust them.</p></body>"
    assert page_as_markdown(page) == "# The house\n\n## 5 Vents\n\nDust them.\n"


def test_code_and_lists_of_a_page_keep_their_lines_and_their_place():
    page = "<ol><li><p>Say:</p><pre># vent --open\nvent --lock</pre></li><li>Wait.</li></ol>"
    assert page_as_markdown(page) == (
        "- Say:\n\n  ```\n  # vent --open\n  vent --lock\n  ```\n\n- Wait.\n"
    )


def test_a_term_keeps_the_paragraph_that_says_what_it_means():
    page = "<dl><dt>Vent</dt><dd><p>Lets air in.</p><p>Two a house.</p></dd></dl>"
    assert page_as_markdown(page) == "Vent\n: Lets air in.\n\nTwo a house.\n"


def test_what_a_page_shows_is_what_is_seen_of_its_markdown():
    page = (
        "<h1>A*b* &lt;Vent&gt;</h1><p># no heading<br>- no item</p><p>3. Louvre_ [x](y)</p>"
        "<table><tr><th>Vent<th>Air</tr><tr><td>one|two<td>4 &amp;amp; `5`</tr></table>"
        "<table><tr><td>no<td>header</tr></table><pre>a ``` b</pre>"
    )
    read, made = (plain_view_of("a.html", text) for text in (page, page_as_markdown(page)))
    assert made.text == read.text.replace("heading\n- no", "heading - no")
    assert [block.kind for block in made.blocks] == [block.kind for block in read.blocks]


def test_a_stray_nul_is_replaced_and_named_and_what_else_is_no_text_refused(tmp_path):
    (tmp_path / "notes.txt").write_bytes(b"The vents open\0 at noon.\n")
    assert read_file(tmp_path / "notes.txt") == (
        *("The vents open\ufffd at noon.\n", "NUL characters, which are read as U+FFFD"),
    )
    for data in (b"\0\1\2", b"PK\3\4 text\0\0\0", b"\0\1\2\3" * 40):
        (tmp_path / "data.txt").write_bytes(data)
        with pytest.raises(DocumentError):
            read_file(tmp_path / "data.txt")


@pytest.mark.parametrize("suffix", ["rtf", "tex", "xml"])
def test_a_kind_that_is_not_read_is_refused_by_name(tmp_path, suffix):
    (tmp_path / f"letter.{suffix}").write_text("Hello.")
    with pytest.raises(DocumentError, match=rf"not read, '.{suffix}'; save it as .docx"):
        read_file(tmp_path / f"letter.{suffix}")


@pytest.mark.parametrize(
    ("name", "module", "install"),
    [
        ("plan.pdf", "pdfplumber", r"llamaindex-rag-eval\[pdf\]"),
        ("plan.hwp", "llama_index.readers.file", "llama-index-readers-file"),
    ],
)
def test_a_file_whose_reader_is_not_installed_is_left_out_until_it_is(
    tmp_path, monkeypatch, name, module, install
):
    for each in (name, "notes.txt"):
        (tmp_path / each).write_text("From a@b Mon Jun 1 00:00:00 2026\n\nVents open at noon.\n")
        os.utime(tmp_path / each, (0, 0))
    with monkeypatch.context() as without:
        without.setitem(sys.modules, module, None)
        corpus = Corpus.read(tmp_path, index=tmp_path / ".index")
    assert [document.doc_id for document in corpus.documents] == ["notes.txt"]
    (skipped,) = corpus.skipped
    assert skipped.path == name
    assert re.search(f"pip install .*{install}", skipped.reason)
    later = Corpus.read(tmp_path, index=tmp_path / ".index")
    assert not re.search(install, "".join(entry.reason for entry in later.skipped))


def test_a_notebook_is_its_texts_and_its_code_without_what_it_printed(tmp_path):
    cells = [
        {"cell_type": "markdown", "source": ["# Vents\n", "\n", "Open both."]},
        {"cell_type": "code", "source": "open(4)", "outputs": [{"text": "opened"}]},
        {"cell_type": "code", "source": []},
    ]
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}}))
    text = "# Vents\n\nOpen both.\n\n```python\nopen(4)\n```\n"
    assert read_file(tmp_path / "a.ipynb") == (text, "")


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ('<span class="chip">Q2</span><span class="chip">10研究中</span>', "Q2 10研究中"),
        ("<a href=x>Doors</a><a href=y>Vents</a>", "Doors Vents"),
        ('Doors<span class="badge">New</span>', "Doors New"),
        # What only looks different is one word, and code is as it is.
        ("<b>V</b>ent <span>8</span><span>0</span>", "Vent 80"),
        ('<span class="n">json</span><span class="o">.</span><span>dump</span>', "json.dump"),
    ],
)
def test_what_a_page_sets_apart_is_apart(page, shown):
    assert page_as_markdown(f"<p>{page}</p>") == f"{shown}\n"
