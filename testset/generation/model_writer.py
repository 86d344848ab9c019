"""The model writer: from a question spec to a checked draft, with one repair in between."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from llamaindex_rag_eval.errors import CallError, ReplyError
from llamaindex_rag_eval.models.ask_ahead import gather_all
from testset.checks.draft import Draft
from testset.checks.run import NOT_REPAIRED, CheckContext, CheckReport, run_model_checks
from testset.generation.links import links_of
from testset.generation.specs import QuestionSpec
from testset.golden.item import Behaviour, Check, GoldSpan
from testset.golden.spans import LocatedFact, located_facts
from testset.requests.question import Stated, Written
from testset.requests.question_types import WRITING
from testset.requests.repair import RepairOf
from testset.requests.writer import Writer

__all__ = ["Attempt", "ModelWriter"]

OFFERED = 6
"""Facts that a writer may choose from, of one passage."""
OF_EACH = 3
"""The same of each of several passages."""
BEHAVIOUR: Mapping[str, Behaviour] = {
    "unanswerable": "refuse",
    "underspecified": "clarify",
    "false_premise": "correct_premise",
}
"""Question type -> what a good pipeline does with it; it answers those of other types."""


@dataclass(frozen=True)
class Attempt:
    """An attempt to write the question of a spec.

    Attributes:
        spec: The spec.
        draft: The question as it was written last; `None` if none was.
        checks: What each check found.
        rejected_by: The check that rejected it, or the step that failed before the checks;
            empty if it passed.
        reason: Why it was rejected; empty if it passed.
        repaired: The check for which it was repaired; empty if it was not.
        unreachable: Whether the model could not be reached.
    """

    spec: QuestionSpec
    draft: Draft | None = None
    checks: Mapping[str, Check] = field(default_factory=dict)
    rejected_by: str = ""
    reason: str = ""
    repaired: str = ""
    unreachable: bool = False


@dataclass(frozen=True)
class ModelWriter:
    """Write questions from specs and check them.

    Attributes:
        writer: Who writes.
        context: What the checks work with, the verifier among it.
        examples: Questions to take as examples of the manner.
        boilerplate: Sentences that stand in several documents; no question is about them.
    """

    writer: Writer
    context: CheckContext
    examples: tuple[str, ...] = ()
    boilerplate: frozenset[str] = frozenset()

    async def attempt(self, spec: QuestionSpec, avoid: Sequence[str]) -> Attempt:
        """Write and check one question; an unusable reply fails this attempt alone.

        Raises:
            BudgetError: The budget is spent.
            PendingError: A reply is not in a batch file yet.
        """
        try:
            return await self._attempt(spec, avoid)
        except ReplyError as error:
            return Attempt(spec, rejected_by="reply", reason=str(error))
        except CallError as error:
            return Attempt(spec, rejected_by="call", reason=str(error), unreachable=True)

    async def _attempt(self, spec: QuestionSpec, avoid: Sequence[str]) -> Attempt:
        request_type = WRITING[spec.type]  # type: ignore[index]  # a spec's type is a question type
        facts, kind = await self.facts(spec)
        if len(facts) < request_type.least:
            return Attempt(
                spec,
                rejected_by="facts",
                reason=kind or "too few facts could be located word for word",
            )
        stated = tuple(Stated(statement=f.statement, document=f.span.doc_id) for f in facts)
        written = await self.writer.question(
            request_type(
                facts=stated,
                language=spec.language,
                kind=kind,
                persona=spec.persona,
                style=spec.style,
                length=spec.length,
                aside=self._distracting_remark(spec),
                examples=self.examples,
                avoid=tuple(avoid),
            )
        )
        report = await run_model_checks(draft_of(spec, kind, facts, written), self.context)
        if not report.rejected_by or report.rejected_by in NOT_REPAIRED:
            return _checked_attempt(spec, report)
        return await self._repair(spec, kind, facts, written, report)

    async def _repair(
        self,
        spec: QuestionSpec,
        kind: str,
        facts: Sequence[LocatedFact],
        written: Written,
        report: CheckReport,
    ) -> Attempt:
        """Ask once for the item without its fault, and run all checks again."""
        repaired = await self.writer.repair(
            RepairOf(
                facts=tuple(Stated(statement=f.statement, document=f.span.doc_id) for f in facts),
                type=spec.type,
                language=spec.language,
                question=written.question,
                reference=written.reference,
                fault=f"{report.rejected_by}: {report.reason}",
                history=written.history,
                persona=spec.persona,
                style=spec.style,
            )
        )
        again = await run_model_checks(draft_of(spec, kind, facts, repaired), self.context)
        return _checked_attempt(spec, again, repaired=report.rejected_by)

    async def facts(self, spec: QuestionSpec) -> tuple[tuple[LocatedFact, ...], str]:
        """Return the facts to choose from and the kind of question; or no facts, and the reason."""
        groups = await gather_all(*(self._facts_of(number) for number in spec.passages))
        if len(groups) == 1:
            return _rotated(groups[0], spec.rotation)[:OFFERED], spec.kind
        if any(not group for group in groups):
            return (), "no fact in a passage could be located word for word"
        if spec.type not in ("multi_hop", "conflict"):
            taken = [fact for group in groups for fact in _rotated(group, spec.rotation)[:OF_EACH]]
            return tuple(taken), spec.kind
        return _linked_facts(spec, groups[0], groups[1])

    async def _facts_of(self, number: int) -> tuple[LocatedFact, ...]:
        passage = self.context.index.passages[number]
        facts = await self.writer.facts(passage.text, headings=passage.path)
        found = located_facts(facts, passage)
        return tuple(f for f in found if " ".join(f.span.quote.split()) not in self.boilerplate)

    def _distracting_remark(self, spec: QuestionSpec) -> str:
        """Return a sentence of another document, word for word: no model is asked for it."""
        if spec.distractor is None:
            return ""
        sentences = self.context.index.passages[spec.distractor].sentences
        return sentences[spec.rotation % len(sentences)].text if sentences else ""


def _linked_facts(
    spec: QuestionSpec, firsts: Sequence[LocatedFact], seconds: Sequence[LocatedFact]
) -> tuple[tuple[LocatedFact, ...], str]:
    """Return the facts, those of the best link first, and the kind of question they make."""
    links = links_of(firsts, seconds)
    if spec.type == "conflict":
        links = tuple(link for link in links if link.kind == "conflict")
        if not links:
            return (), "no two facts of these documents disagree"
    others = [link for link in links if link.kind == spec.kind] or list(links)
    if not others:
        best = (
            *_rotated(firsts, spec.rotation)[:OF_EACH],
            *_rotated(seconds, spec.rotation)[:OF_EACH],
        )
        return best, "across"
    link = others[0]
    rest = (*_rotated(firsts, spec.rotation)[:2], *_rotated(seconds, spec.rotation)[:2])
    best = (link.first, link.second, *(f for f in rest if f not in (link.first, link.second)))
    return best, "" if spec.type == "conflict" else link.kind


def _rotated(facts: Sequence[LocatedFact], rotation: int) -> tuple[LocatedFact, ...]:
    """Return the facts from another one on, so that not all questions are about the first."""
    at = rotation % len(facts) if facts else 0
    return (*facts[at:], *facts[:at])


def _checked_attempt(spec: QuestionSpec, report: CheckReport, *, repaired: str = "") -> Attempt:
    return Attempt(spec, report.draft, report.checks, report.rejected_by, report.reason, repaired)


def draft_of(
    spec: QuestionSpec, kind: str, facts: Sequence[LocatedFact], written: Written
) -> Draft:
    """Return what was written as a draft with gold spans.

    Each fact used is a group of its own: all are needed. Of a question that must be asked back, all
    facts are one group: each is a possible answer. An unanswerable question has no gold spans.
    """
    spans = tuple(dict.fromkeys(facts[number].span for number in written.used))
    gold: tuple[tuple[GoldSpan, ...], ...] = tuple((entry,) for entry in spans)
    if spec.type == "unanswerable":
        gold = ()
    elif spec.type == "underspecified":
        gold = (spans,)
    return Draft(
        question=written.question,
        reference=written.reference,
        kind=kind,
        type=spec.type,
        language=spec.language,
        gold=gold,
        facts=written.reference_facts,
        turns=written.history,
        behaviour=BEHAVIOUR.get(spec.type, "answer"),
        style=spec.style,
        verbatim=False,
    )
