"""Marks within AsciiDoc: links, references, quotes, attributes."""

import html
import re
from collections.abc import Iterator, Mapping

from testset.corpus.source import BREAK, Part, Source

_INLINE = re.compile(
    r"\\(?P<escaped>[*_`#+^~{<\[])"
    r"|(?P<code>`\+(?P<raw>.+?)\+`)"
    r"|(?P<quoted>\"`(?P<inner>\S|\S.*?\S)`\")"
    r"|\+{3}(?P<three>.+?)\+{3}|\+{2}(?P<two>.+?)\+{2}"
    r"|``(?P<codes>.+?)``|\*\*(?P<strongs>.+?)\*\*|__(?P<ems>.+?)__|##(?P<marks>.+?)##"
    r"|(?<![\w`])`(?P<mono>\S|\S.*?\S)`(?![\w`])"
    r"|(?<![\w*])\*(?P<strong>\S|\S.*?\S)\*(?![\w*])"
    r"|(?<![\w_])_(?P<em>\S|\S.*?\S)_(?![\w_])"
    r"|(?<![\w#&])#(?P<mark>\S|\S.*?\S)#(?![\w#])"
    r"|(?<![\w+])\+(?P<pass>\S|\S.*?\S)\+(?![\w+])"
    r"|\^(?P<sup>\S+?)\^|~(?P<sub>\S+?)~"
    r"|<<(?P<to>[^,<>]+?)(?:,\s*(?P<label>.+?))?>>"
    r"|(?P<unseen>(?:image|icon|footnote|footnoteref|indexterm|anchor|pass):[^\s\[:]*\[[^\]]*\]"
    r"|\[\[[^\]]*\]\]|\(\(\(.+?\)\)\)|<\d+>\s*$|\[[.#][\w.#-]+\](?=[*_`#]))"
    r"|\(\((?P<term>.+?)\)\)"
    r"|(?:link|xref|mailto|kbd|btn|menu|stem|latexmath|asciimath):(?P<target>[^\s\[]*)"
    r"\[(?P<text>[^\]]*)\]"
    r"|(?P<url>(?:(?:https?|ftp|irc)://|\{[\w-]+\}/)[^\s\[\]<>]+)\[(?P<named>[^\]]*)\]"
    r"|\{(?P<attribute>[\w-]+)\}"
    r"|(?P<entity>&(?:#\d+|#x[\da-fA-F]+|\w+);)"
    r"|(?P<hard> \+)$",
    re.DOTALL | re.MULTILINE,
)
_GROUPS = (
    *("escaped", "raw", "three", "two", "codes", "strongs", "ems", "marks", "mono", "strong"),
    *("em", "mark", "pass", "sup", "sub", "label", "to", "term", "text", "target", "named", "url"),
)
"""What a mark shows, in the order to look."""
_PLAIN = frozenset({"escaped", "raw", "three", "two", "pass", "url", "to", "target"})
"""Of these, what holds no more marks."""
BUILT_IN = {"nbsp": "\u00a0", "zwsp": "", "empty": "", "sp": " ", "plus": "+", "apos": "'"} | {
    "vbar": "|",
    "amp": "&",
    "lt": "<",
    "gt": ">",
    "cpp": "C++",
}
"""Attributes that every document has."""


def seen_in_asciidoc(source: Source, attributes: Mapping[str, str]) -> Iterator[Part]:
    """Yield the parts of a source that a reader sees.

    Args:
        source: The lines of a block.
        attributes: Name -> value, for "{name}".
    """
    return _seen(source, attributes, 0, len(source.text))


def _seen(source: Source, attributes: Mapping[str, str], low: int, high: int) -> Iterator[Part]:
    """Yield the parts of a span that a reader sees; marks may stand within marks."""
    done = low
    for match in _INLINE.finditer(source.text, low, high):
        if match.start() < done:
            continue
        yield from source.parts(done, match.start())
        done = match.end()
        yield from _shown(source, attributes, match)
    yield from source.parts(done, high)


def _shown(source: Source, attributes: Mapping[str, str], match: re.Match[str]) -> Iterator[Part]:
    if match["entity"]:
        yield from source.parts(*match.span(), html.unescape(match["entity"]))
    elif match["hard"]:
        yield from source.parts(*match.span(), BREAK)
    elif match["attribute"]:
        value = attributes.get(match["attribute"])
        yield from source.parts(*match.span(), value if value is not None else match[0])
    elif match["quoted"]:
        low, high = match.span("inner")
        yield from source.parts(match.start(), low, "“")
        yield from _seen(source, attributes, low, high)
        yield from source.parts(high, match.end(), "”")
    elif not match["unseen"]:
        name = next((name for name in _GROUPS if match[name]), "")
        if name in _PLAIN:
            yield from source.parts(*match.span(name))
        elif name:
            yield from _seen(source, attributes, *match.span(name))
