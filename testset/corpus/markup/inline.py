"""Marks within a line of reStructuredText or AsciiDoc: which characters a reader sees.

A format gives one pattern. Of each of its matches a reader sees the one group that took part, or
nothing if none did. By the name of the group its text is replaced, or read for more marks:

    name            the value of this name, or the group itself if it has none
    entity          the character that it stands for in HTML
    line_break      a line break
    quoted          itself in quotes
    nested_...      itself, with the marks in it read
    any other       itself, as it is
"""

import html
import re
from collections.abc import Iterator, Mapping

from testset.corpus.source import BREAK, Part, Source


def seen_in(
    source: Source,
    pattern: re.Pattern[str],
    names: Mapping[str, str],
    low: int = 0,
    high: int | None = None,
) -> Iterator[Part]:
    """Yield the parts of a source that a reader sees.

    Args:
        source: The lines of a block.
        pattern: The marks of the format.
        names: Name -> its value.
        low: First character of the source to read.
        high: One past the last.
    """
    high = len(source.text) if high is None else high
    done = low
    for match in pattern.finditer(source.text, low, high):
        yield from source.parts(done, match.start())
        yield from _shown(source, match, names)
        done = match.end()
    yield from source.parts(done, high)


def _shown(source: Source, match: re.Match[str], names: Mapping[str, str]) -> Iterator[Part]:
    group = match.lastgroup
    if group is None:
        return
    low, high = match.span(group)
    if group == "quoted":
        yield from source.parts(match.start(), low, "“")
        yield from seen_in(source, match.re, names, low, high)
        yield from source.parts(high, match.end(), "”")
    elif group.startswith("nested_"):
        yield from seen_in(source, match.re, names, low, high)
    else:
        text = match[group]
        values = {
            "name": names.get(text.strip("{}")),
            "entity": html.unescape(text),
            "line_break": BREAK,
        }
        yield from source.parts(low, high, values.get(group))
