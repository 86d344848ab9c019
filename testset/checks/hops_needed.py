"""Hops needed: does one passage do? Then the question has fewer hops."""

from collections.abc import Sequence
from dataclasses import replace

from testset.checks.draft import Draft, passed, tagged
from testset.checks.examined import Examiner
from testset.corpus.index import CorpusIndex
from testset.golden.item import Check, GoldSpan

Group = tuple[GoldSpan, ...]
"""Spans of which any will do."""


async def by_model(draft: Draft, index: CorpusIndex, examiner: Examiner) -> tuple[Check, Draft]:
    """Return the verdict, and the draft with the one part of its evidence that does, if one does.

    A part is all that stands in one passage. A question that one passage answers becomes
    `single_hop`.

    Args:
        draft: Not of type "multi_hop", it passes unasked.
        index: The passages.
        examiner: Who reads.
    """
    parts = _parts(draft.gold, index)
    if draft.type != "multi_hop" or not parts:
        return passed("not asked"), draft
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
