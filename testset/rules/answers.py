"""Answers: which blocks answer a question in full, and the candidate made of them."""

import re
from collections.abc import Sequence
from itertools import pairwise

from llamaindex_rag_eval.judge.rules.tokens import is_cjk
from testset.corpus.plain import Block
from testset.rules.candidate import Candidate, Kind
from testset.rules.outline import Section

LONGEST, LONGEST_CJK = 500, 250
"""Characters of an answer at most, and in Chinese, Japanese and Korean: some sentences."""
SHORTEST, SHORTEST_CJK = 25, 10
"""Characters of an answer at least; less is a cross reference."""
_SHOWN = frozenset({"paragraph", "item", "code", "definition", "admonition", "row"})
_PROSE = frozenset({"paragraph", "item", "definition"})
_LED = frozenset({"code", "item", "row", "definition"})
"""What follows a lead-in."""
_CAPTION = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)?[:：]")
"""What only announces examples or cases, as "Common inputs:"."""
_FURNITURE = re.compile(r"\[\d+\].*|[^.。]{0,40}\d{4}-\d\d-\d\d[^.。]{0,24}", re.DOTALL)
"""A footnote, and the line with the date of a page."""
_PLACEHOLDER = re.compile(
    r"\b(?:J(?:ane|ohn) (?:Doe|Smith)|Lorem ipsum|Max Mustermann|foo(?:bar)?|TODO|TBD|FIXME|X{3,}|"
    r"example\.(?:com|org)|acme)\b|山田 ?太郎|张三|李四|홍길동|\[(?:your|insert|name)\b",
    re.IGNORECASE,
)
"""What stands in invented examples and templates."""
_LINK = re.compile(
    r"(?:[^\w\n]*(?:\[[^\]]*\]\([^)]*\)|\[[^\]]*\]\[[^\]]*\]|`[^`]*`_+|\w+_+|<[^>]*>|https?:\S+)"
    r"[^\w\n]*)+"
)
"""A line of links and nothing else, in Markdown or reStructuredText."""
MOST_LINKED = 0.5
"""Share of the items at most that are links; more are a menu."""


def answer_of(section: Section, blocks: Sequence[Block]) -> tuple[Block, ...] | None:
    """Return the blocks that answer, all of them; `None` if they are no answer in themselves."""
    shown = [block for block in blocks if block.kind in _SHOWN]
    while shown and shown[-1].kind == "paragraph" and _is_furniture(section, shown[-1]):
        shown.pop()
    prose = [block for block in shown if block.kind in _PROSE]
    if not prose:
        return None
    text, first = section.text_of(shown), section.text(prose[0])
    wide = is_cjk(text) or section.language.script == "hangul"
    low, high = (SHORTEST_CJK, LONGEST_CJK) if wide else (SHORTEST, LONGEST)
    if not low <= len(text) <= high:
        return None
    broken = (
        _left_open(section, shown),
        not section.clean("\n".join(map(section.text, prose))) or section.cut(shown),
        section.language.script in {"han", "kana"} and not wide,
        section.language.is_open(first) or _CAPTION.fullmatch(first),
        section.language.is_question(section.text(shown[-1])),
        invented(section, text) or is_linked(section, shown),
    )
    return None if any(broken) else tuple(shown)


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
        linked += _LINK.fullmatch(raw, *line) is not None
    return linked > MOST_LINKED * len(blocks)


def _left_open(section: Section, blocks: Sequence[Block]) -> bool:
    """Return whether something is announced that does not follow, as code kept elsewhere."""

    def leads(block: Block, below: Block) -> bool:
        inside = below.kind in _LED or below.level > 0
        return below.level > block.level if block.kind == below.kind == "item" else inside

    followed = [leads(block, below) for block, below in pairwise(blocks)]
    return any(
        section.text(block).rstrip().endswith((":", "：")) and not follows
        for block, follows in zip(blocks, [*followed, False], strict=True)
        if block.kind in _PROSE
    )


def candidate_of(
    section: Section, question: str, answer: Sequence[Block], kind: Kind, rule: str
) -> Candidate:
    """Return a question with blocks as its answer."""
    span, language = section.span(answer), section.language.code
    return Candidate(question, section.text_of(answer), ((span,),), kind, rule, language)
