"""Encoding: the text of plain bytes, whatever they are encoded in.

UTF-8, and what says what it is, are decoded as they are; anything else in the encoding that the
user names. Without one it is guessed, and refused where several encodings fit: text in a wrong
encoding would pass every check and be of no use.
"""

import codecs
import re
import unicodedata
from collections.abc import Sequence

from llamaindex_rag_eval.errors import DocumentError, InputError

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # begins like the mark of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
WIDE = ("utf_16_le", "utf_16_be")
HEAD = 1024
"""Bytes in which a page of HTML has to name its encoding, by its standard."""
WEB = {"ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254"}
"""Encodings that a page names -> what they stand for, by the Encoding Standard."""
_DECLARED = re.compile(
    rb"<meta[^>]+charset\s*=\s*[\"']?([\w:.-]+)|<\?xml[^>]+encoding\s*=\s*[\"']([\w:.-]+)",
    re.IGNORECASE,
)
SEVERAL_BYTES = ("cp932", "euc_jp", "gb18030", "big5", "cp949")
"""Encodings of Japanese, Chinese and Korean, which `charset-normalizer` tells from all others."""
CHINESE = ("gb18030", "big5")
KANA = re.compile("[ぁ-ゖァ-ヺ]")
"""Letters of Japanese, which GB 18030 and EUC-JP have at the same bytes, with other ideographs."""
ONE_BYTE = (
    *("cp1252", "cp1250", "iso8859_2", "cp1254", "cp1257", "iso8859_13"),
    *("cp1251", "koi8_r", "koi8_u", "iso8859_5", "cp1253", "iso8859_7", "cp1255", "cp1256"),
)
"""Encodings of a byte a character; nearly all bytes are text in each. Which it is can be told only
where the others give the same text, or words that nobody writes."""
MOST_ODD = 0.05
"""Share of words, in [0, 1], that may be odd: names of products are."""
SIGNS = "ªºµ"
"""Signs that Unicode counts as letters of a script."""
JOINS = "’·"
"""Signs that stand within a word."""
MESS = 0.6
"""Share of disorder, in [0, 1], that a text may have: Markdown and code have more than prose."""
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
        encoding: Of what is not UTF-8 and has no mark; by default it is guessed.
        declared: The encoding that the text itself names: tried first, if it is not UTF-8.

    Raises:
        DocumentError: It is not text, or its encoding cannot be told.

    Example:
        >>> text = "Die Prüfung der Pumpe erfolgt jährlich."
        >>> decode(text.encode()) == decode(text.encode("latin-1")) == text
        True
    """
    for mark, marked in MARKS:
        if data.startswith(mark):
            return data.decode(marked, errors="replace").removeprefix("\ufeff")
    if (nulls := data.count(b"\0")) <= 1 + MOST_NULLS * len(data):
        try:
            text = data.decode("utf-8")
            if not nulls or not _is_binary(text.replace("\0", "")):
                return text
        except UnicodeDecodeError as error:
            if encoding is None and declared is None and not nulls:
                _refuse_damaged(data, error)
    for name in filter(None, (declared, encoding)):
        try:
            return data.decode(name)
        except UnicodeDecodeError as error:
            if name == encoding:
                where = f"is not {name!r} at byte {error.start}"
                raise DocumentError(f"{where}; expected that or UTF-8") from error
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
    """Return the text of bytes in an encoding that is guessed, where no other fits as well."""
    from charset_normalizer import from_bytes

    binary = b"\0" in data
    readings = {} if binary else _readings(data)
    among = list(WIDE if binary else (*WIDE, *SEVERAL_BYTES, *ONE_BYTE))
    guesses = list(from_bytes(data, cp_isolation=among, threshold=MESS))
    best = guesses[0] if guesses else None
    if best is not None and not _is_binary(str(best)) and best.encoding not in ONE_BYTE:
        tied = (e for e in guesses if e.chaos <= best.chaos and e.coherence >= best.coherence)
        several = {
            str(guess): guess.encoding
            for guess in tied
            if guess.encoding not in ONE_BYTE
            if not (guess.encoding in CHINESE and KANA.search(str(guess)))
        }
        readings = {**several, **readings}
    if not readings:
        raise DocumentError("is not text" if binary else f"is in an unknown encoding; {REMEDY}")
    if len(readings) > 1:
        raise DocumentError(f"may be in {_or(sorted(readings.values()))}; {REMEDY}")
    return next(iter(readings))


def _readings(data: bytes) -> dict[str, str]:
    """Return each text that bytes may be in an encoding of a byte a character -> the encoding."""
    readings: dict[str, str] = {}
    for encoding in ONE_BYTE:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if text not in readings and not _is_binary(text) and _is_written(text):
            readings[text] = encoding
    return readings


def _is_written(text: str) -> bool:
    """Return whether nearly all words beyond ASCII are such as people write."""
    words = [word for word in text.split() if not word.isascii()]
    return sum(map(_is_odd, words)) <= MOST_ODD * len(words)


def _is_odd(word: str) -> bool:
    """Return whether nobody writes such a word.

    It is in two scripts, has a capital or a sign behind a small letter, or is of Latin letters none
    of which is a plain one.
    """
    letters = [c for c in word if unicodedata.category(c) in {"Lu", "Ll", "Lo"} and c not in SIGNS]
    scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in letters}
    plain = any(letter.isascii() for letter in letters)
    if len(scripts) > 1 or (scripts == {"LATIN"} and len(letters) > 2 and not plain):
        return True
    return any(
        (a.islower() and b.isupper() and not (a + b).isascii())
        or (a.isalpha() and c.isalpha() and not b.isascii() and not b.isalpha() and b not in JOINS)
        for a, b, c in zip(word, word[1:], f"{word[2:]} ", strict=False)
    )


def _or(names: Sequence[str]) -> str:
    shown = [repr(name) for name in names]
    return " or ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
