"""Answers: which blocks answer a question in full."""

import re
from collections.abc import Sequence

from llamaindex_rag_eval.judge.rules.tokens import is_cjk
from testset.corpus.plain import Block
from testset.rules.outline import Section

LONGEST, LONGEST_CJK = 400, 200
"""Characters of an answer at most, and in Chinese, Japanese and Korean: some sentences."""
SHORTEST, SHORTEST_CJK = 25, 10
"""Characters of an answer at least; less is a cross reference."""
MOST_PARAGRAPHS = 2
"""Paragraphs of an answer at most."""
_FURNITURE = re.compile(r"\[\d+\].*|[^.。]{0,40}\d{4}-\d\d-\d\d[^.。]{0,24}", re.DOTALL)
"""A footnote, and the line with the date of a page."""
_PLACEHOLDER = re.compile(
    r"\b(?:J(?:ane|ohn) (?:Doe|Smith)|Lorem ipsum|Max Mustermann|foo(?:bar)?|TODO|TBD|FIXME|X{3,}|"
    r"example\.(?:com|org)|acme)\b|山田 ?太郎|张三|李四|홍길동|\[(?:your|insert|name)\b",
    re.IGNORECASE,
)
"""What stands in invented examples and templates."""
_LINK = r"\[[^\]]*\]\([^)]*\)|\[[^\]]*\]\[[^\]]*\]|`[^`]*`_+|\b\w+_\b|<[^>]*>|https?:\S+"
"""A link, in Markdown or reStructuredText."""
_LINKS = re.compile(rf"(?:{_LINK}|[^\w\n])++")
"""A line of links and nothing else; what was taken for one is not read in another way."""
_LEADING = re.compile(rf"{_LINK}|<a\s|:(?:ref|doc|term):|(?:xref|link|mailto):|\S+@\S+\.\w")
"""What leads to another page, or to a mailbox."""
MOST_LINKED = 0.5
"""Share of the items at most that are links; more are a menu."""


def answer_of(section: Section, blocks: Sequence[Block]) -> tuple[Block, ...] | None:
    """Return the blocks that answer, all of them; `None` if they are no answer in themselves.

    An answer is a paragraph or two without links. What has a list, a table or a link says more
    than was asked, or leaves it to another page.
    """
    shown = [*blocks]
    while shown and _is_furniture(section, shown[-1]):
        shown.pop()
    text = "\n".join(map(section.text, shown))
    wide = is_cjk(text) or section.language.script == "hangul"
    low, high = (SHORTEST_CJK, LONGEST_CJK) if wide else (SHORTEST, LONGEST)
    if not low <= len(text) <= high or len(shown) > MOST_PARAGRAPHS:
        return None
    broken = (
        any(block.kind != "paragraph" for block in shown),
        _LEADING.search(_lines(section, shown)),
        not section.clean(text) or section.cut(shown),
        section.language.script in {"han", "kana"} and not wide,
        section.language.is_open(section.text(shown[0])),
        section.language.points(text),
        any(section.text(block).endswith(("?", "？", ":", "：")) for block in shown),
        invented(section, text),
    )
    return None if any(broken) else tuple(shown)


def _lines(section: Section, blocks: Sequence[Block]) -> str:
    """Return blocks as they are written, up to the end of a line: a link is more than its text."""
    text, span = section.outline.document.text, section.span(blocks)
    end = text.find("\n", span.end)
    return text[span.start : end if end >= 0 else None]


def _is_furniture(section: Section, block: Block) -> bool:
    """Return whether a last paragraph is no text: a footnote, a date of the page, links."""
    return bool(_FURNITURE.fullmatch(section.text(block))) or is_linked(section, [block])


def invented(section: Section, text: str) -> bool:
    """Return whether a text is an example, and no fact: it says so, or has names that do."""
    return _PLACEHOLDER.search(text) is not None or section.language.is_example(text[:60])


def is_linked(section: Section, blocks: Sequence[Block]) -> bool:
    """Return whether most lines of blocks only lead elsewhere, as those of a menu."""
    raw = section.outline.document.text
    linked = 0
    for block in blocks:
        start = section.span([block]).start
        end = raw.find("\n", start)
        line = raw.rfind("\n", 0, start) + 1, len(raw) if end < 0 else end
        linked += _LINKS.fullmatch(raw, *line) is not None
    return linked > MOST_LINKED * len(blocks)
