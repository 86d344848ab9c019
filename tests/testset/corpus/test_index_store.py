"""The kept index saves reading and cutting, changes nothing, and is made anew if it is damaged."""

import json
import logging
import multiprocessing
import os
import re
import shutil
import time
from pathlib import Path

import numpy as np
import pytest
from pydantic import Field

from llamaindex_rag_eval.judge.rules.embedding import LexicalEmbedding
from testset import Corpus, SourceDocument, generate
from testset.corpus import index_store, prepared, reading, stored_documents
from testset.corpus.index_store import IndexStore
from testset.corpus.prepared import PreparedCorpus

TEXTS = {
    "vents.md": "# Vents\n\nThe Orla vents open at noon.\n\n|Vent|Size|\n|---|---|\n|A|3 m|\n",
    "pumps.md": "# Pumps\n\nThe Brevik pump was built in 1931. The Brevik pump lifts 40 litres.\n",
    "faq.md": "# FAQ\n\n## Who opens the vents?\n\nThe night crew opens the vents.\n",
}


@pytest.fixture
def docs(tmp_path: Path) -> Path:
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
    assert "1932" in " ".join(p.text for p in PreparedCorpus.of(corpus).kept)


def test_a_file_that_cannot_be_read_is_not_tried_again(docs, monkeypatch):
    (docs / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    time.sleep(3 * stored_documents.TICK / 1e9)
    corpus = Corpus.read(docs)
    PreparedCorpus.of(corpus)
    monkeypatch.setattr(stored_documents, "read_file", refuse)
    assert Corpus.read(docs).skipped == corpus.skipped != ()


def damage(path: Path, how: str) -> None:
    data = path.read_bytes()
    if how == "cut":
        path.write_bytes(data[: len(data) // 2])
    elif how == "changed":
        path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    else:
        path.unlink()


@pytest.mark.parametrize("how", ["cut", "changed", "removed"])
@pytest.mark.parametrize(
    "name", ["names.txt", "times_indices.npy", "kept.npy", "texts.txt", "ends.npy"]
)
def test_a_damaged_index_is_made_anew_and_one_line_says_so(docs, name, how, caplog):
    whole = PreparedCorpus.of(Corpus.read(docs))
    damage(next(place_of(docs).glob(f"*/{name}")), how)
    with caplog.at_level(logging.WARNING, logger="llamaindex_rag_eval.index"):
        again = PreparedCorpus.of(Corpus.read(docs))
        (line,) = [record.getMessage() for record in caplog.records]
        assert "is damaged" in line
        assert name in line
        assert "\n" not in line
        caplog.clear()
        assert again.kept_numbers.tolist() == whole.kept_numbers.tolist()
        PreparedCorpus.of(Corpus.read(docs))
        assert not caplog.records


@pytest.mark.parametrize("text", ["", "{", "[]", '{"key": 1}', "null"])
def test_a_pointer_that_is_none_is_damaged_too(docs, text):
    PreparedCorpus.of(Corpus.read(docs))
    (place_of(docs) / "passages.json").write_text(text)
    (place_of(docs) / "documents.json").write_text(text)
    assert len(PreparedCorpus.of(Corpus.read(docs)).index.passages) == 3


def test_numbers_out_of_range_with_a_right_checksum_are_refused(docs, caplog):
    PreparedCorpus.of(Corpus.read(docs))
    pointer = place_of(docs) / "passages.json"
    found = json.loads(pointer.read_text())
    path = place_of(docs) / found["folder"] / "times_indices.npy"
    np.save(path, np.full_like(np.load(path), 10**6))
    found["files"][path.name] = index_store._sum_of(path)
    pointer.write_text(json.dumps(found))
    PreparedCorpus.of(Corpus.read(docs))
    assert "is damaged" in caplog.text


def test_code_in_an_array_is_not_run(docs, caplog):
    PreparedCorpus.of(Corpus.read(docs))
    pointer = place_of(docs) / "passages.json"
    found = json.loads(pointer.read_text())
    path = place_of(docs) / found["folder"] / "kept.npy"
    np.save(path, np.array([print], dtype=object), allow_pickle=True)
    found["files"][path.name] = index_store._sum_of(path)
    pointer.write_text(json.dumps(found))
    assert len(PreparedCorpus.of(Corpus.read(docs)).kept) == 3
    assert "is damaged" in caplog.text


def remarks_of(corpus: Corpus) -> list[str]:
    """Return what is to be told of the index, without the folder that it is in, or the reason."""
    assert corpus.index is not None
    return [re.split(r"(?<= in) '|: ", remark)[0] for remark in corpus.index.remarks]


def test_where_the_folder_cannot_be_written_the_cache_has_it(docs, tmp_path, monkeypatch):
    monkeypatch.setattr(index_store, "_cache_folder", lambda: tmp_path / "cache")
    (docs / ".rag-eval").write_text("in the way")
    corpus = Corpus.read(docs)
    PreparedCorpus.of(corpus)
    assert remarks_of(corpus) == [f"{str(docs)!r} cannot be written; the index is in"]
    monkeypatch.setattr(prepared, "digest_of", refuse)
    PreparedCorpus.of(Corpus.read(docs))


def test_a_read_only_folder_is_left_alone(docs, tmp_path, monkeypatch):
    monkeypatch.setattr(index_store, "_cache_folder", lambda: tmp_path / "cache")
    docs.chmod(0o555)
    corpus = Corpus.read(docs)
    PreparedCorpus.of(corpus)
    docs.chmod(0o755)
    assert not (docs / ".rag-eval").exists()
    assert list((tmp_path / "cache").glob("*/passages.json"))
    assert remarks_of(corpus) == [f"{str(docs)!r} cannot be written; the index is in"]


def test_where_nothing_can_be_written_one_line_says_so(docs, tmp_path, monkeypatch):
    (docs / ".rag-eval").write_text("in the way")
    (tmp_path / "cache").write_text("in the way, too")
    monkeypatch.setattr(index_store, "_cache_folder", lambda: tmp_path / "cache")
    corpus = Corpus.read(docs)
    assert len(PreparedCorpus.of(corpus).kept) == 3
    assert remarks_of(corpus) == [f"no index of {str(docs)!r} is kept"]


def killed(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_kill_while_writing_leaves_the_earlier_unit(tmp_path, monkeypatch):
    index = IndexStore(tmp_path)
    index.write("unit", "key", {"rows": np.arange(3)})
    monkeypatch.setattr(os, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        index.write("unit", "key", {"rows": np.arange(9)})
    assert index.read("unit", "key").array("rows").tolist() == [0, 1, 2]
    assert index.read("unit", "another") is None


def _write_often(folder: Path, number: int) -> None:
    for _ in range(20):
        IndexStore(folder).write("unit", "key", {"rows": np.full(2_000, number)})


def test_two_processes_at_once_leave_one_whole_unit(tmp_path):
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write_often, args=(tmp_path, n)) for n in (1, 2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    _write_often(tmp_path, 3)
    rows = IndexStore(tmp_path).read("unit", "key").array("rows")
    assert rows.tolist() == [3] * 2_000
    assert len(list(place_of(tmp_path).glob("unit-*"))) == 1


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


def test_a_damaged_database_of_vectors_is_made_anew(docs):
    model = Counted()
    PreparedCorpus.of(Corpus.read(docs), embed_model=model)
    for path in place_of(docs).glob("vectors.sqlite*"):
        path.write_bytes(b"no database" * 999)
    again = PreparedCorpus.of(Corpus.read(docs), embed_model=model)
    assert again.index.vectors.nearness("vents").shape == (3,)


def test_nodes_are_looked_up_in_the_index_that_is_named(tmp_path, monkeypatch):
    documents = [SourceDocument(name, text) for name, text in TEXTS.items()]
    PreparedCorpus.of(Corpus.of(documents, index=tmp_path))
    monkeypatch.setattr(prepared, "digest_of", refuse)
    assert len(PreparedCorpus.of(Corpus.of(documents, index=tmp_path)).kept) == 3
