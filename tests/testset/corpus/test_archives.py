"""Office files are measured before they are unpacked."""

import shutil
import zipfile

import pytest

from llamaindex_rag_eval.errors import DocumentError
from testset import Corpus
from testset.corpus import archives


def test_a_small_file_that_unpacks_to_much_is_left_out_and_named(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MOST", 2 * archives.MIB)
    first, *others = (tmp_path / f"bomb.{suffix}" for suffix in ("docx", "epub", "pptx", "xlsx"))
    with zipfile.ZipFile(first, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("word/document.xml", bytes(3 * archives.MIB))
    assert first.stat().st_size < archives.MIB / 50
    for other in others:
        shutil.copy(first, other)
    (tmp_path / "good.txt").write_text("Good.")
    why = "unpacks to 3 MiB; expected at most 2"
    assert [(entry.path, entry.reason) for entry in Corpus.read(tmp_path).skipped] == [
        (path.name, why) for path in (first, *others)
    ]


def test_what_is_no_archive_or_a_small_one_passes_and_a_broken_one_does_not(tmp_path):
    text, small, broken = (tmp_path / name for name in ("a.txt", "b.docx", "c.docx"))
    text.write_text("Text.")
    with zipfile.ZipFile(small, "w") as archive:
        archive.writestr("a", "b")
    for path in (text, small):
        archives.refuse_large_archive(path)
    data = small.read_bytes()
    broken.write_bytes(data[:-22].replace(b"PK\x01\x02", b"PK\x01\x09") + data[-22:])
    with pytest.raises(DocumentError, match="cannot be opened"):
        archives.refuse_large_archive(broken)
