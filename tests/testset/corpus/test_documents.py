"""Folders are read whole; what cannot be read is named."""

import os
import weakref

import pytest
from docx import Document as WordDocument
from llama_index.core.schema import TextNode
from pypdf import PdfWriter

from llamaindex_rag_eval.errors import DocumentError
from testset import Corpus, SourceDocument, exact_nodes


def test_text_is_kept_exactly_and_ids_are_relative_paths(tmp_path):
    (tmp_path / "sub").mkdir()
    text = "# Title\r\n\r\nTab\there,  [link](x).\n"
    (tmp_path / "sub" / "a.md").write_bytes(text.encode())
    corpus = Corpus.read(tmp_path)
    assert corpus.documents == (SourceDocument("sub/a.md", text),)


def test_a_corrupt_pdf_is_named_and_the_rest_is_read(tmp_path):
    (tmp_path / "good.txt").write_text("Good.")
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.4 not really")
    (tmp_path / "binary.dat").write_bytes(b"\0\1\2")
    (tmp_path / "blank.txt").write_text("  \n")
    corpus = Corpus.read(tmp_path)
    assert [document.doc_id for document in corpus.documents] == ["good.txt"]
    reasons = {entry.path: entry.reason for entry in corpus.skipped}
    assert set(reasons) == {"bad.pdf", "binary.dat", "blank.txt"}
    assert reasons["bad.pdf"] == "is cut off, and no page of it can be read"
    assert reasons["blank.txt"] == "holds no text"


def test_an_empty_folder_a_missing_one_and_one_of_unreadable_files_are_errors(tmp_path):
    with pytest.raises(DocumentError, match="holds no file"):
        Corpus.read(tmp_path)
    with pytest.raises(DocumentError, match="no folder"):
        Corpus.read(tmp_path / "nowhere")
    writer = PdfWriter()
    writer.add_blank_page(width=10, height=10)
    writer.write(tmp_path / "blank.pdf")
    with pytest.raises(DocumentError, match=r"blank\.pdf: holds no text"):
        Corpus.read(tmp_path)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody without rights")
def test_a_folder_that_may_not_be_opened_is_an_error(tmp_path):
    locked = tmp_path / "locked"
    (locked / "inside").mkdir(parents=True)
    locked.chmod(0)
    try:
        os.seteuid(65534)
        for folder in (locked, locked / "inside"):
            with pytest.raises(DocumentError, match="cannot be opened: Permission denied"):
                Corpus.read(folder)
    finally:
        os.seteuid(0)
        locked.chmod(0o755)


def test_word_html_and_csv_are_read(tmp_path):
    word = WordDocument()
    word.add_heading("Vents", 0)
    word.add_heading("Care", 2)
    word.add_paragraph("The vent *opens*.")
    word.add_paragraph("Dust it.", style="List Bullet")
    for columns in (["Part", "Weight", "Colour"], ["Part", "Vent"]):
        table = word.add_table(2, len(columns))
        for cell, text in zip(table._cells, [*columns, *columns], strict=True):
            cell.text = text
    word.save(str(tmp_path / "a.docx"))
    (tmp_path / "b.html").write_text("<h1>Vents</h1><script>no</script><p>Open &amp; shut.</p>")
    (tmp_path / "c.csv").write_text("code,meaning\nE-01,low\n")
    texts = Corpus.read(tmp_path).texts
    assert texts["a.docx"] == (
        "# Vents\n\n## Care\n\nThe vent \\*opens\\*.\n\n- Dust it.\n\n"
        "| Part | Weight | Colour |\n|---|---|---|\n| Part | Weight | Colour |\n\n"
        "|  |  |\n|---|---|\n| Part | Vent |\n| Part | Vent |\n"
    )
    assert texts["b.html"] == "# Vents\n\nOpen & shut.\n"
    assert texts["c.csv"] == "code,meaning\nE-01,low\n"


def test_two_documents_of_one_id_are_refused():
    with pytest.raises(DocumentError, match="'a'"):
        Corpus.of([SourceDocument("a", "x"), SourceDocument("a", "y")])
    with pytest.raises(DocumentError, match="at least one"):
        Corpus.of([])


def test_nodes_given_in_python_are_put_back_together():
    corpus = Corpus.of([SourceDocument("d", "One two. One two. Three.")])
    again = Corpus.of(exact_nodes(corpus.llama_documents(), chunk_size=9))
    assert again.documents == corpus.documents


def test_nodes_are_taken_from_any_iterator_and_let_go():
    alive: list[weakref.ref] = []

    def nodes():
        for number in range(50):
            node = TextNode(id_=f"n{number:02}", text=f"Pump {number} lifts water.")
            alive.append(weakref.ref(node))
            yield node
            del node
            assert sum(ref() is not None for ref in alive) <= 2

    corpus = Corpus.of(nodes=nodes())
    assert len(corpus.documents) == 50
    assert corpus.texts["n07"] == "Pump 7 lifts water."


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ([{"text": "x"}], "expected LlamaIndex nodes, got dict"),
        ([TextNode(id_="a", text=" ")], "'a', has no text"),
        ([TextNode(id_="", text="x")], "has no id"),
        ([], "no document with any text"),
    ],
)
def test_nodes_that_cannot_be_documents_are_named(nodes, message):
    with pytest.raises(DocumentError, match=message):
        Corpus.of(nodes=iter(nodes))


def test_documents_or_nodes_are_given_not_both():
    with pytest.raises(DocumentError, match="either documents or nodes"):
        Corpus.of()
