"""Codes: what is compared as it stands: paths, flags, identifiers and versions."""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

_CODE = re.compile(
    r"(?<![\w/.-])(?P<flag>--?[A-Za-z][\w-]*)"
    r"|(?<![\w/])(?P<path>(?:https?://|[~.]{0,2}/)[\w.~@%+-][\w./~@%+-]*|[\w.-]+/[\w./-]*\.\w+)"
    r"|(?<![\w.,/])(?P<release>\d+\.\d+)(?![\w.,]*\w|\s?[%°$€£¥])"
    r"|(?<![\w.])[vV]?(?P<version>\d+(?:\.\d+){2,})(?![\w.]*\w)"
    r"|(?<![\w-])(?P<name>[A-Za-z]+(?:[_.]\w+)+(?:\(\))?|[A-Za-z]+-?\d[\w-]*|[a-z]+[A-Z]\w*)"
)
_NAMES_RELEASE = re.compile(
    r"(?:[A-Z][\w+#]*|[Vv]ersion|[Rr]elease|版本?|バージョン|\b[vV]\.?)\s?$"
)
"""What stands before the number of a release, as in "Python 3.10"."""


class Code(NamedTuple):
    """A code of a text.

    Attributes:
        kind: `flag`, `path`, `version` or `name`.
        text: As it stands.
    """

    kind: str
    text: str


@lru_cache(maxsize=8_192)
def codes_of(text: str) -> tuple[Code, ...]:
    """Return the codes of a text in order.

    Example:
        >>> [code.text for code in codes_of("Run git reset --soft in /etc/app with Python 3.10.")]
        ['--soft', '/etc/app', '3.10']
        >>> codes_of("It weighs 3.5 kg and runs 80 km/h.")
        ()
    """
    codes = []
    for match in _CODE.finditer(unicodedata.normalize("NFKC", text)):
        kind, code = match.lastgroup or "", match[match.lastgroup or 0].rstrip(".-")
        if kind == "release":
            if not _NAMES_RELEASE.search(text[: match.start("release")][-24:]):
                continue
            kind = "version"
        if code:
            codes.append(Code(kind, code))
    return tuple(codes)


def other_code(claim: str, source: str) -> tuple[str, str] | None:
    """Return a code of a claim and the one that the source has in its place, if it has another.

    Example:
        >>> other_code("Use git reset --hard.", "Use git reset --soft to keep changes.")
        ('--hard', '--soft')
    """
    own, theirs = codes_of(claim), codes_of(source)
    for code in own:
        if _stands(code, theirs, source):
            continue
        for other in theirs:
            if other.kind == code.kind and not _stands(other, own, claim):
                return code.text, other.text
    return None


def _stands(code: Code, others: tuple[Code, ...], text: str) -> bool:
    """Return whether a code is one of the others, or a name that the text writes otherwise."""
    if code.kind in ("flag", "path", "version"):
        return any(code == other for other in others)
    return _letters(code.text) in _letters(text)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
