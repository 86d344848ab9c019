"""Encoding: the text of plain bytes, whatever they are encoded in.

UTF-8, and what says what it is, are decoded as they are. Anything else is told by
`charset-normalizer`, and refused where that cannot tell: text in a wrong encoding would pass every
check and be of no use.
"""

import codecs
import unicodedata

from llamaindex_rag_eval.errors import DocumentError

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # begins like the mark of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
WIDE = ("utf_16_le", "utf_16_be")
USUAL = (*WIDE, "cp932", "euc_jp", "gb18030", "cp1252")
"""Encodings of English, German, Japanese and Chinese: the ones that a close call goes to."""
OTHERS = ("big5", "cp949", "cp1251", "koi8_r")
"""Encodings that these would be taken for otherwise."""
NAMES = {"cp932": "Shift-JIS", "euc_jp": "EUC-JP", "gb18030": "GB18030", "cp1252": "Latin-1"}
MESS = 0.6
"""Share of disorder, in [0, 1], that a text may have: Markdown and code have more than prose."""
REMEDY = "save it as UTF-8"


def decode(data: bytes) -> str:
    """Return the text of plain bytes.

    Raises:
        DocumentError: It is not text, or its encoding cannot be told.

    Example:
        >>> text = "Die Prüfung der Pumpe erfolgt jährlich."
        >>> decode(text.encode()) == decode(text.encode("latin-1")) == text
        True
    """
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace").removeprefix("\ufeff")
    if b"\0" not in data:
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            _refuse_damaged(data, error)
    return _detected(data)


def _refuse_damaged(data: bytes, error: UnicodeDecodeError) -> None:
    """Refuse bytes most of which are UTF-8."""
    text = data.decode("utf-8", errors="replace")
    wide = sum(character > "\x7f" for character in text)
    if 2 * text.count("\ufffd") < wide:
        raise DocumentError(f"is UTF-8 with a fault at byte {error.start}; {REMEDY}") from error


def _is_binary(text: str) -> bool:
    """Return whether a text has control or unassigned characters, as no text has."""
    strange = (c for c in text if unicodedata.category(c) in {"Cc", "Cn"})
    return any(not c.isspace() and c not in "\x1a\x1b" for c in strange)


def _detected(data: bytes) -> str:
    from charset_normalizer import from_bytes

    binary = b"\0" in data
    among = list(WIDE if binary else (*USUAL, *OTHERS))
    found = list(from_bytes(data, cp_isolation=among, threshold=MESS))
    if not found or _is_binary(str(found[0])):
        raise DocumentError("is not text" if binary else f"is in an unknown encoding; {REMEDY}")
    best = found[0]
    tied = (e for e in found if e.chaos <= best.chaos and e.coherence >= best.coherence)
    usual = {
        str(each): name
        for each in tied
        for name in (each.encoding, *(same.encoding for same in each.submatch))
        if name in USUAL
    }
    if len(usual) > 1:
        names = " or ".join(sorted(NAMES.get(name, name) for name in usual.values()))
        raise DocumentError(f"may be in {names}; {REMEDY}")
    return next(iter(usual), str(best))
