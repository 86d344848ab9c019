"""Retrievable: is the evidence among the 50 passages that a search finds first?

Not among the first one only: that would keep none but easy questions. Of a multi-hop question one
part has to be found: what it says leads to the others, whose words the question may lack.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from testset.checks.cross_lingual import is_cross_lingual
from testset.checks.draft import Draft, passed, rejected
from testset.corpus.index import CorpusIndex
from testset.golden.item import Check

DEPTH = 50
"""Passages of a search among which the evidence must be."""


def by_words(draft: Draft, index: CorpusIndex) -> Check:
    """Reject a question whose evidence a search by words does not find."""
    if not draft.gold:
        return passed("nothing to retrieve")
    ranks: list[float] = []
    for group in draft.gold:
        ranks.append(index.bm25.rank(draft.question, index.passages_at(*group)) or math.inf)
    decisive = min(ranks) if draft.type == "multi_hop" else max(ranks)
    if decisive > DEPTH:
        return rejected(f"not among the best {DEPTH}", score=0.0)
    return passed(f"rank {decisive}", score=1 / decisive)


def by_either(draft: Draft, index: CorpusIndex) -> Check:
    """Reject a question, with its conversation, whose evidence no retriever finds.

    A question in another language than its evidence passes: no search by words can find that.
    """
    if draft.gold and is_cross_lingual(draft, index):
        return passed("asked in another language")
    turns = (f"{turn.question} {turn.answer}" for turn in draft.turns)
    query = " ".join([draft.question, *turns])
    check = by_words(replace(draft, question=query), index)
    if check.verdict == "rejected":
        if _holds_enough(draft, index, index.search(query, k=DEPTH)):
            return passed(f"among the best {DEPTH} by vectors", score=1 / DEPTH)
        if draft.hits is not None and _holds_enough(draft, index, draft.retrieved):
            return passed(f"found by {draft.hits.by}", score=1 / DEPTH)
    return check


def _holds_enough(draft: Draft, index: CorpusIndex, numbers: Sequence[int]) -> bool:
    """Return whether passages show the first span of each gold group; of one, if multi-hop."""
    enough = any if draft.type == "multi_hop" else all
    return enough(set(numbers) & set(index.passages_at(group[0])) for group in draft.gold)
