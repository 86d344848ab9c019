"""Agreement of raters beyond chance: Cohen's kappa of two, Krippendorff's alpha of any number."""

from collections.abc import Hashable, Sequence
from typing import Literal

import numpy as np

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.sample_values import Floats, same_length

__all__ = ["KappaWeights", "Scale", "cohen_kappa", "krippendorff_alpha"]


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


Scale = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(
    ratings: Sequence[Sequence[float | None]], *, scale: Scale = "nominal"
) -> float | None:
    """Return 1 - observed disagreement / disagreement expected by chance.

    Source: Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability",
    https://repository.upenn.edu/handle/20.500.14332/2089.

    Args:
        ratings: One row a rater, one column an item; None where a rater gave no rating. Label
            categories by numbers; on the nominal scale their size means nothing.
        scale: What the distance of two ratings is: `nominal` 0 or 1, `ordinal` the ratings
            between them, `interval` the square of their difference.

    Returns:
        A number up to 1, higher is better: 1 all agree, 0 as by chance, below 0 worse than
        chance. None if no item has two ratings, or all ratings are the same.

    Raises:
        InputError: The rows differ in length, a rating is not finite, or no such scale.

    Example:
        >>> krippendorff_alpha([[0, 1, 1, None], [0, 1, 0, 1]])  # 1 - 5·2 / (2·3·3)
        0.4444444444444444
    """
    if scale not in ("nominal", "ordinal", "interval"):
        raise InputError(f"scale must be 'nominal', 'ordinal' or 'interval', got {scale!r}")
    values, counts = _value_counts(ratings)
    coincidences = _coincidences(counts)
    totals = coincidences.sum(axis=1)
    distance = _distance(values, totals, scale)
    expected = float((np.outer(totals, totals) * distance).sum())
    if not expected:
        return None
    observed = float((coincidences * distance).sum())
    return float(1 - (totals.sum() - 1) * observed / expected)


def _value_counts(ratings: Sequence[Sequence[float | None]]) -> tuple[Floats, Floats]:
    """Return the values that occur, sorted, and how often each item got each (items x values)."""
    if len({len(row) for row in ratings}) > 1:
        raise InputError("every rater needs one entry an item, None where there is no rating")
    if not all(r is None or np.isfinite(r) for row in ratings for r in row):
        raise InputError("ratings must be finite numbers, or None where there is none")
    table = np.array([[np.nan if r is None else r for r in row] for row in ratings], dtype=float)
    table = table.reshape(len(ratings), len(ratings[0]) if ratings else 0)
    pairable = table[:, (~np.isnan(table)).sum(axis=0) >= 2]
    values = np.unique(pairable[~np.isnan(pairable)])
    return values, (pairable[:, :, None] == values).sum(axis=0).astype(np.float64)


def _coincidences(counts: Floats) -> Floats:
    """Return o_ck: over items, pairs of a rating c with another rating k, / (ratings - 1)."""
    weights = counts / (counts.sum(axis=1, keepdims=True) - 1)
    return np.asarray(weights.T @ counts - np.diag(weights.sum(axis=0)), dtype=np.float64)


def _distance(values: Floats, totals: Floats, scale: Scale) -> Floats:
    """Return the squared distance of each pair of values."""
    places = values
    if scale == "ordinal":
        places = np.cumsum(totals) - totals / 2  # the middle of each value's ranks
    gaps = places[:, None] - places[None, :]
    return np.asarray(gaps != 0 if scale == "nominal" else gaps**2, dtype=np.float64)
