"""Authoring: one slot from its passages to a checked draft, with one repair on the way."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from llamaindex_rag_eval.errors import CallError, ReplyError
from testset.checks import Draft
from testset.checks.run import REPAIRABLE, Bench, Inspected, inspect
from testset.generation.links import links_of
from testset.generation.specs import Slot
from testset.golden.item import Behaviour, Check, GoldSpan
from testset.golden.spans import LocatedFact, located_facts
from testset.requests.question import Stated, Written
from testset.requests.question_types import WRITING
from testset.requests.repair import RepairOf
from testset.requests.writer import Writer

__all__ = ["Attempt", "Author"]

OFFERED = 6
"""Facts of one passage that a writer may choose from."""
OF_EACH = 3
"""Facts of each of several passages."""
BEHAVIOUR: Mapping[str, Behaviour] = {
    "unanswerable": "refuse",
    "underspecified": "clarify",
    "false_premise": "correct_premise",
}


@dataclass(frozen=True)
class Attempt:
    """What became of a slot.

    Attributes:
        slot: The slot.
        draft: What was written, if anything was.
        checks: What the checks found.
        dropped: The check, or the step before the checks, that ended it; empty if it passed.
        reason: Why.
        repaired: Which check it was repaired for.
        broken: Whether the model could not be reached.
    """

    slot: Slot
    draft: Draft | None = None
    checks: Mapping[str, Check] = field(default_factory=dict)
    dropped: str = ""
    reason: str = ""
    repaired: str = ""
    broken: bool = False


@dataclass(frozen=True)
class Author:
    """Write and verify.

    Attributes:
        writer: Who writes.
        bench: Who verifies, and what against.
        examples: Questions whose manner is liked.
        common: Sentences that stand in several documents: nobody asks about them.
    """

    writer: Writer
    bench: Bench
    examples: tuple[str, ...] = ()
    common: frozenset[str] = frozenset()

    async def attempt(self, slot: Slot, avoid: Sequence[str]) -> Attempt:
        """Return what becomes of a slot; a reply that cannot be used costs this slot alone.

        Raises:
            BudgetError: The budget is spent.
        """
        try:
            return await self._attempt(slot, avoid)
        except ReplyError as error:
            return Attempt(slot, dropped="reply", reason=str(error))
        except CallError as error:
            return Attempt(slot, dropped="call", reason=str(error), broken=True)

    async def _attempt(self, slot: Slot, avoid: Sequence[str]) -> Attempt:
        request_type = WRITING[slot.type]  # type: ignore[index]  # a slot's type is a question type
        facts, kind = await self._facts(slot)
        if len(facts) < request_type.least:
            return Attempt(slot, dropped="facts", reason=kind or "too few facts with true quotes")
        stated = tuple(Stated(statement=f.statement, document=f.span.doc_id) for f in facts)
        written = await self.writer.question(
            request_type(
                facts=stated,
                language=slot.language,
                kind=kind,
                persona=slot.persona,
                style=slot.style,
                length=slot.length,
                aside=await self._aside(slot),
                examples=self.examples,
                avoid=tuple(avoid),
            )
        )
        found = await inspect(draft_of(slot, kind, facts, written), self.bench)
        if found.failed not in REPAIRABLE:
            return _attempt(slot, found)
        return await self._repaired(slot, kind, facts, written, found)

    async def _repaired(
        self,
        slot: Slot,
        kind: str,
        facts: Sequence[LocatedFact],
        written: Written,
        found: Inspected,
    ) -> Attempt:
        """Ask once for the item without its fault, and make all checks again."""
        mended = await self.writer.repair(
            RepairOf(
                facts=tuple(Stated(statement=f.statement, document=f.span.doc_id) for f in facts),
                type=slot.type,
                language=slot.language,
                question=written.question,
                reference=written.reference,
                fault=f"{found.failed}: {found.reason}",
                history=written.history,
            )
        )
        again = await inspect(draft_of(slot, kind, facts, mended), self.bench)
        return _attempt(slot, again, repaired=found.failed)

    async def _facts(self, slot: Slot) -> tuple[tuple[LocatedFact, ...], str]:
        """Return the facts to offer and the kind of question; or no facts, and why."""
        groups = await asyncio.gather(*(self._of_passage(number) for number in slot.passages))
        if len(groups) == 1:
            return _turned(groups[0], slot.turn)[:OFFERED], slot.kind
        if any(not group for group in groups):
            return (), "a passage states no fact with a true quote"
        if slot.type not in ("multi_hop", "conflict"):
            taken = [fact for group in groups for fact in _turned(group, slot.turn)[:OF_EACH]]
            return tuple(taken), slot.kind
        return _joined(slot, groups[0], groups[1])

    async def _of_passage(self, number: int) -> tuple[LocatedFact, ...]:
        passage = self.bench.index.passages[number]
        facts = await self.writer.facts(passage.text, headings=passage.headings)
        found = located_facts(facts, passage)
        return tuple(f for f in found if " ".join(f.span.quote.split()) not in self.common)

    async def _aside(self, slot: Slot) -> str:
        """Return a statement of another document, taken as it stands: it costs no call."""
        if slot.aside is None:
            return ""
        sentences = self.bench.index.passages[slot.aside].sentences
        return sentences[slot.turn % len(sentences)].text if sentences else ""


def _joined(
    slot: Slot, firsts: Sequence[LocatedFact], seconds: Sequence[LocatedFact]
) -> tuple[tuple[LocatedFact, ...], str]:
    """Return the facts of the best link first, and what kind of question it makes."""
    links = links_of(firsts, seconds)
    if slot.type == "conflict":
        links = tuple(link for link in links if link.kind == "conflict")
        if not links:
            return (), "no two facts of these documents disagree"
    others = [link for link in links if link.kind == slot.kind] or list(links)
    if not others:
        best = (*_turned(firsts, slot.turn)[:OF_EACH], *_turned(seconds, slot.turn)[:OF_EACH])
        return best, "across"
    link = others[0]
    rest = (*_turned(firsts, slot.turn)[:2], *_turned(seconds, slot.turn)[:2])
    best = (link.first, link.second, *(f for f in rest if f not in (link.first, link.second)))
    return best, "" if slot.type == "conflict" else link.kind


def _turned(facts: Sequence[LocatedFact], turn: int) -> tuple[LocatedFact, ...]:
    """Return facts begun at another place, so that not all questions are on the first one."""
    at = turn % len(facts) if facts else 0
    return (*facts[at:], *facts[:at])


def _attempt(slot: Slot, found: Inspected, *, repaired: str = "") -> Attempt:
    return Attempt(slot, found.draft, found.checks, found.failed, found.reason, repaired)


def draft_of(slot: Slot, kind: str, facts: Sequence[LocatedFact], written: Written) -> Draft:
    """Return what was written as a draft, its evidence at its places in the documents.

    Every fact used is needed, but for a question that must be asked back: there each is one of
    the answers. A question without an answer has no evidence.
    """
    spans = tuple(dict.fromkeys(facts[number].span for number in written.used))
    gold: tuple[tuple[GoldSpan, ...], ...] = tuple((entry,) for entry in spans)
    if slot.type == "unanswerable":
        gold = ()
    elif slot.type == "underspecified":
        gold = (spans,)
    return Draft(
        question=written.question,
        reference=written.reference,
        kind=kind,
        type=slot.type,
        language=slot.language,
        gold=gold,
        facts=written.reference_facts,
        turns=written.history,
        behaviour=BEHAVIOUR.get(slot.type, "answer"),
        style=slot.style,
        verbatim=False,
    )
