"""Agreement of two raters beyond chance: Cohen's kappa."""

from collections.abc import Hashable, Sequence

import numpy as np

from llamaindex_rag_eval.stats.sample_values import same_length


def cohen_kappa(left: Sequence[Hashable], right: Sequence[Hashable]) -> float | None:
    """Return 1 - observed disagreement / disagreement expected by chance.

    Source: Cohen (1960), "A Coefficient of Agreement for Nominal Scales".

    Args:
        left: Labels of one rater, item by item.
        right: Labels of the other on the same items.

    Returns:
        A number in [-1, 1], higher is better: 1 all agree, 0 as by chance. None without items, or
        if both raters gave one and the same label throughout, for chance then agrees as well.

    Raises:
        InputError: The lists differ in length.

    Example:
        >>> cohen_kappa([1, 1, 0, 0], [1, 1, 1, 0])
        0.5
    """
    same_length(left, right)
    if not left:
        return None
    numbers = {label: number for number, label in enumerate(sorted({*left, *right}, key=repr))}
    table = np.zeros((len(numbers), len(numbers)))
    for a, b in zip(left, right, strict=True):
        table[numbers[a], numbers[b]] += 1
    apart = 1 - np.eye(len(numbers))
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    chance = float((apart * expected).sum())
    return 1 - float((apart * table).sum()) / chance if chance else None
