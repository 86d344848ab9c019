"""Listing: the files of a folder that are documents, and those that are not, with the reason.

Files are listed as `SimpleDirectoryReader` lists them: recursively, hidden ones left out. Links are
followed only to files of the same folder that are not listed already.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from llamaindex_rag_eval.errors import DocumentError

Stamp = tuple[int, int, int, int]
"""Size, time of the last change of the content and of the file in nanoseconds, and inode."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of a folder.

    Attributes:
        files: The id of each document, its path relative to the folder -> where it is read.
        left_out: The paths that are not read, relative to the folder -> why.
        stamps: Document id -> what changes when its file does: size, times and inode.
    """

    files: dict[str, str]
    left_out: dict[str, str] = field(default_factory=dict)
    stamps: dict[str, Stamp] = field(default_factory=dict)


def files_of(folder: Path) -> Listing:
    """Return the files below a folder, in the order of their ids; of a file, itself.

    Raises:
        DocumentError: There is no such folder, it cannot be opened, or it holds no file.
    """
    try:
        there = folder.exists()
        if there and folder.is_dir():
            next(folder.iterdir(), None)
    except OSError as error:
        raise DocumentError(f"{str(folder)!r} cannot be opened: {error.strerror}") from error
    if not there:
        raise DocumentError(f"no folder {str(folder)!r}; expected a folder of documents")
    if folder.is_file():
        stamps = {folder.name: _stamp(folder.stat())}
        return Listing({folder.name: str(folder)}, stamps=stamps)
    listing = _walked(folder)
    if not listing.files and not listing.left_out:
        raise DocumentError(f"{str(folder)!r} holds no file; expected documents")
    files, left_out = (dict(sorted(e.items())) for e in (listing.files, listing.left_out))
    return Listing(files, left_out, listing.stamps)


def _walked(folder: Path) -> Listing:
    """Return what is below a folder, in any order."""
    listing, first_names = Listing({}), dict[tuple[int, int], str]()
    entries = list(_entries(str(folder), listing.left_out))
    # links, which may lead to one of the files, come last
    for name, entry in sorted(entries, key=lambda pair: (pair[1].is_symlink(), pair[0])):
        try:
            state = os.stat(entry.path)  # what the entry knows has no inode on Windows
            reason = _reason(name, entry, state, folder.resolve())
            if not reason:
                first = first_names.setdefault((state.st_dev, state.st_ino), name)
                reason = "" if first == name else f"is the same file as {first!r}"
        except FileNotFoundError:
            reason = "is a link to a file that does not exist"
        except OSError as error:
            reason = f"cannot be opened: {error.strerror}"
        if reason:
            listing.left_out[name.encode(errors="replace").decode()] = reason
        else:
            listing.files[name], listing.stamps[name] = entry.path, _stamp(state)
    return listing


def _entries(
    folder: str, left_out: dict[str, str], above: str = ""
) -> "Iterator[tuple[str, os.DirEntry[str]]]":
    """Yield the files and the links below a folder that are not hidden, with their names."""
    try:
        with os.scandir(folder) as entries:
            shown = [entry for entry in entries if not entry.name.startswith(".")]
    except OSError as error:
        left_out[above.rstrip("/")] = f"cannot be opened: {error.strerror}"
        return
    for entry in shown:
        if entry.is_dir(follow_symlinks=False):
            yield from _entries(entry.path, left_out, f"{above}{entry.name}/")
        else:
            yield above + entry.name, entry


def _reason(name: str, entry: "os.DirEntry[str]", state: os.stat_result, root: Path) -> str:
    """Return why a path is not read; empty if it is."""
    if name != name.encode(errors="replace").decode():
        return "has a name that is not UTF-8"
    if entry.is_symlink() and not Path(entry.path).resolve().is_relative_to(root):
        return "is a link out of the folder"
    if stat.S_ISDIR(state.st_mode):
        return "is a link to a folder"
    return "" if stat.S_ISREG(state.st_mode) else "is not a regular file"


def _stamp(state: os.stat_result) -> Stamp:
    return state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino
