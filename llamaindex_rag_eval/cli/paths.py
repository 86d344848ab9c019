"""Paths: where a command writes, found to be writable before the work begins."""

import os
import tempfile
from pathlib import Path

from llamaindex_rag_eval.errors import InputError, OutputError


def writable(path: Path) -> Path:
    """Return the path if a file can be written there; its folder is created if need be.

    Raises:
        OutputError: No file can be written there; says why.
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


def run_file(answers: Path, out: Path) -> Path:
    """Return the file of the whole run, beside the table of scores at `out`.

    Raises:
        InputError: `out` is no .csv or .jsonl file, or one of both files is that of the answers.
        OutputError: `out` cannot be written.
    """
    if out.suffix not in (".csv", ".jsonl"):
        raise InputError(f"--out {str(out)!r}: expected a .csv or .jsonl file")
    whole = out.with_suffix(".jsonl")
    if answers.resolve() in (whole.resolve(), out.resolve()):
        raise InputError(f"--out {str(out)!r} would overwrite the answers; expected another name")
    writable(out)
    return whole
