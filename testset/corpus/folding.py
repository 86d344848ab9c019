"""Folding: a text without its line wrapping, so that words are compared and not their lines."""

import re
from collections.abc import Iterator
from itertools import pairwise

from testset.corpus.source import WIDE

SOFT_HYPHEN = "\u00ad"
"""Where a word may be parted at the end of a line; a reader does not see it elsewhere."""

_BLANKS = re.compile(r"(?:\s*^[ \t]*>(?!\S)|\s)+", re.MULTILINE)
"""White space, and the marks with which lines of a quote begin."""
_HYPHENS = f"{SOFT_HYPHEN}*"
_BREAK = rf"(?:[\s{SOFT_HYPHEN}]|(?<=[\n >])>(?!\S))"


def folded(text: str) -> str:
    r"""Return a text with single blanks between words and without soft hyphens.

    Between two characters of Chinese, Japanese or Korean, white space vanishes. The marks of a
    quote at the beginning of lines count as white space.

    Example:
        >>> folded("The pump\n  wei\u00adghs\n> 40 kg."), folded("水泵\n重40")
        ('The pump weighs 40 kg.', '水泵重40')
    """

    def blank(match: re.Match[str]) -> str:
        before, after = text[match.start() - 1 : match.start()], text[match.end() :][:1]
        return "" if WIDE.match(before) and WIDE.match(after) else " "

    text = text.replace(SOFT_HYPHEN, "")
    return _BLANKS.sub(blank, text)


def places_of(quote: str, text: str) -> Iterator[tuple[int, int]]:
    r"""Yield where a quote stands, however its lines are wrapped: first character, one past last.

    Example:
        >>> list(places_of("a pump", "a\npu\u00admp, a pump"))
        [(0, 7), (9, 15)]
    """
    plain = folded(quote).strip()
    if not plain:
        return
    parts = [re.escape(plain[0])]
    for before, character in pairwise(plain):
        if character == " ":
            parts.append(f"{_BREAK}+")
        elif before == " ":
            parts.append(re.escape(character))
        else:
            wide = WIDE.match(before) and WIDE.match(character)
            parts += [f"{_BREAK}*" if wide else _HYPHENS, re.escape(character)]
    pattern, start = re.compile("".join(parts)), 0
    while match := pattern.search(text, start):
        yield match.span()
        start = match.start() + 1
