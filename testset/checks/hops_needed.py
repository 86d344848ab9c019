"""Hops needed: is every part of the evidence needed? If not, the question has fewer hops."""

from collections.abc import Sequence
from dataclasses import replace

from llamaindex_rag_eval.models.ask_ahead import AskAhead
from testset.checks.answers import agrees_with_reference
from testset.checks.draft import Draft, passed, tagged
from testset.corpus.index import CorpusIndex
from testset.golden.item import Check, GoldSpan
from testset.requests.writer import Writer

__all__ = ["by_model"]

Group = tuple[GoldSpan, ...]
"""Spans of which any will do."""


async def by_model(draft: Draft, index: CorpusIndex, writer: Writer) -> tuple[Check, Draft]:
    """Return the verdict, and the draft without the parts of its evidence that are not needed.

    A part is all that stands in one passage. Parts are left out one after another: what fewer parts
    answer, more parts answer too. A question that one part answers becomes `single_hop`.
    """
    whole = _parts(draft.gold, index)
    if draft.type != "multi_hop" or not whole:
        return passed("not asked"), draft
    if len(whole) == 1:
        return tagged("all stands in one passage"), replace(draft, type="single_hop", kind="")
    kept, ahead = whole, AskAhead()
    for number in whole:
        smaller = {place: part for place, part in kept.items() if place != number}
        if not smaller:
            break
        shown = [index.passages[place].shown for place in smaller]
        with ahead:
            answer = await writer.answer(draft.question, passages=shown, history=draft.turns)
            if answer.abstains:
                continue
            if (await agrees_with_reference(draft, answer.answer, writer))[0]:
                kept = smaller
    ahead.settle()
    if len(kept) == len(whole):
        return passed(f"all {len(kept)} parts are needed"), draft
    left = [group for part in kept.values() for group in part]
    reduced = replace(draft, gold=tuple(group for group in draft.gold if group in left))
    if len(kept) == 1:
        reduced = replace(reduced, type="single_hop", kind="")
    return tagged(f"{len(kept)} of {len(whole)} parts answer it"), reduced


def _parts(gold: Sequence[Group], index: CorpusIndex) -> dict[int, list[Group]]:
    """Return the gold spans by the number of their passage."""
    found: dict[int, list[Group]] = {}
    for group in gold:
        for number in index.passages_at(group[0])[:1]:
            found.setdefault(number, []).append(group)
    return found
