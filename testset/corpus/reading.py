"""Reading files: every kind that LlamaIndex's `SimpleDirectoryReader` reads, text kept exactly.

Text files (txt, md, csv, ...) are decoded and not changed. Pages of HTML, PDF and
Word become Markdown. PowerPoint and the like go through the readers of `llama-index-readers-file`;
the pages of a file are joined into one document. These and pdfplumber need not be installed.
"""

import logging
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from llamaindex_rag_eval.errors import DocumentError
from testset.corpus.archives import refuse_large_archive
from testset.corpus.encoding import declared_encoding, decode
from testset.corpus.markup.notebook import notebook_as_markdown
from testset.corpus.markup.page import page_as_markdown
from testset.corpus.markup.pdf import pdf_as_markdown
from testset.corpus.markup.word import docx_as_markdown

T = TypeVar("T")

PAGE_BREAK = "\n\n"
"""Between the pages of one file: a paragraph ends where a page does."""

HTML = frozenset({".htm", ".html", ".xhtml"})
MADE: dict[str, Callable[[Path], tuple[str, str]]] = {
    ".ipynb": lambda path: (notebook_as_markdown(path), ""),
    ".docx": lambda path: (docx_as_markdown(path), ""),
    ".pdf": pdf_as_markdown,
}
"""Suffixes whose structure LlamaIndex's readers would lose -> what makes Markdown of them, and says
what is left out of it."""
REFUSED = frozenset({".eml", ".rtf", ".tex", ".xml"})
"""Suffixes of files that are text, but whose text is hidden among codes."""
BY_READERS = frozenset(
    {".epub", ".hwp", ".mbox", ".ppt", ".pptm", ".pptx", ".xls", ".xlsx"}
    | {".gif", ".jpeg", ".jpg", ".mp3", ".mp4", ".png", ".webp"}
)
"""Suffixes of which LlamaIndex's readers make text."""
READERS = "llama_index.readers.file"
OPTIONAL = ("pdfplumber", READERS)
"""Modules without which some kinds of files are not read."""


def read_file(path: Path, encoding: str | None = None) -> tuple[str, str]:
    """Return the text of one file, and what is left out of it; empty for nothing.

    Args:
        path: The file.
        encoding: Of plain text that does not tell its own.

    Raises:
        DocumentError: It cannot be read, or holds no text; the message says why.
    """
    suffix, left_out = path.suffix.lower(), ""
    if suffix in REFUSED:
        raise DocumentError(f"is of a kind that is not read, {suffix!r}; save it as .docx or .html")
    if suffix in HTML:
        data = _bytes(path)
        text = page_as_markdown(decode(data, encoding, declared=declared_encoding(data)))
    elif suffix in MADE:
        refuse_large_archive(path)
        text, left_out = _read_with(MADE[suffix], path)
    elif suffix in BY_READERS:
        refuse_large_archive(path)
        text = _read_with(_by_reader, path)
    else:
        text = decode(_bytes(path), encoding)
    if not text.replace("\0", "").strip():
        raise DocumentError("holds no text")
    if "\0" in text:
        left_out = left_out or "NUL characters, which are read as U+FFFD"
    return text.replace("\0", "\ufffd"), left_out


def installed() -> str:
    """Return which of the optional modules there are: with another one more files are read."""
    return " ".join(filter(_is_installed, OPTIONAL))


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # not even what it is in
        return False


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DocumentError(f"cannot be opened: {error.strerror}") from error


def _by_reader(path: Path) -> str:
    """Return what one of LlamaIndex's readers reads.

    One of them configures the root logger when it is imported, so that a caller would see every
    call of a model; what it sets is taken back.
    """
    from llama_index.core import SimpleDirectoryReader

    if not _is_installed(READERS):
        raise DocumentError("is read with another package: pip install llama-index-readers-file")
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    try:
        documents = SimpleDirectoryReader.load_file(path, lambda _: {}, {}, raise_on_error=True)
    finally:
        root.setLevel(level)
        root.handlers[:] = handlers
    return PAGE_BREAK.join(page.text for page in documents)


def _read_with(reader: Callable[[Path], T], path: Path) -> T:
    logs = [logging.getLogger(name) for name in ("pdfminer", "pypdf")]
    levels = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL)  # warnings are repeated in the error below
    try:
        return reader(path)
    except DocumentError:
        raise
    except Exception as error:
        cause = _cause(error)
        raise DocumentError(f"cannot be read: {type(cause).__name__}: {cause}") from error
    finally:
        for log, level in zip(logs, levels, strict=True):
            log.setLevel(level)


def _cause(error: BaseException) -> BaseException:
    """Return the first error: readers wrap it, and retry before they give up."""
    attempt = getattr(error, "last_attempt", None)
    inside = error.__cause__ if attempt is None else attempt.exception()
    return error if inside is None or inside is error else _cause(inside)
