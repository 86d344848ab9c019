"""Drafts from what a model has written for an order."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from testset.checks.draft import Draft
from testset.corpus.passages import Passage
from testset.generation.attempt import Order
from testset.golden.item import Axes, Behaviour, GoldSpan
from testset.golden.spans import LocatedFact, span_in_passage
from testset.requests.question import Stated, Written
from testset.requests.repair import Repaired

BEHAVIOUR: Mapping[str, Behaviour] = {
    "unanswerable": "refuse",
    "underspecified": "clarify",
    "false_premise": "correct_premise",
}
"""Question type -> what a good pipeline does with it; it answers those of other types."""


def stated_fact(fact: LocatedFact) -> Stated:
    """Return a fact as the writer sees it: under its title and headings, or else its document."""
    document = next(iter(fact.span.setting), fact.span.doc_id)
    return Stated(statement=fact.statement, document=document, importance=fact.importance)


def draft_from(order: Order, axes: Axes, written: Written, asks: str) -> Draft:
    """Return what was written as a draft with gold spans.

    Each fact used is a group of its own: all are needed. Of a question that must be asked back, all
    facts are one group: each is a possible answer. An unanswerable question has no gold spans.
    """
    facts: Sequence[LocatedFact] = order.facts
    spans = tuple(dict.fromkeys(facts[number].span for number in written.used))
    gold: tuple[tuple[GoldSpan, ...], ...] = tuple((entry,) for entry in spans)
    if order.stratum.type == "unanswerable":
        gold = ()
    elif order.stratum.type == "underspecified":
        gold = (spans,)
    return Draft(
        question=written.question,
        reference=written.reference,
        kind=order.offer.kind,
        type=order.stratum.type,
        language=axes.language,
        gold=gold,
        facts=written.reference_facts,
        turns=written.history,
        behaviour=BEHAVIOUR.get(order.stratum.type, "answer"),
        style=axes.style,
        verbatim=False,
        asks=asks,
    )


def with_quotes(
    order: Order, repaired: Repaired, passages: Sequence[Passage]
) -> tuple[Order, Written]:
    """Return an order with what a repair quotes besides its facts, and the repair that uses it.

    A quote that stands in none of the passages is left out.
    """
    facts = list(order.facts)
    for quote in repaired.quotes:
        spans = (span_in_passage(quote, passage) for passage in passages)
        span = next(filter(None, spans), None)
        if span is not None:
            facts.append(LocatedFact(quote, span))
    used = (*repaired.used, *range(len(order.facts), len(facts)))
    return replace(order, facts=tuple(facts)), repaired.model_copy(update={"used": used})
