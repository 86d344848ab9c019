"""Archives: how large a file gets when it is unpacked, which Word, Excel and EPUB files are."""

import zipfile
from pathlib import Path

from llamaindex_rag_eval.errors import DocumentError

MOST = 256 * 1024**2
"""Bytes that a file may have unpacked: a long book with its pictures has less, and readers keep
several copies in memory."""
MIB = 1024**2


def refuse_large_archive(path: Path) -> None:
    """Refuse a ZIP file, as Office files are, that unpacks to more than a reader can hold.

    The sizes are those of the archive's directory: a part that says less than it holds is cut off
    by the reader.

    Raises:
        DocumentError: It is too large, or it cannot be opened.
    """
    try:
        if not zipfile.is_zipfile(path):
            return
        with zipfile.ZipFile(path) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
    except (OSError, zipfile.BadZipFile, ValueError) as error:
        raise DocumentError(f"cannot be opened: {error}") from error
    if size > MOST:
        sizes = f"{size / MIB:,.0f} MiB; expected at most {MOST // MIB}"
        raise DocumentError(f"unpacks to {sizes}")
