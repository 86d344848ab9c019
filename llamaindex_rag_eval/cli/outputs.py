"""Outputs: whether a file can be written is found out before the work, not after it."""

import os
import tempfile
from pathlib import Path

from llamaindex_rag_eval.errors import OutputError

__all__ = ["writable"]


def writable(path: Path) -> Path:
    """Return the path if a file can be written there; its folder is made if it is not there.

    Raises:
        OutputError: It cannot, with the reason.
    """
    try:
        if path.is_dir():
            raise OutputError(f"cannot write {str(path)!r}: it is a folder; expected a file name")
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(13, "Permission denied")
    except OSError as error:
        raise OutputError(f"cannot write {str(path)!r}: {error.strerror or error}") from error
    return path
