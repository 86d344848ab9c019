"""Agreement of a judge's scores with people's labels."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from llamaindex_rag_eval.stats.inference import mean_estimate
from llamaindex_rag_eval.stats.interval import DEFAULT_LEVEL, Estimate, Interval
from llamaindex_rag_eval.stats.raters import (
    auc_interval,
    cohen_kappa,
    kappa_interval,
    roc_auc,
    spearman,
    spearman_interval,
)

VERDICTS = ((True, True), (False, True), (True, False), (False, False))
"""Whether people and judge say yes, in the order of `Confusion`."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of verdicts of people and judge; a value at or above its threshold is a yes.

    Attributes:
        both_yes: People and judge say yes: true positives.
        only_judge: The judge says yes, people say no: false positives.
        only_people: People say yes, the judge says no: false negatives.
        both_no: Both say no: true negatives.
    """

    both_yes: int
    only_judge: int
    only_people: int
    both_no: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of a judge with people on the same samples.

    Attributes:
        n: Number of samples.
        threshold: A score at or above it counts as yes.
        accuracy: Share of samples with the same verdict of both, in [0, 1].
        kappa: Cohen's kappa of the verdicts, in [-1, 1]; 0 is agreement by chance.
        auc: Chance that a sample with a yes of people scores above one with a no, in [0, 1].
        spearman: Rank correlation of scores and labels, in [-1, 1].
        confusion: The counts of the four pairs of verdicts.
    """

    n: int
    threshold: float
    accuracy: Estimate
    kappa: Estimate
    auc: Estimate
    spearman: Estimate
    confusion: Confusion


def agreement_of(
    scores: Sequence[float],
    labels: Sequence[float],
    *,
    threshold: float,
    cut: float,
    clusters: Sequence[Hashable] | None = None,
    level: float = DEFAULT_LEVEL,
) -> Agreement:
    """Return the agreement of a judge's scores with people's labels of the same samples.

    Args:
        scores: The scores of the judge, in the order of the labels.
        labels: The labels of people, in the unit of the scores.
        threshold: A score at or above it is a yes of the judge.
        cut: A label at or above it is a yes of people.
        clusters: The cluster of each sample; None makes each a cluster of its own.
        level: Confidence of the intervals, in (0, 1).

    Returns:
        The agreement; without samples everything in it is `None` or 0. Intervals have a width
        where judge and people agree wholly; those of AUC and Spearman take samples to be
        independent.
    """
    yes = [label >= cut for label in labels]
    judged_yes = [score >= threshold for score in scores]
    right = [float(a == b) for a, b in zip(yes, judged_yes, strict=True)]
    kappa, auc = cohen_kappa(yes, judged_yes), roc_auc(yes, scores)
    ends = auc_interval(yes, scores, level=level)
    rank = spearman(labels, scores)
    return Agreement(
        n=len(scores),
        threshold=threshold,
        accuracy=mean_estimate(right, clusters=clusters, bounds=(0.0, 1.0), level=level),
        kappa=Estimate.of(kappa, kappa_interval(yes, judged_yes, clusters=clusters, level=level)),
        auc=Estimate.of(auc, ends),
        spearman=Estimate.of(rank, _rank_interval(rank, labels, auc, ends, level)),
        confusion=Confusion(*map([*zip(yes, judged_yes, strict=True)].count, VERDICTS)),
    )


def _rank_interval(
    rank: float | None,
    labels: Sequence[float],
    auc: float | None,
    ends: Interval | None,
    level: float,
) -> Interval | None:
    """Return the interval of Spearman's correlation; of yes and no it is that of AUC.

    There it is 2 AUC - 1 times a factor that ties alone decide. That of ranks without ties has
    hardly a width where few labels agree wholly.
    """
    if rank is None:
        return None
    if len(set(labels)) > 2 or auc in (None, 0.5):
        return spearman_interval(rank, len(labels), level=level)
    if auc is None or ends is None:
        return None
    factor = rank / (2 * auc - 1)
    low, high = (factor * (2 * end - 1) for end in (ends.low, ends.high))
    return Interval(max(-1.0, min(low, rank)), min(1.0, max(high, rank)), level)
