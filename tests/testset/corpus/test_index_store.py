"""The kept index saves reading and cutting, changes nothing, and is made anew if it is damaged."""

import logging
import multiprocessing
import shutil
import sqlite3
import time
import zlib
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from pydantic import Field

from llamaindex_rag_eval.judge.rules.embedding import LexicalEmbedding
from tests.testset.corpora import table_of
from testset import Corpus, SourceDocument, generate
from testset.corpus import index_store, prepared, reading, stored_documents
from testset.corpus.index_store import FILE, IndexStore
from testset.corpus.prepared import PreparedCorpus

TEXTS = {
    "vents.md": "# Vents\n\nThe Orla vents open at noon.\n\n|Vent|Size|\n|---|---|\n|A|3 m|\n",
    "pumps.md": "# Pumps\n\nThe Brevik pump was built in 1931. The Brevik pump lifts 40 litres.\n",
    "doors.md": table_of("doors", "Weight", "Height"),
}


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(stored_documents, "TICK", 10_000_000)
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    time.sleep(3 * stored_documents.TICK / 1e9)  # a file that has just changed is read again
    return folder


def place_of(folder: Path) -> Path:
    return folder / ".rag-eval" / "index"


def golden_bytes(folder: Path, out: Path) -> bytes:
    generate(folder, size=4).write(out)
    return out.read_bytes()


def refuse(*_: object, **__: object) -> None:
    raise AssertionError("this was to be found in the index")


def test_a_second_run_reads_and_cuts_nothing_and_writes_the_same(docs, tmp_path, monkeypatch):
    first = golden_bytes(docs, tmp_path / "golden.jsonl")
    assert place_of(docs).is_dir()
    with monkeypatch.context() as patched:
        patched.setattr(stored_documents, "read_file", refuse)
        patched.setattr(prepared, "digest_of", refuse)
        assert golden_bytes(docs, tmp_path / "golden.jsonl") == first
    shutil.rmtree(docs / ".rag-eval")
    assert golden_bytes(docs, tmp_path / "golden.jsonl") == first


def test_the_index_is_no_document(docs):
    PreparedCorpus.of(Corpus.read(docs))
    assert [document.doc_id for document in Corpus.read(docs).documents] == sorted(TEXTS)


def test_only_a_file_that_changed_is_read_again(docs, monkeypatch):
    PreparedCorpus.of(Corpus.read(docs))
    (docs / "pumps.md").write_text(TEXTS["pumps.md"].replace("1931", "1932"), encoding="utf-8")
    read: list[str] = []

    def read_file(path: Path, encoding: str | None) -> tuple[str, str]:
        read.append(path.name)
        return reading.read_file(path, encoding)

    monkeypatch.setattr(stored_documents, "read_file", read_file)
    corpus = Corpus.read(docs)
    assert read == ["pumps.md"]
    assert "1932" in corpus.texts["pumps.md"]
    assert "1932" in " ".join(p.text for p in PreparedCorpus.of(corpus).index.passages)


