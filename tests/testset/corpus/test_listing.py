"""Every file of a folder is a document, or is named with the reason why it is not."""

import os
import tempfile
from pathlib import Path

import pytest

from testset import Corpus
from testset.corpus.listing import files_of


def test_hidden_files_are_left_out_and_a_hidden_folder_above_does_not_matter(tmp_path):
    docs = tmp_path / ".cache" / "docs"
    (docs / ".git").mkdir(parents=True)
    (docs / "sub").mkdir()
    for name in (".git/config.txt", ".hidden.txt", "sub/b.txt", "a.txt"):
        (docs / name).write_text("Text.")
    listing = files_of(docs)
    assert list(listing.files) == ["a.txt", "sub/b.txt"]
    assert listing.left_out == {}


def test_links_are_followed_within_the_folder_and_named_otherwise(tmp_path):
    docs, outside = tmp_path / "docs", tmp_path / "secret.txt"
    (docs / ".store").mkdir(parents=True)
    (docs / "sub").mkdir()
    outside.write_text("Nobody should see this.")
    (docs / ".store" / "blob").write_text("The text behind the link.")
    (docs / "real.txt").write_text("A text.")
    os.link(docs / "real.txt", docs / "second name.txt")
    for name, target in {
        "a link.txt": "real.txt",
        "stored.txt": ".store/blob",
        "out.txt": "../secret.txt",
        "gone.txt": "nowhere.txt",
        "loop.txt": "loop.txt",
        "folder": "sub",
        "up": "..",
    }.items():
        (docs / name).symlink_to(target)
    os.mkfifo(docs / "pipe.txt")
    corpus = Corpus.read(docs)
    assert corpus.texts == {"real.txt": "A text.", "stored.txt": "The text behind the link."}
    assert {entry.path: entry.reason for entry in corpus.skipped} == {
        "a link.txt": "is the same file as 'real.txt'",
        "folder": "is a link to a folder",
        "gone.txt": "is a link to a file that does not exist",
        "loop.txt": "cannot be opened: Too many levels of symbolic links",
        "out.txt": "is a link out of the folder",
        "pipe.txt": "is not a regular file",
        "second name.txt": "is the same file as 'real.txt'",
        "up": "is a link out of the folder",
    }


@pytest.fixture
def open_folder():
    """A folder that every user may enter; those that pytest makes are for one alone."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody without rights")
def test_files_and_folders_that_may_not_be_opened_are_named(open_folder):
    docs = open_folder
    (docs / "locked").mkdir()
    (docs / "locked" / "in.txt").write_text("In.")
    (docs / "open.txt").write_text("Open.")
    (docs / "shut.txt").write_text("Shut.")
    (docs / "shut.docx").write_bytes(b"PK")
    for name in ("locked", "shut.txt", "shut.docx"):
        (docs / name).chmod(0)
    user = os.geteuid()
    try:
        if user == 0:  # who may open everything
            os.seteuid(65534)
        corpus = Corpus.read(docs)
    finally:
        os.seteuid(user)
        (docs / "locked").chmod(0o755)
    assert list(corpus.texts) == ["open.txt"]
    assert [entry.path for entry in corpus.skipped] == ["locked", "shut.docx", "shut.txt"]
    assert all("Permission denied" in entry.reason for entry in corpus.skipped)


def test_a_name_that_is_not_utf8_is_named(tmp_path):
    (tmp_path / "good.txt").write_text("Good.")
    with open(os.fsencode(tmp_path) + b"/b\xe4d.txt", "wb") as file:
        file.write(b"Bad.")
    corpus = Corpus.read(tmp_path)
    assert [entry.reason for entry in corpus.skipped] == ["has a name that is not UTF-8"]
    assert corpus.skipped[0].path == "b?d.txt"
