"""Hops needed: is every part of the evidence needed? Else the question has fewer hops."""

from dataclasses import replace

from testset.checks.agreement import says_the_same
from testset.checks.draft import Draft, passed, tagged
from testset.corpus.index import CorpusIndex
from testset.golden.item import Check
from testset.requests.writer import Writer

__all__ = ["hops_needed"]


async def hops_needed(draft: Draft, index: CorpusIndex, writer: Writer) -> tuple[Check, Draft]:
    """Return the verdict, and the draft without the parts of its evidence that it can spare.

    Each smaller subset is tried by leaving out one part after another: what a smaller one
    answers, a larger one answers too. A question that one part answers becomes `single_hop`.
    """
    if draft.type != "multi_hop" or len(draft.gold) < 2:
        return passed("not asked"), draft
    kept = draft.gold
    for group in draft.gold:
        smaller = tuple(entry for entry in kept if entry is not group)
        if not smaller:
            break
        shown = [index.with_heading(entry[0]) for entry in smaller]
        answer = await writer.answer(draft.question, passages=shown, history=draft.turns)
        if not answer.abstains and (await says_the_same(draft, answer.answer, writer))[0]:
            kept = smaller
    if len(kept) == len(draft.gold):
        return passed(f"all {len(kept)} parts are needed"), draft
    relabelled = replace(draft, gold=kept)
    if len(kept) == 1:
        relabelled = replace(relabelled, type="single_hop", kind="")
    return tagged(f"{len(kept)} of {len(draft.gold)} parts answer it"), relabelled