def test_a_file_that_cannot_be_read_is_not_tried_again(docs, monkeypatch):
    (docs / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    time.sleep(3 * stored_documents.TICK / 1e9)
    corpus = Corpus.read(docs)
    PreparedCorpus.of(corpus)
    monkeypatch.setattr(stored_documents, "read_file", refuse)
    assert Corpus.read(docs).skipped == corpus.skipped != ()


def execute(docs: Path, statement: str, *values: object) -> list[tuple]:
    with closing(sqlite3.connect(place_of(docs) / FILE)) as connection, connection:
        return connection.execute(statement, values).fetchall()


@pytest.mark.parametrize("how", ["cut", "no database"])
def test_a_damaged_index_is_made_anew_and_one_line_says_so(docs, how, caplog):
    whole = PreparedCorpus.of(Corpus.read(docs))
    path = place_of(docs) / FILE
    path.write_bytes(path.read_bytes()[:6_000] if how == "cut" else b"no database" * 999)
    assert_made_anew(docs, whole, caplog)


@pytest.mark.parametrize("how", ["changed", "removed"])
@pytest.mark.parametrize("name", ["names", "times_indices", "distinct"])
def test_a_damaged_part_is_made_anew_and_one_line_says_so(docs, name, how, caplog):
    whole = PreparedCorpus.of(Corpus.read(docs))
    if how == "removed":
        execute(docs, "DELETE FROM contents WHERE name = ?", name)
    else:
        ((content,),) = execute(docs, "SELECT content FROM contents WHERE name = ?", name)
        changed = content[:-1] + bytes([content[-1] ^ 1])
        execute(docs, "UPDATE contents SET content = ? WHERE name = ?", changed, name)
    assert name in assert_made_anew(docs, whole, caplog)


def assert_made_anew(docs: Path, whole: PreparedCorpus, caplog) -> str:
    """Return the line that says that the index is damaged; it is whole again after that."""
    with caplog.at_level(logging.WARNING, logger="llamaindex_rag_eval.index"):
        again = PreparedCorpus.of(Corpus.read(docs))
        (line,) = [record.getMessage() for record in caplog.records]
        assert "is damaged" in line
        assert "\n" not in line
        caplog.clear()
        assert again.kept_numbers.tolist() == whole.kept_numbers.tolist()
        PreparedCorpus.of(Corpus.read(docs))
        assert not caplog.records
    return line


def replace_array(docs: Path, name: str, content: bytes, dtype: str) -> None:
    execute(
        docs,
        "UPDATE contents SET content = ?, dtype = ?, checksum = ? WHERE name = ?",
        *(content, dtype, zlib.crc32(content), name),
    )


def test_numbers_out_of_range_with_a_right_checksum_are_refused(docs, caplog):
    PreparedCorpus.of(Corpus.read(docs))
    ((size,),) = execute(docs, "SELECT length(content) FROM contents WHERE name='times_indices'")
    replace_array(docs, "times_indices", np.full(size // 4, 10**6, "<i4").tobytes(), "<i4")
    PreparedCorpus.of(Corpus.read(docs))
    assert "is damaged" in caplog.text


def test_objects_in_an_array_are_refused(docs, caplog):
    PreparedCorpus.of(Corpus.read(docs))
    replace_array(docs, "distinct", bytes(24), "|O")
    assert len(PreparedCorpus.of(Corpus.read(docs)).kept_numbers) == 3
    assert "is damaged" in caplog.text


def test_a_read_only_folder_is_left_alone_and_one_line_says_so(docs):
    docs.chmod(0o555)
    corpus = Corpus.read(docs)
    PreparedCorpus.of(corpus)
    docs.chmod(0o755)
    assert not (docs / ".rag-eval").exists()
    assert corpus.index is not None
    assert corpus.index.remark.startswith(f"no index of {str(docs)!r} is kept: ")


def test_where_nothing_can_be_written_documents_are_prepared_all_the_same(docs):
    (docs / ".rag-eval").write_text("in the way")
    corpus = Corpus.read(docs)
    assert len(PreparedCorpus.of(corpus).kept_numbers) == 3
    assert corpus.index is not None
    assert corpus.index.remark.startswith(f"no index of {str(docs)!r} is kept: ")


def test_a_failure_while_writing_leaves_the_earlier_unit(tmp_path):
    index = IndexStore(tmp_path)
    index.write("unit", "key", {"rows": np.arange(3)})
    with pytest.raises(AttributeError):
        index.write("unit", "key", {"rows": np.arange(9), "no": object()})  # type: ignore[dict-item]
    assert index.read("unit", "key", rows_in) == [0, 1, 2]
    assert index.read("unit", "another", rows_in) is None


def rows_in(arrays: index_store.Arrays) -> list[int]:
    return arrays["rows"].tolist()


def _write_often(folder: Path, number: int) -> None:
    for _ in range(8):
        IndexStore(folder).write("unit", "key", {"rows": np.full(2_000, number)})


def test_two_processes_at_once_leave_one_whole_unit(tmp_path):
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_write_often, args=(tmp_path, n)) for n in (1, 2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    _write_often(tmp_path, 3)
    assert IndexStore(tmp_path).read("unit", "key", rows_in) == [3] * 2_000


class Counted(LexicalEmbedding):
    """An embedding model that counts the texts it is asked for."""

    asked: list[str] = Field(default_factory=list)

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        self.asked.extend(texts)
        return super()._get_text_embeddings(texts)


def test_a_vector_is_asked_for_once(docs):
    model = Counted()
    first = PreparedCorpus.of(Corpus.read(docs), embed_model=model)
    assert len(model.asked) == 3
    (docs / "more.md").write_text("# More\n\nA fourth passage is about boilers.\n")
    second = PreparedCorpus.of(Corpus.read(docs), embed_model=model)
    assert len(model.asked) == 4
    question = "When do the vents open?"
    near = first.index.vectors.nearness(question)
    assert sorted(near)[-1] == pytest.approx(sorted(second.index.vectors.nearness(question))[-1])


def test_vectors_of_a_damaged_index_are_made_anew(docs):
    model = Counted()
    PreparedCorpus.of(Corpus.read(docs), embed_model=model)
    (place_of(docs) / FILE).write_bytes(b"no database" * 999)
    again = PreparedCorpus.of(Corpus.read(docs), embed_model=model)
    assert again.index.vectors.nearness("vents").shape == (3,)
    assert len(model.asked) == 3 + 3 + len(["vents"])


def test_nodes_are_looked_up_in_the_index_that_is_named(tmp_path, monkeypatch):
    documents = [SourceDocument(name, text) for name, text in TEXTS.items()]
    PreparedCorpus.of(Corpus.of(documents, index=tmp_path))
    monkeypatch.setattr(prepared, "digest_of", refuse)
    assert len(PreparedCorpus.of(Corpus.of(documents, index=tmp_path)).kept_numbers) == 3
