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


async def by_model(draft: Draft, index: CorpusIndex, writer: Writer) -> tuple[Check, Draft]:
    """Return the verdict, and the draft without the parts of its evidence that are not needed.

    Parts are left out one after another: what fewer parts answer, more parts answer too. A
    question that one part answers becomes `single_hop`.
    """
    if draft.type != "multi_hop" or len(draft.gold) < 2:
        return passed("not asked"), draft
    kept, ahead = draft.gold, AskAhead()
    for group in draft.gold:
        smaller = tuple(entry for entry in kept if entry is not group)
        if not smaller:
            break
        shown = _passages([entry[0] for entry in smaller], index)
        with ahead:
            answer = await writer.answer(draft.question, passages=shown, history=draft.turns)
            if answer.abstains:
                continue
            if (await agrees_with_reference(draft, answer.answer, writer))[0]:
                kept = smaller
    ahead.settle()
    if len(kept) == len(draft.gold):
        return passed(f"all {len(kept)} parts are needed"), draft
    reduced = replace(draft, gold=kept)
    if len(kept) == 1:
        reduced = replace(reduced, type="single_hop", kind="")
    return tagged(f"{len(kept)} of {len(draft.gold)} parts answer it"), reduced


def _passages(spans: Sequence[GoldSpan], index: CorpusIndex) -> list[str]:
    """Return the whole passages of spans, each once: what stands around a span may answer, too."""
    found = (index.passages_at(span)[:1] for span in spans)
    numbers = dict.fromkeys(number for group in found for number in group)
    return [index.passages[number].shown for number in numbers]
