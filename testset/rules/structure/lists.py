"""Lists: what their lead-in asks, with all of their items as the answer; numbered steps, too."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from llamaindex_rag_eval.judge.rules.numerals import in_digits
from llamaindex_rag_eval.judge.rules.sentences import sentence_spans
from testset.corpus.plain import Block
from testset.rules.candidate import Candidate, Kind
from testset.rules.structure.answers import answer_of, candidate_of, under_heading
from testset.rules.structure.outline import Section
from testset.rules.structure.values import kind_of

FEWEST = 2
"""Items of a list at least."""
MOST = 15
"""Items at most; more are a register."""

_SENTENCE = re.compile(r"[.!?:](?:\s|$)|[：。！？；，]|\s…\s|[るすたい]$")
"""Finds what is no name: a sentence, or a label with its value."""
_LINK = re.compile(r"\W*(?:\[[^\]]*\]\([^)]*\)|`[^`]*`_+|\w+_+|<[^>]*>|https?:\S+)\W*", re.DOTALL)
"""An item that is a link and nothing else, in Markdown or reStructuredText."""
_NUMBER = re.compile(r"^(?:\(?\w{1,3}\)|第\w{1,5}条)\s+")
"""The number of a paragraph."""
FEWEST_HEADED = 3
"""Items of a list without a lead-in at least."""
LONGEST_NAME = 8
"""Words of an item at most that is a name."""
LONGEST_LABEL = 36
"""Bytes of a heading at most that names what a list holds."""
SHORTEST_QUESTION = 24
"""Bytes of a question at least: "What can I use?" says too little."""


def lists(section: Section) -> Iterator[Candidate]:
    """Yield what the lead-in of each list under a heading asks."""
    groups = list(_groups(section.body))
    runs = Counter(items[0].group for items in groups)
    for items in groups:
        if runs[items[0].group] > 1:
            continue
        top = [block for block in items if block.level == items[0].level]
        if not FEWEST <= len(top) <= MOST or not _finished(section, items):
            continue
        answer = answer_of(section, items)
        question = _question(section, items[0].lead) if items[0].lead else _headed(section, items)
        homeless = not section.page and section.language.structure.small
        counted = (
            re.findall(r"(?<![\w.,-])\d(?![\w.,-])", in_digits(question[0])) if question else []
        )
        whole = len(counted) != 1 or int(counted[0]) == len(top)
        if answer is not None and question is not None and whole and not homeless:
            numbered = section.number(items[0]) and question[1] == "procedure"
            rule = "procedure" if numbered else "list"
            draft = candidate_of(section, question[0], answer, question[1], rule)
            definite = items[0].lead and section.language.structure.definites(question[0])
            named = definite and draft.question
            wording = under_heading(section, draft.wider) if named else draft.question
            yield replace(draft, question=wording)


def _headed(section: Section, items: Sequence[Block]) -> tuple[str, Kind] | None:
    """Return what is asked of a section that is nothing but one list, by page and heading."""
    known, title = section.language.structure, _owner(section)
    whole = len(items) == len(section.body) >= FEWEST_HEADED and section.readable and section.whole
    label = section.outline.plainly_cased(section.heading)
    usable = title and section.language.names(title) and section.language.names(section.heading)
    if not whole or not usable or len(label.encode()) > LONGEST_LABEL or label in title:
        return None
    steps = bool(section.number(items[0]))
    if steps and not (known.ask.steps and known.finds("task", label)):
        return None
    if not steps and any(map(_SENTENCE.search, map(section.text, items))):
        return None
    if not steps and any(len(section.text(item).split()) > LONGEST_NAME for item in items):
        return None
    if any(" " not in text and kind_of(text, known.values) for text in map(section.text, items)):
        return None
    template = known.ask.steps if steps else known.ask.listed
    if not template or not (known.finds("many", label) or section.language.script != "latin"):
        return None
    kind: Kind = "procedure" if steps else "list"
    return template.format(title=title, label=label), kind


def _owner(section: Section) -> str:
    """Return what a section is one of: its page, and the heading above it."""
    above = section.path[-2] if len(section.path) > 1 else ""
    named = above and section.language.names(above) and section.language.script == "latin"
    page = section.page if section.language.names(section.page) else ""
    names = [name for name in (page, above) if name] if named and above not in page else [page]
    return section.language.structure.within.join(names)


def _question(section: Section, lead: str) -> tuple[str, Kind] | None:
    lead = " ".join(lead.split())
    last = lead[sentence_spans(lead)[-1][0] :] if sentence_spans(lead) else lead
    last = _NUMBER.sub("", last.rstrip(" :：。.").strip())
    if not last:
        return None
    known = section.language.structure
    if known.finds("opens", last) or known.is_one("useless", last) or not section.clean(last):
        return None
    first = last.split(maxsplit=1)[0]
    last = section.outline.plainly_cased(first, sentence=True) + last[len(first) :]
    wording = known.question_of(known.leads, last, **section.outline.known)
    if wording is None or len(wording[0].encode()) < SHORTEST_QUESTION:
        return None
    return wording[0], wording[1].kind


def _groups(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Yield the items of each list; code and other blocks inside a list end it."""
    run: list[Block] = []
    for block in (*blocks, None):
        if block is not None and block.kind == "item" and (not run or block.group == run[0].group):
            run.append(block)
            continue
        if run:
            yield run
        run = [block] if block is not None and block.kind == "item" else []


def _finished(section: Section, items: Sequence[Block]) -> bool:
    """Return whether no item leaves open what follows it, and not all only lead elsewhere."""
    texts = [section.text(block) for block in items]
    raw = section.outline.document.text
    offsets = (section.span([block]).start for block in items)
    if all(
        _LINK.fullmatch(raw, raw.rfind("\n", 0, n) + 1, (raw + "\n").index("\n", n))
        for n in offsets
    ):
        return False
    deeper = [following.level > item.level for item, following in pairwise(items)]
    return not any(
        re.search(r"[:：]$", text) and not below
        for text, below in zip(texts, [*deeper, False], strict=True)
    )
