"""Agreement: do two reviewers decide alike on the same items?"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from llamaindex_rag_eval.stats.raters import cohen_kappa
from testset.review.decisions import Decision, standing_decisions


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two reviewers agree on whether to accept, edit or reject.

    Attributes:
        reviewers: The two who have most items in common.
        items: The items on which both have a decision that stands.
        same: On how many of them it is the same one.
        kappa: Cohen's kappa, in [-1, 1], higher is better; `None` if both always gave one and the
            same decision.
    """

    reviewers: tuple[str, str]
    items: int
    same: int
    kappa: float | None

    def __str__(self) -> str:
        """Say it in words."""
        kappa = "undefined: one decision throughout" if self.kappa is None else f"{self.kappa:.2f}"
        who = " and ".join(self.reviewers)
        return f"{who}: {self.same} of {self.items} decisions are the same, Cohen's kappa {kappa}"


def agreement_of(decisions: Iterable[Decision]) -> Agreement | None:
    """Return the agreement of two named reviewers; `None` if no two share an item.

    Of several decisions of a reviewer on an item, the last that stands counts.
    """
    actions: dict[str, dict[str, str]] = defaultdict(dict)
    for entry in standing_decisions(decisions):
        if entry.reviewer:
            actions[entry.reviewer][entry.item_id] = entry.action
    shared = {
        pair: sorted(actions[pair[0]].keys() & actions[pair[1]].keys())
        for pair in combinations(sorted(actions), 2)
    }
    pair = max(shared, key=lambda pair: len(shared[pair]), default=None)
    if pair is None or not shared[pair]:
        return None
    left, right = ([actions[reviewer][item_id] for item_id in shared[pair]] for reviewer in pair)
    same = sum(a == b for a, b in zip(left, right, strict=True))
    return Agreement(pair, len(shared[pair]), same, cohen_kappa(left, right))
