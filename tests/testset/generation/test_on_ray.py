"""A golden set whose documents were read and cut on Ray is that of one process, byte for byte."""

import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.ray_cluster import QUIET
from tests.testset.corpus.test_index_store import TEXTS
from testset import generate
from testset.corpus import digest, stored_documents
from testset.corpus.cores import on_every_core, working_on
from testset.corpus.index_store import FILE, INDEX

pytestmark = QUIET


def node_of(part: tuple[Path, int]) -> tuple[int, str]:
    """Return a number with the node that does it, once two of them are at work."""
    import ray  # slow to import

    folder, number = part
    node = ray.get_runtime_context().get_node_id()
    (folder / node).touch()
    while len([*folder.iterdir()]) < 2:  # else the test times out
        time.sleep(0.05)
    return number, node


def contents_of(docs: Path) -> list[tuple[object, ...]]:
    """Return what the index holds, with the checksum of each part."""
    with closing(sqlite3.connect(docs / INDEX / FILE)) as index:
        rows = index.execute("SELECT unit, key, name, checksum FROM contents ORDER BY unit, name")
        contents = rows.fetchall()
    assert contents
    return contents


def test_the_index_and_the_golden_set_have_the_same_bytes(
    ray_cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for name, text in TEXTS.items():
        (docs / name).write_text(text, encoding="utf-8")
    (docs / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    time.sleep(3 * stored_documents.TICK / 1e9)  # a file that has just changed is read again
    alone = generate(docs, size=4)
    expected = contents_of(docs)
    shutil.rmtree(docs / ".rag-eval")
    monkeypatch.setattr(digest, "PART", 100)
    monkeypatch.setattr(stored_documents, "PART", 200)
    monkeypatch.chdir(tmp_path)  # its workers are elsewhere
    golden = generate(Path("docs"), size=4, on="ray")
    assert contents_of(docs) == expected
    assert (list(golden), golden.skipped) == (list(alone), alone.skipped)
    assert golden


def test_every_node_has_its_part(ray_cluster: Any, tmp_path: Path) -> None:
    with working_on("ray"):
        found = list(on_every_core(node_of, ((tmp_path, n) for n in range(20))))
    assert [number for number, _ in found] == list(range(20))
    assert len({node for _, node in found}) == 2
