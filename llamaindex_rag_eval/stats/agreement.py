"""Agreement of two raters beyond chance: Cohen's kappa."""

from collections.abc import Hashable, Sequence
from typing import Literal

import numpy as np

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.sample_values import Floats, same_length

__all__ = ["KappaWeights", "cohen_kappa"]


KappaWeights = Literal["nominal", "linear", "quadratic"]


def cohen_kappa(
    left: Sequence[Hashable],
    right: Sequence[Hashable],
    *,
    weights: KappaWeights = "nominal",
    labels: Sequence[Hashable] | None = None,
) -> float | None:
    """Return 1 - observed disagreement / disagreement expected by chance.

    Sources: Cohen (1960), "A Coefficient of Agreement for Nominal Scales"; Cohen (1968),
    "Weighted Kappa".

    Args:
        left: Labels of one rater, item by item.
        right: Labels of the other on the same items.
        weights: `nominal` counts every disagreement alike; `linear` and `quadratic` by the
            distance between the places of the two labels, or by its square.
        labels: All labels in their order. If None, those that occur, sorted.

    Returns:
        A number in [-1, 1], higher is better: 1 all agree, 0 as by chance. None without items, or
        if both raters gave one and the same label throughout, for chance then agrees as well.

    Raises:
        InputError: The lists do not fit, a label is not among `labels`, or labels that cannot be
            sorted come without `labels`.

    Example:
        >>> cohen_kappa([1, 1, 0, 0], [1, 1, 1, 0])
        0.5
    """
    same_length(left, right)
    if not left:
        return None
    table = _counts(left, right, _places(left, right, labels))
    disagreement = _disagreement(len(table), weights)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    chance = float((disagreement * expected).sum())
    return 1 - float((disagreement * table).sum()) / chance if chance else None


def _places(
    left: Sequence[Hashable], right: Sequence[Hashable], labels: Sequence[Hashable] | None
) -> dict[Hashable, int]:
    given = {*left, *right}
    if labels is None:
        try:
            labels = sorted(given)  # type: ignore[type-var]  # what cannot be sorted is caught
        except TypeError:
            raise InputError(f"cannot sort labels {given!r}; give `labels` in order") from None
    places = {label: place for place, label in enumerate(labels)}
    if unknown := given - places.keys():
        raise InputError(f"labels {unknown!r} are not among {list(labels)!r}")
    return places


def _counts(
    left: Sequence[Hashable], right: Sequence[Hashable], places: dict[Hashable, int]
) -> Floats:
    table = np.zeros((len(places), len(places)))
    for a, b in zip(left, right, strict=True):
        table[places[a], places[b]] += 1
    return table


def _disagreement(size: int, weights: KappaWeights) -> Floats:
    places = np.arange(size, dtype=np.float64)
    gaps = np.abs(places[:, None] - places[None, :])
    if weights == "nominal":
        return (gaps > 0).astype(np.float64)
    if weights == "linear":
        return gaps
    if weights == "quadratic":
        return np.square(gaps)
    raise InputError(f"weights must be 'nominal', 'linear' or 'quadratic', got {weights!r}")
