"""Classification: how well do a judge's scores separate what people call good and bad?

`positive` is what people say of each item; `scores` is what the judge says, higher for positive.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.sample_values import Floats, finite, same_length


@dataclass(frozen=True, slots=True)
class BestThreshold:
    """The score at which a judge's yes begins, chosen on labelled items.

    Attributes:
        value: A score of this or more counts as positive.
        balanced_accuracy: On the items it was chosen on, in [0.5, 1].
    """

    value: float
    balanced_accuracy: float


def balanced_accuracy(positive: Sequence[bool], predicted: Sequence[bool]) -> float | None:
    """Return the mean of two shares: positives predicted yes, and negatives predicted no.

    Args:
        positive: What people say of each item.
        predicted: What the judge says of the same items.

    Returns:
        A share in [0, 1], higher is better, 1/2 for one answer throughout; None unless people
        say both.

    Raises:
        InputError: The lists do not fit, or hold something other than yes and no.

    Example:
        >>> balanced_accuracy([True, True, True, False], [True, True, True, True])
        0.5
    """
    sides = _sides(positive, _verdicts(predicted))
    return float(sides[0].mean() + 1 - sides[1].mean()) / 2 if sides else None


def best_threshold(positive: Sequence[bool], scores: Sequence[float]) -> BestThreshold | None:
    """Return the threshold with the highest balanced accuracy; of several, the lowest.

    It lies midway between two neighbouring scores, or at the lowest score if nothing is better
    than to call everything positive. Choose it on some items and report it on others.

    Args:
        positive: What people say of each item.
        scores: The judge's score of the same items, higher for positive.

    Returns:
        The threshold, in the unit of the scores; None unless people say both yes and no.

    Raises:
        InputError: The lists do not fit, or a score is not finite.

    Example:
        >>> best_threshold([False, False, True], [0.0, 0.25, 0.75])
        BestThreshold(value=0.5, balanced_accuracy=1.0)
    """
    sides = _sides(positive, finite(scores, name="scores"))
    if sides is None:
        return None
    levels = np.unique(np.concatenate(sides))
    # Of the true items, those at or above each level; of the false ones, those below it.
    kept = 1 - np.searchsorted(sides[0], levels) / len(sides[0])
    barred = np.searchsorted(sides[1], levels) / len(sides[1])
    balanced = (kept + barred) / 2
    best = int(np.argmax(balanced > balanced.max() - 1e-12))
    return BestThreshold(_midway(levels, best), float(balanced[best]))


def roc_auc(positive: Sequence[bool], scores: Sequence[float]) -> float | None:
    """Return the chance that a positive item scores above a negative one, ties counting half.

    The area under the ROC curve; equal to U / (positives · negatives) of Mann and Whitney (1947).

    Args:
        positive: What people say of each item.
        scores: The judge's score of the same items, higher for positive.

    Returns:
        A share in [0, 1], higher is better, 1/2 as by chance; None unless people say both yes
        and no.

    Raises:
        InputError: The lists do not fit, or a score is not finite.

    Example:
        >>> roc_auc([True, False, True, False], [0.75, 0.25, 0.5, 0.5])  # (1 + 1 + 1 + 1/2) / 4
        0.875
    """
    sides = _sides(positive, finite(scores, name="scores"))
    if sides is None:
        return None
    below, up_to = (np.searchsorted(sides[1], sides[0], side) for side in ("left", "right"))
    return float((below + up_to).mean()) / (2 * len(sides[1]))


def _midway(levels: Floats, number: int) -> float:
    if not number:
        return float(levels[0])
    middle = float(levels[number - 1] + (levels[number] - levels[number - 1]) / 2)
    # Between two neighbouring floats there is no middle: it may round to the lower one.
    return middle if middle > levels[number - 1] else float(levels[number])


def _sides(positive: Sequence[bool], values: Floats) -> tuple[Floats, Floats] | None:
    """Return the values of positive items and of others, sorted; `None` unless there are both."""
    same_length(positive, values)
    truth = _verdicts(positive) > 0
    if truth.all() or not truth.any():
        return None
    return np.sort(values[truth]), np.sort(values[~truth])


def _verdicts(verdicts: Sequence[bool]) -> Floats:
    if any(verdict not in (True, False) for verdict in verdicts):
        raise InputError("verdicts must be True or False; leave undefined ones out")
    return np.asarray(verdicts, dtype=np.float64)
