"""Hops needed: is all evidence needed? If one passage does, the question has fewer hops."""

from collections.abc import Sequence
from dataclasses import replace

from testset.checks.draft import Draft, passed, tagged
from testset.checks.examined import Examiner
from testset.corpus.index import CorpusIndex
from testset.golden.item import Check, GoldSpan

Group = tuple[GoldSpan, ...]
"""Spans of which any will do."""


async def by_model(draft: Draft, index: CorpusIndex, examiner: Examiner) -> tuple[Check, Draft]:
    """Return the verdict, and the draft with the evidence that its proof needs.

    A part is all that stands in one passage. A question of type "multi_hop" that one passage
    answers becomes `single_hop`.

    Args:
        draft: With one piece of evidence at most, it passes unasked.
        index: The passages.
        examiner: Who reads.
    """
    gold = await examiner.needed(draft) if len(draft.gold) > 1 else draft.gold
    spare, draft = len(draft.gold) - len(gold), replace(draft, gold=gold)
    parts = _parts(gold, index)
    if draft.type != "multi_hop" or not parts:
        return passed(f"evidence left out: {spare}" if spare else "not asked"), draft
    if len(parts) == 1:
        return tagged("all stands in one passage"), replace(draft, type="single_hop", kind="")
    for number, entry in (await examiner.findings(draft)).items():
        if entry is not None and entry.kind == "same":
            gold = tuple(parts.get(number, draft.gold))
            reduced = replace(draft, gold=gold, type="single_hop", kind="")
            return tagged(f"one passage alone answers it: {entry.quote[:160]!r}"), reduced
    return passed(f"all {len(parts)} parts are needed"), draft


def _parts(gold: Sequence[Group], index: CorpusIndex) -> dict[int, list[Group]]:
    """Return the gold spans by the number of their passage."""
    parts: dict[int, list[Group]] = {}
    for group in gold:
        for number in index.passages_at(group[0])[:1]:
            parts.setdefault(number, []).append(group)
    return parts
