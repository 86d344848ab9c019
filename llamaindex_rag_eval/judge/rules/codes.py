"""Codes: what is compared as it stands: paths, flags, identifiers and versions."""

import re
from collections.abc import Iterator

from llamaindex_rag_eval.judge.rules.quantities import Value, unit_at

_CLUE = r"[\d/_]|-[A-Za-z]|[A-Za-z]\.\w|[a-z][A-Z]"
"""What every code has in it."""
_MAY_CODE = re.compile(_CLUE)
_CODE = re.compile(
    rf"(?<!\w)(?=[\w/~.-])(?=\S*?(?:{_CLUE}))(?:"
    r"(?<![\w/.-])(?P<flag>--?[A-Za-z][\w-]*)"
    r"|(?<![\w/])(?P<path>(?:https?://|[~.]{0,2}/)[\w.~@%+-][\w./~@%+-]*|[\w.-]+/[\w./-]*\.\w+)"
    r"|(?<![\w.,/])(?P<release>\d+\.\d+)(?![\w.,]*\w|\s?[%°$€£¥])"
    r"|(?<![\w.])[vV]?(?P<version>(?!\d{1,2}\.\d{1,2}\.\d{4}(?!\d))\d+(?:\.\d+){2,})(?![\w.]*\w)"
    r"|(?<![\w-])(?P<name>[A-Za-z]+(?:[_.]\w+)+(?:\(\))?|[A-Za-z]+-?\d[\w-]*|[a-z]+[A-Z]\w*))"
)
_NAMES_RELEASE = re.compile(
    r"(?:[A-Z][\w+#]*|[Vv]ersion|[Rr]elease|版本?|バージョン|\b[vV]\.?)\s?$"
)
"""What stands before the number of a release, as in "Python 3.10"."""


def codes_in(plain: str) -> Iterator[Value]:
    """Yield the codes of a normalised text, each with its place.

    A flag, path or version is compared as it stands; of a name the letters and digits.

    Example:
        >>> [each.code for each in codes_in("Run git reset --soft in /etc/app with Python 3.10.")]
        ['--soft', '/etc/app', '3.10']
        >>> [each.code for each in codes_in("A VT-240 weighs 3.5 kg and runs 80 km/h.")]
        ['vt240']
    """
    for match in _CODE.finditer(plain) if _MAY_CODE.search(plain) else ():
        kind = match.lastgroup or ""
        start, code = match.start(kind), match[kind].rstrip(".-")
        if kind == "release" and (
            not _NAMES_RELEASE.search(plain[max(0, start - 24) : start])
            or unit_at(plain, match.end())[0]
        ):
            continue
        if code:
            written = letters_of(code) if kind == "name" else code
            yield Value("code", code=written, start=start, end=start + len(code))


def letters_of(text: str) -> str:
    """Return the letters and digits of a text in small letters."""
    return "".join(filter(str.isalnum, text.casefold()))
