"""Drafts from what a model has written of what it has proposed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from testset.checks.draft import Draft
from testset.corpus.passages import Passage
from testset.generation.quotas import Stratum
from testset.golden.item import Axes, Behaviour
from testset.golden.spans import LocatedFact, span_in_passage
from testset.requests.proposals import Offer
from testset.requests.question import Stated, Written
from testset.requests.repair import Repaired

BEHAVIOUR: Mapping[str, Behaviour] = {
    "unanswerable": "refuse",
    "underspecified": "clarify",
    "false_premise": "correct_premise",
}
"""Question type -> what a good pipeline does with it; it answers those of other types."""


@dataclass(frozen=True)
class ModelProposal:
    """A question that a model would ask, with its facts.

    Attributes:
        stratum: Its topic and type.
        passages: The numbers of the passages it is about.
        offer: What it would ask, and who.
        facts: The facts of the answer, vital ones first.
    """

    stratum: Stratum
    passages: tuple[int, ...]
    offer: Offer
    facts: tuple[LocatedFact, ...]

    @property
    def stated(self) -> tuple[Stated, ...]:
        """Its facts as a writer sees them: under their title and headings, or else document."""
        return tuple(
            Stated(
                statement=fact.statement,
                document=next(iter(fact.span.setting), fact.span.doc_id),
                importance=fact.importance,
            )
            for fact in self.facts
        )

    @property
    def traits(self) -> Mapping[str, str]:
        """What it is, by the axes of a target."""
        offer = self.offer
        who = {"kind": offer.kind or "none", "user": offer.persona or "nobody"}
        return {**self.stratum.traits, **who}


def draft_from(proposal: ModelProposal, axes: Axes, written: Written, asks: str) -> Draft:
    """Return what was written as a draft with gold spans.

    Each fact used is a group of its own: all are needed. Of a question that must be asked back, all
    facts are one group: each is a possible answer. An unanswerable question has no gold spans.
    """
    spans = tuple(dict.fromkeys(proposal.facts[number].span for number in written.used))
    groups = {"unanswerable": (), "underspecified": (spans,)}
    gold = groups.get(proposal.stratum.type, tuple((span,) for span in spans))
    return Draft(
        question=written.question,
        reference=written.reference,
        kind=proposal.offer.kind,
        type=proposal.stratum.type,
        language=axes.language,
        gold=gold,
        facts=written.reference_facts,
        turns=written.history,
        behaviour=BEHAVIOUR.get(proposal.stratum.type, "answer"),
        style=axes.style,
        verbatim=False,
        asks=asks,
    )


def with_quotes(
    proposal: ModelProposal, repaired: Repaired, passages: Sequence[Passage]
) -> tuple[ModelProposal, Written]:
    """Return a proposal with what a repair quotes besides its facts, and the repair that uses it.

    A quote that stands in none of the passages is left out.
    """
    facts = list(proposal.facts)
    for quote in repaired.quotes:
        spans = (span_in_passage(quote, passage) for passage in passages)
        span = next(filter(None, spans), None)
        if span is not None:
            facts.append(LocatedFact(quote, span))
    used = (*repaired.used, *range(len(proposal.facts), len(facts)))
    return replace(proposal, facts=tuple(facts)), repaired.model_copy(update={"used": used})
