"""Inspection: the cascade for what a model wrote, on the final text, cheapest first.

Rules look first; what they pass, models look at, from one call up. Checks after the first
rejection are not made.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from llamaindex_rag_eval.judge import Judge, SupportOf
from llamaindex_rag_eval.models.request import Request
from testset.checks import (
    Asked,
    Draft,
    alternatives,
    closed_book,
    critics_agree,
    duplicate,
    grounded,
    hops_needed,
    lint,
    proved_unanswerable,
    read_back,
    retrievable,
    span,
    understood,
)
from testset.checks.draft import passed
from testset.corpus.index import CorpusIndex
from testset.golden.item import Check
from testset.requests.alternatives import AlternativesOf
from testset.requests.answer import AnswerOf
from testset.requests.critic import CriticOf
from testset.requests.needs import NeedsOf
from testset.requests.writer import Writer

__all__ = ["REPAIRABLE", "Bench", "Inspected", "inspect"]

REPAIRABLE = frozenset({"self_contained", "grounded", "alternative_gold"})
"""Checks whose reason tells a writer what to change."""
_ASKED: Mapping[str, type[Request[Any]]] = {
    "self_contained": NeedsOf,
    "round_trip": AnswerOf,
    "grounded": SupportOf,
    "hops_needed": AnswerOf,
    "alternative_gold": AlternativesOf,
    "unanswerable": AlternativesOf,
    "closed_book": AnswerOf,
    "critics_agree": CriticOf,
}
"""Check -> what it asks a model, which tells who judged."""


@dataclass(frozen=True)
class Bench:
    """What an inspection works with.

    Attributes:
        index: The documents.
        asked: The questions accepted so far.
        writer: Who verifies.
        usual: The median nearness of answerable questions so far.
    """

    index: CorpusIndex
    asked: Asked
    writer: Writer
    usual: float = 0.0


@dataclass(frozen=True, slots=True)
class Inspected:
    """What the checks came to: the draft, its evidence settled, and every check in order."""

    draft: Draft
    checks: Mapping[str, Check]

    @property
    def failed(self) -> str:
        """The name of the check that turned it down; empty if none did."""
        return next((n for n, c in self.checks.items() if c.verdict == "rejected"), "")

    @property
    def reason(self) -> str:
        """Why it was turned down; empty if it was not."""
        return self.checks[self.failed].evidence if self.failed else ""


async def inspect(draft: Draft, bench: Bench) -> Inspected:
    """Return what all checks find, up to the first rejection."""
    checks: dict[str, Check] = {}
    for name, step in _STEPS.items():
        check, draft = await step(draft, bench)
        checks[name] = _signed(name, check, bench.writer)
        if check.verdict == "rejected":
            break
    return Inspected(draft, checks)


def _signed(name: str, check: Check, writer: Writer) -> Check:
    """Return a check with who made it, where a model may have."""
    request = _ASKED.get(name)
    if request is None or check.evidence == "not asked":
        return check
    return check.model_copy(update={"who": writer.oracle.fingerprint(request)})


Step = Callable[[Draft, Bench], Awaitable[tuple[Check, Draft]]]


async def _by_rule(draft: Draft, check: Check) -> tuple[Check, Draft]:
    return check, draft


async def _same_draft(draft: Draft, check: Awaitable[Check]) -> tuple[Check, Draft]:
    return await check, draft


async def _retrievable(draft: Draft, bench: Bench) -> tuple[Check, Draft]:
    """Look among the best of both retrievers; words cannot be looked for in another language."""
    holding = [n for group in draft.gold for n in bench.index.passages_at(group[0])]
    if any(bench.index.passages[n].language != draft.language for n in holding):
        return passed("asked in another language"), draft
    said = " ".join([draft.question, *(t.question + " " + t.answer for t in draft.turns)])
    check = retrievable(replace(draft, question=said), bench.index)
    if check.verdict == "rejected":
        near = set(bench.index.search(said, k=50))
        if all(near & set(bench.index.passages_at(group[0])) for group in draft.gold):
            return passed("among the best 50 by vectors", score=1 / 50), draft
    return check, draft


async def _grounded(draft: Draft, bench: Bench) -> tuple[Check, Draft]:
    """Look for every fact in the evidence under its headings.

    Of a question that must be asked back, the facts are what it may mean: each stands in one of
    the spans, so all of them are shown.
    """
    groups = draft.gold
    if draft.behaviour == "clarify":
        if not draft.facts:
            return passed("not asked"), draft
        groups = tuple((entry,) for group in draft.gold for entry in group)
    shown = tuple(
        tuple(s.model_copy(update={"quote": bench.index.with_heading(s)}) for s in group)
        for group in groups
    )
    return await grounded(replace(draft, gold=shown), Judge(bench.writer.oracle)), draft


async def _alternatives(draft: Draft, bench: Bench) -> tuple[Check, Draft]:
    check, spans = await alternatives(draft, bench.index, bench.writer)
    if spans:
        draft = replace(draft, gold=((*draft.gold[0], *spans), *draft.gold[1:]))
    return check, draft


_STEPS: Mapping[str, Step] = {
    "lint": lambda draft, _: _by_rule(draft, lint(draft)),
    "span": lambda draft, bench: _by_rule(draft, span(draft, bench.index)),
    "duplicate": lambda draft, bench: _by_rule(draft, duplicate(draft, bench.asked)),
    "retrievable": _retrievable,
    "self_contained": lambda draft, b: _same_draft(draft, understood(draft, b.writer)),
    "round_trip": lambda draft, b: _same_draft(draft, read_back(draft, b.index, b.writer)),
    "grounded": _grounded,
    "hops_needed": lambda draft, b: hops_needed(draft, b.index, b.writer),
    "alternative_gold": _alternatives,
    "unanswerable": lambda draft, b: _same_draft(
        draft, proved_unanswerable(draft, b.index, b.writer, usual=b.usual)
    ),
    "closed_book": lambda draft, b: _same_draft(draft, closed_book(draft, b.writer)),
    "critics_agree": lambda draft, b: _same_draft(draft, critics_agree(draft, b.index, b.writer)),
}
