"""Encoding: the text of plain bytes, which are UTF-8 or say what they are.

Anything else is read in the encoding that the user names, and refused without one: text in a wrong
encoding would pass every check and be of no use.
"""

import codecs
import re
import unicodedata

from llamaindex_rag_eval.errors import DocumentError, InputError

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # begins like the mark of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
HEAD = 1024
"""Bytes in which a page of HTML has to name its encoding, by its standard."""
WEB = {"ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254"}
"""Encodings that a page names -> what they stand for, by the Encoding Standard."""
_DECLARED = re.compile(
    rb"<meta[^>]+charset\s*=\s*[\"']?([\w:.-]+)|<\?xml[^>]+encoding\s*=\s*[\"']([\w:.-]+)",
    re.IGNORECASE,
)
MOST_NULLS = 0.001
"""Share of bytes, in [0, 1], that may be NUL in text in UTF-8, as a fault leaves them."""
REMEDY = "save it as UTF-8, or name its encoding (--encoding)"


def known_encoding(name: str) -> str:
    """Return the name of an encoding of text, as Python has it.

    Raises:
        InputError: There is none of this name.
    """
    try:
        known = codecs.lookup(name).name
        b"a".decode(known)
    except UnicodeDecodeError:
        return known  # of more than one byte a character
    except LookupError as error:
        raise InputError(
            f"no encoding of text is called {name!r}; expected one such as 'cp1250', 'iso-8859-2'"
        ) from error
    return known


def declared_encoding(data: bytes) -> str | None:
    """Return the encoding that a page of HTML declares; `None` if it names none that is known.

    Example:
        >>> declared_encoding(b'<meta charset="iso-8859-2"><p>x')
        'iso8859-2'
    """
    match = _DECLARED.search(data, 0, HEAD)
    try:
        name = known_encoding((match[1] or match[2]).decode("ascii")) if match else None
    except InputError:
        return None
    return WEB.get(name or "", name)


def decode(data: bytes, encoding: str | None = None, *, declared: str | None = None) -> str:
    """Return the text of plain bytes.

    Args:
        data: The bytes.
        encoding: Of what is not UTF-8 and has no byte order mark.
        declared: The encoding that the text itself names: tried first, if it is not UTF-8.

    Raises:
        DocumentError: It is not text, or not in an encoding that is known.

    Example:
        >>> text = "Die Prüfung der Pumpe erfolgt jährlich."
        >>> decode(text.encode()) == decode(text.encode("latin-1"), "latin-1") == text
        True
    """
    for mark, marked in MARKS:
        if data.startswith(mark):
            return data.decode(marked, errors="replace").removeprefix("\ufeff")
    fault = "is not text"
    try:
        if data.count(b"\0") <= 1 + MOST_NULLS * len(data):
            text = data.decode("utf-8")
            if "\0" not in text or not _is_binary(text.replace("\0", "")):
                return text
    except UnicodeDecodeError as error:
        fault = f"is not UTF-8 at byte {error.start}"
    for name in filter(None, (declared, encoding)):
        try:
            return data.decode(name)
        except UnicodeDecodeError as error:
            if name == encoding:
                where = f"is not {name!r} at byte {error.start}"
                raise DocumentError(f"{where}; expected that or UTF-8") from error
    raise DocumentError(f"{fault}; {REMEDY}")


def _is_binary(text: str) -> bool:
    """Return whether a text has control or unassigned characters, as no text has."""
    strange = (c for c in text if unicodedata.category(c) in {"Cc", "Cn"})
    return any(not c.isspace() and c not in "\x1a\x1b" for c in strange)
