"""Agreement: do two reviewers decide alike on the same items?"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from llamaindex_rag_eval.stats.agreement import cohen_kappa
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
    last = {
        (entry.reviewer, entry.item_id): entry.action
        for entry in standing_decisions(decisions)
        if entry.reviewer
    }
    names = sorted({reviewer for reviewer, _ in last})
    shared = Counter(
        {
            pair: len({i for r, i in last if r == pair[0]} & {i for r, i in last if r == pair[1]})
            for pair in combinations(names, 2)
        }
    )
    if not any(shared.values()):
        return None
    first, second = shared.most_common(1)[0][0]
    items = sorted({i for r, i in last if r == first} & {i for r, i in last if r == second})
    left, right = [last[first, i] for i in items], [last[second, i] for i in items]
    same = sum(a == b for a, b in zip(left, right, strict=True))
    return Agreement((first, second), len(items), same, cohen_kappa(left, right))
