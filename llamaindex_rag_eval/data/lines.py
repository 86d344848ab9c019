"""Lines of a file, or of what was one, read by their places when they are needed."""

import os
import weakref
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import Protocol

BLOCK = 2**20
"""Bytes that are read at once where all lines are."""


class ReadsLines(Protocol):
    """What lines are read from, by the place at which each begins."""

    def read(self, start: int, length: int) -> bytes:
        """Return a line, or a part of one."""
        ...


class LinesInMemory:
    """Lines in memory, as bytes one after the other."""

    def __init__(self, data: bytes = b"") -> None:
        self._data = bytearray(data)

    def append(self, line: bytes) -> int:
        """Add a line, and return where it begins."""
        self._data += line
        return len(self._data) - len(line)

    def read(self, start: int, length: int) -> bytes:
        """Return a line, or a part of one."""
        return bytes(self._data[start : start + length])


class LinesInFile:
    """Lines of a file, which stays open: they remain what they were when it is replaced.

    Args:
        path: The file.
        writable: Whether lines can be appended.

    Attributes:
        failure: Why nothing more can be written, as on a full disk; `None` while it can.

    Raises:
        OSError: The file cannot be opened.
    """

    def __init__(self, path: Path, *, writable: bool = False) -> None:
        how = os.O_RDWR | os.O_APPEND if writable else os.O_RDONLY
        self._file = os.open(path, how | getattr(os, "O_BINARY", 0))
        self._written = os.fstat(self._file).st_size
        self._unwritten = bytearray()
        self.failure: OSError | None = None
        self._reading = Lock()
        weakref.finalize(self, os.close, self._file)

    def append(self, line: bytes) -> int:
        """Add a line, which survives the process, and return where it begins.

        If it cannot be written, as on a full disk, it and all later lines are kept in memory.
        """
        start = self._written + len(self._unwritten)
        self._unwritten += line
        try:
            while self._unwritten and self.failure is None:
                count = os.write(self._file, self._unwritten)
                self._written += count
                del self._unwritten[:count]
        except OSError as error:
            self.failure = error
        return start

    def read(self, start: int, length: int) -> bytes:
        """Return a line, or a part of one."""
        if start >= self._written:
            start -= self._written
            return bytes(self._unwritten[start : start + length])
        with self._reading:  # there is no `os.pread` on Windows
            os.lseek(self._file, start, os.SEEK_SET)
            data = os.read(self._file, length)
        beyond = start + length - self._written
        return data if beyond <= 0 else data + bytes(self._unwritten[:beyond])

    def __iter__(self) -> Iterator[bytes]:
        """Yield all lines, each with its end."""
        start, rest = 0, b""
        while block := self.read(start, BLOCK):
            start += len(block)
            *lines, rest = (rest + block).split(b"\n")
            yield from (line + b"\n" for line in lines)
        if rest:
            yield rest

    def __reduce__(self) -> tuple[type[LinesInMemory], tuple[bytes]]:
        """Take the lines along to another process."""
        return LinesInMemory, (self.read(0, self._written + len(self._unwritten)),)
