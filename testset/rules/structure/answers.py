"""Answers: which blocks answer a question in full, and the candidate made of them."""

import re
from collections.abc import Sequence
from itertools import pairwise

from llamaindex_rag_eval.judge.rules.tokens import is_cjk
from testset.corpus.plain import Block
from testset.rules.candidate import Candidate, Kind
from testset.rules.language import language_of
from testset.rules.structure.outline import Section
from testset.rules.structure.records import is_labels

LONGEST = 1_200
"""Characters of an answer at most: about a passage; a reviewer reads no more."""
LONGEST_CJK = 600
"""The same in Chinese, Japanese and Korean."""
TELLING = 120
"""Characters of an answer from which its language is told; it must be that of its document."""
SHORTEST = 30
"""Characters of an answer at least; less is a cross reference."""
SHORTEST_CJK = 12
_SHOWN = frozenset({"paragraph", "item", "code", "definition", "admonition", "row"})
_PROSE = frozenset({"paragraph", "item", "definition"})
_LED = frozenset({"code", "item", "row", "definition"})
"""What follows a lead-in."""
_ENDED = re.compile(r"[.!?:。！？：…)）」』”\"]\s*$")
"""The end of a sentence, or of what introduces what follows."""
_CAPTION = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)?[:：]")
"""What only announces examples or cases, as "Common inputs:"."""
_FIGURE = re.compile(
    r"(?:figure|fig\.|abbildung|abb\.|[图圖図]) ?[A-Z]?\.?\d[\d.-]*[.:：]?(?:\s[^\n]*)?(?<!。)",
    re.IGNORECASE,
)
"""The title of a figure, with its number."""
LONGEST_TITLE = 160
"""Characters of a caption at most."""
_FURNITURE = re.compile(r"\[\d+\].*|[^.。]{0,40}\d{4}-\d\d-\d\d[^.。]{0,24}", re.DOTALL)
"""A footnote, and the line with the date of a page."""
LONGEST_CODE = 300
"""Characters of code at most before the first words of an answer."""
FEWEST_FOREIGN = 6
"""Words of a text without Chinese or Japanese from which it is a sentence; two less with a dot."""
SHORT_HEADING = 4
"""Words of a heading up to which its page must be named, too."""
SHORT_CJK = 24
"""Characters of it in Chinese and Korean."""
SHORT_KANA = 34
"""The same in Japanese, where asking how to do a task takes more of them."""


def answer_of(section: Section, blocks: Sequence[Block]) -> tuple[Block, ...] | None:
    """Return the blocks that answer, all of them; `None` if they are no answer in themselves."""
    shown = _without_figures(section, [block for block in blocks if block.kind in _SHOWN])
    while shown and shown[-1].kind == "paragraph" and _is_furniture(section, shown[-1]):
        shown.pop()
    kept = _without_captions(section, shown or ())
    if not kept or not any(block.kind in _PROSE for block in kept):
        return None
    said = section.text_of(kept)
    wide = is_cjk(said)
    low, high = (SHORTEST_CJK, LONGEST_CJK) if wide else (SHORTEST, LONGEST)
    prose = [block for block in kept if block.kind in _PROSE]
    first = section.text(prose[0])
    broken = _left_open(section, kept) or not section.clean("\n".join(map(section.text, prose)))
    broken = broken or section.cut(kept)
    leading = (block for block in kept if block.start < prose[0].start)
    broken = broken or sum(len(section.text(block)) for block in leading) > LONGEST_CODE
    broken = broken or (section.language.script != "latin" and not wide)
    broken = broken or (wide and any(map(_is_foreign, map(section.text, prose))))
    known = language_of(said) if len(said) >= TELLING else None
    broken = broken or (known is not None and known.code != section.language.code)
    pointing = section.language.structure.finds("opens", first) or _CAPTION.fullmatch(first)
    return None if broken or pointing or not low <= len(said) <= high else kept


def _is_furniture(section: Section, block: Block) -> bool:
    """Return whether a last paragraph is no text: labels, a footnote, the date of the page."""
    return is_labels(section, block) or _FURNITURE.fullmatch(section.text(block)) is not None


def _without_figures(section: Section, blocks: Sequence[Block]) -> list[Block] | None:
    """Return blocks before the title of a figure and its caption; `None` if more stands below."""
    kept = list(blocks)
    titles = [_FIGURE.fullmatch(section.text(block)) is not None for block in kept]
    start = titles.index(False) if False in titles else len(kept)
    if True not in titles[start:]:
        return kept[start:]
    end = titles.index(True, start)
    below = [block for block, title in zip(kept[end:], titles[end:], strict=True) if not title]
    captioned = len(below) <= 1 and all(len(section.text(b)) <= LONGEST_TITLE for b in below)
    return kept[start:end] if captioned else None


def _is_foreign(text: str) -> bool:
    """Return whether a text among Chinese or Japanese ones is a sentence of another language."""
    words = re.findall(r"(?<!\S)[A-Za-z]+(?=[.,]?(?!\S))", text)
    return not is_cjk(text) and len(words) >= FEWEST_FOREIGN - 2 * text.endswith(".")


def _without_captions(section: Section, blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return blocks without the paragraphs before the first sentence, as captions of figures."""
    kinds = [*(block.kind for block in blocks[1:]), ""]
    starts = (
        number
        for number, block in enumerate(blocks)
        if block.kind != "paragraph"
        or kinds[number] == "code"
        or _ENDED.search(section.text(block))
    )
    return tuple(blocks[next(starts, 0 if len(blocks) == 1 else len(blocks)) :])


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
    section: Section,
    question: str,
    answer: Sequence[Block],
    kind: Kind,
    rule: str,
    *,
    alone: bool = False,
) -> Candidate:
    """Return a question with blocks as its answer; unless it stands alone, in its setting."""
    wider = in_setting(section, question, always=True)
    if not alone:
        question = in_setting(section, question, needed=True)
    return Candidate(
        question,
        section.text_of(answer),
        ((section.span(answer),),),
        kind,
        rule,
        section.language.code,
        wider=wider,
    )


def in_setting(
    section: Section, question: str, *, always: bool = False, needed: bool = False
) -> str:
    """Return a question that names its page, `always` or if it is too short to stand alone.

    Of a page without a name, one that is too short is empty if the page is `needed`.
    """
    title = section.page
    words = set(question.casefold().split())
    known = {word.strip("?:,.") for word in words}
    wide = is_cjk(question)
    few = SHORT_KANA if section.language.script == "kana" else SHORT_CJK
    short = len(question) <= few if wide else len(words) <= SHORT_HEADING + 3
    alike = {word for word in title.casefold().split() if len(word) > SHORT_HEADING} & known
    named = title.casefold() in question.casefold() or (bool(alike) and not always)
    under = section.language.structure.ask.under
    if under and short and needed and not section.language.names(title):
        return ""
    if not under or not (short or always) or named or not section.language.names(title):
        return question
    return under.format(name=title, question=question)


def under_heading(section: Section, question: str) -> str:
    """Return a question with its page and its heading, to tell it from others of the page."""
    title, setting = section.page, section.setting
    if not setting or setting.casefold() in question.casefold():
        return question
    if title and question.startswith(title):
        return setting + question[len(title) :]
    return section.language.structure.ask.under.format(name=setting, question=question)
