"""File systems: local folders, and those that pyarrow reaches by a URI, as `s3://bucket/folder`."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from llamaindex_rag_eval.data.parquet import require_pyarrow
from llamaindex_rag_eval.errors import DatasetError, OutputError

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

URI = re.compile(r"[a-z][a-z0-9+]+:/+(?!/)", re.IGNORECASE)
"""How a URI begins; `pathlib` leaves one slash of two."""


def whole_uri(where: str | Path) -> str:
    """Return a URI with both its slashes, of which `pathlib` leaves one; a path as it is.

    Example:
        >>> whole_uri(Path("s3://bucket/scores")), whole_uri(Path("scores"))
        ('s3://bucket/scores', 'scores')
    """
    match = URI.match(str(where))
    if match is None:
        return str(where)
    scheme, rest = match.group().partition(":")[0], str(where)[match.end() :]
    return f"{scheme}://{'/' if scheme.lower() == 'file' else ''}{rest}"


def system_at(where: str | Path) -> "tuple[FileSystem, str]":
    """Return the file system of a local path or a URI, and the path on it.

    Raises:
        DatasetError: pyarrow knows no such file system, or cannot reach it.
    """
    require_pyarrow()
    from pyarrow import ArrowException, fs

    if URI.match(str(where)) is None:
        return fs.LocalFileSystem(), str(Path(where).absolute())
    try:
        system, path = fs.FileSystem.from_uri(whole_uri(where))
    except (ArrowException, OSError, ValueError) as error:
        reason = f"no file system can be reached there: {error}"
        raise DatasetError(reason, file=str(where)) from error
    return system, path


class Folder:
    """A folder whose files appear whole or not at all.

    Args:
        where: A local path, or a URI.

    Raises:
        DatasetError: There is no such file system.
    """

    def __init__(self, where: str | Path) -> None:
        self.where = whole_uri(where)
        self.system, self.path = system_at(where)

    @property
    def is_local(self) -> bool:
        """Whether it is on a local file system."""
        return bool(self.system.type_name == "local")

    def names(self) -> frozenset[str]:
        """Return the names of its files; none if there is no such folder."""
        from pyarrow import fs

        infos = self.system.get_file_info(fs.FileSelector(self.path, allow_not_found=True))
        return frozenset(info.base_name for info in infos if info.type == fs.FileType.File)

    def has(self, name: str) -> bool:
        """Return whether it has a file of this name."""
        from pyarrow import fs

        return bool(self.system.get_file_info(f"{self.path}/{name}").type == fs.FileType.File)

    def read(self, name: str) -> bytes:
        """Return the contents of a file.

        Raises:
            DatasetError: It cannot be read.
        """
        try:
            with self.system.open_input_stream(f"{self.path}/{name}") as file:
                return bytes(file.read())
        except OSError as error:
            raise DatasetError(f"cannot be read: {error}", file=f"{self.where}/{name}") from error

    def write(self, name: str, data: bytes) -> None:
        """Write a file, and make the folder if there is none.

        Raises:
            OutputError: It cannot be written; a file that existed before is unchanged.
        """
        part = f"{self.path}/.{name}.part"
        try:
            self.system.create_dir(self.path, recursive=True)
            with self.system.open_output_stream(part) as file:
                file.write(data)
            self.system.move(part, f"{self.path}/{name}")
        except OSError as error:
            raise OutputError(f"cannot write {f'{self.where}/{name}'!r}: {error}") from error

    def delete(self, name: str) -> None:
        """Delete a file, if it is there."""
        if self.has(name):
            self.system.delete_file(f"{self.path}/{name}")
