"""Listing: the files of a folder that are documents, and those that are not, with the reason.

Files are listed as `SimpleDirectoryReader` lists them: recursively, hidden ones left out. Links are
followed only to files of the same folder that are not listed already.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from llamaindex_rag_eval.errors import DocumentError

Stamp = tuple[int, int, int, int]
"""Size, time of the last change of the content and of the file in nanoseconds, and inode."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of a folder.

    Attributes:
        files: The id of each document, its path relative to the folder, and where it is read.
        left_out: The paths that are not read, relative to the folder, and why.
        stamps: Document id -> what changes when its file does: size, times and inode.
    """

    files: tuple[tuple[str, str], ...]
    left_out: tuple[tuple[str, str], ...] = ()
    stamps: Mapping[str, Stamp] = field(default_factory=dict)


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
        return Listing(((folder.name, str(folder)),), (), {folder.name: _stamp(folder.stat())})
    walk = _Walk(folder.resolve())
    walk.list(str(folder))
    if not walk.files and not walk.left_out:
        raise DocumentError(f"{str(folder)!r} holds no file; expected documents")
    left_out = tuple(sorted(walk.left_out.items()))
    return Listing(tuple(sorted(walk.files.items())), left_out, walk.stamps)


@dataclass
class _Walk:
    """What was found on a walk through a folder."""

    root: Path
    files: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    names: dict[tuple[int, int], str] = field(default_factory=dict)
    stamps: dict[str, Stamp] = field(default_factory=dict)

    def list(self, folder: str) -> None:
        """List the files of a folder, and then the links, which may lead to one of them."""
        entries = sorted(self._entries(folder), key=lambda entry: (entry[1].is_symlink(), entry[0]))
        for name, entry in entries:
            reason = self._reason(name, entry)
            if reason:
                self.left_out[name.encode(errors="replace").decode()] = reason
            else:
                self.files[name] = entry.path

    def _entries(self, folder: str, above: str = "") -> "Iterator[tuple[str, os.DirEntry[str]]]":
        """Yield the files and the links below a folder that are not hidden, with their names."""
        try:
            with os.scandir(folder) as entries:
                shown = [entry for entry in entries if not entry.name.startswith(".")]
        except OSError as error:
            self.left_out[above.rstrip("/")] = f"cannot be opened: {error.strerror}"
            return
        for entry in shown:
            if entry.is_dir(follow_symlinks=False):
                yield from self._entries(entry.path, f"{above}{entry.name}/")
            else:
                yield above + entry.name, entry

    def _reason(self, name: str, entry: "os.DirEntry[str]") -> str:
        """Return why a path is not read; empty if it is."""
        if name != name.encode(errors="replace").decode():
            return "has a name that is not UTF-8"
        try:
            state = os.stat(entry.path)  # what the entry knows has no inode on Windows
        except FileNotFoundError:
            return "is a link to a file that does not exist"
        except OSError as error:
            return f"cannot be opened: {error.strerror}"
        if entry.is_symlink() and not Path(entry.path).resolve().is_relative_to(self.root):
            return "is a link out of the folder"
        if stat.S_ISDIR(state.st_mode):
            return "is a link to a folder"
        if not stat.S_ISREG(state.st_mode):
            return "is not a regular file"
        self.stamps[name] = _stamp(state)
        first = self.names.setdefault((state.st_dev, state.st_ino), name)
        return "" if first == name else f"is the same file as {first!r}"


def _stamp(state: os.stat_result) -> Stamp:
    return state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino
