"""Office files are measured before they are unpacked."""

import zipfile

import pytest

from llamaindex_rag_eval.errors import DocumentError
from testset import Corpus
from testset.corpus import archives


@pytest.mark.parametrize("suffix", ["docx", "pptx", "xlsx", "epub"])
def test_a_small_file_that_unpacks_to_much_is_left_out_and_named(tmp_path, suffix):
    path = tmp_path / f"bomb.{suffix}"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", bytes(300 * 1024**2))
    assert path.stat().st_size < 400_000
    (tmp_path / "good.txt").write_text("Good.")
    (entry,) = Corpus.read(tmp_path).skipped
    assert (entry.path, entry.reason) == (path.name, "unpacks to 300 MiB; expected at most 256")


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
