"""Reading files: every kind that LlamaIndex's `SimpleDirectoryReader` reads, text kept exactly.

Text files (txt, md, csv, ...) are decoded and not touched. HTML becomes its visible text. PDF,
Word, PowerPoint and the like go through the readers of `llama-index-readers-file`; the pages of
a file are joined into one document.
"""

import codecs
import logging
from pathlib import Path

from llamaindex_rag_eval.errors import DocumentError
from testset.corpus.html_text import visible_text
from testset.corpus.source_document import Skipped, SourceDocument

__all__ = ["read_file", "read_folder"]

PAGE_BREAK = "\n\n"
"""Between the pages of one file: a paragraph ends where a page does."""

HTML = frozenset({".htm", ".html", ".xhtml"})
PLAIN = frozenset({".csv"})
"""Suffixes that a reader would reformat although the file is plain text."""

BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read_folder(folder: Path) -> tuple[list[SourceDocument], list[Skipped]]:
    """Return the documents of a folder in the order of their ids, and what was skipped.

    Raises:
        DocumentError: There is no such folder, or it holds no file.
    """
    try:
        there = folder.exists()
        if there and folder.is_dir():
            next(folder.iterdir(), None)
    except OSError as error:
        raise DocumentError(f"{str(folder)!r} cannot be opened: {error.strerror}") from error
    if not there:
        raise DocumentError(f"no folder {str(folder)!r}; expected a folder of documents")
    root = folder if folder.is_dir() else folder.parent
    documents, skipped = [], []
    for path in _files(folder):
        doc_id = path.relative_to(root).as_posix()
        try:
            documents.append(SourceDocument(doc_id, read_file(path)))
        except DocumentError as error:
            skipped.append(Skipped(doc_id, str(error)))
    return documents, skipped


def _files(folder: Path) -> list[Path]:
    """List the files as `SimpleDirectoryReader` does: recursively, hidden ones left out."""
    if folder.is_file():
        return [folder]
    from llama_index.core import SimpleDirectoryReader

    try:
        found = SimpleDirectoryReader(str(folder), recursive=True).input_files
    except ValueError as error:
        raise DocumentError(f"{str(folder)!r} holds no file; expected documents") from error
    root = folder.resolve()
    return sorted(folder / Path(path).resolve().relative_to(root) for path in found)


def read_file(path: Path) -> str:
    """Return the text of one file.

    Raises:
        DocumentError: It cannot be read, or holds no text; the message says why.
    """
    from llama_index.core import SimpleDirectoryReader

    suffix = path.suffix.lower()
    if suffix in HTML:
        text = visible_text(decoded(_bytes(path)))
    elif suffix in PLAIN or suffix not in SimpleDirectoryReader.supported_suffix_fn():
        text = decoded(_bytes(path))
    else:
        text = _by_reader(path)
    if not text.strip():
        raise DocumentError("holds no text")
    return text


def _cause(error: BaseException) -> BaseException:
    """Return what was wrong at first: readers wrap it, and try again before they give up."""
    attempt = getattr(error, "last_attempt", None)
    inside = error.__cause__ if attempt is None else attempt.exception()
    return error if inside is None or inside is error else _cause(inside)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DocumentError(f"cannot be opened: {error.strerror}") from error


def decoded(data: bytes) -> str:
    """Return the text of plain bytes: UTF-8, or UTF-16 with its mark, else Windows-1252.

    Raises:
        DocumentError: It is not text.

    Example:
        >>> decoded("naïve".encode()), decoded("naïve".encode("cp1252"))
        ('naïve', 'naïve')
    """
    for mark, encoding in BOMS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace").removeprefix("\ufeff")
    if b"\0" in data:
        raise DocumentError("is not text")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _by_reader(path: Path) -> str:
    from llama_index.core import SimpleDirectoryReader

    parser_log = logging.getLogger("pypdf")
    level = parser_log.level
    parser_log.setLevel(logging.CRITICAL)  # what it complains of is told as the reason to skip
    try:
        pages = SimpleDirectoryReader.load_file(path, lambda _: {}, {}, raise_on_error=True)
    except Exception as error:
        cause = _cause(error)
        raise DocumentError(f"cannot be read: {type(cause).__name__}: {cause}") from error
    finally:
        parser_log.setLevel(level)
    return PAGE_BREAK.join(page.text for page in pages)
