"""The label sheet: which samples a person should label next, in a table to write the labels in.

Half of the samples are drawn at random, and more until there are as many as a corrected mean takes.
They show how often the judge is right. The others are the most doubtful of the rest. They show
where it is wrong, and enter no estimate, since they are not typical. The random ones are
drawn from all samples, so that one which was labelled as doubtful before may be drawn, with its
label.
"""

import hashlib
import math
from collections.abc import Sequence
from statistics import fmean

from llamaindex_rag_eval.decisions.labels import OVERALL, Chosen, HumanLabel
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.ppi import FEWEST_LABELS


def label_next(
    run: Run,
    metric: str,
    *,
    count: int = 50,
    labels: Sequence[HumanLabel] = (),
    doubtful: float | None = None,
    seed: int = 0,
) -> dict[str, Chosen]:
    """Return the samples to label next, in an order that does not depend on their scores.

    Each is drawn at random, or chosen because its score looks doubtful.

    The doubt about a score is the distance between the sample's rank on this metric and its mean
    rank on the run's other metrics; and if there are none, the closeness of the score to the
    threshold.

    Args:
        run: The samples with the judge's scores.
        metric: The spec of the metric whose scores are to be checked.
        count: Number of samples; fewer if the run has fewer.
        labels: The labels so far; samples drawn at random before are not drawn again.
        doubtful: Share of the samples chosen by doubt, in [0, 1]; by default a half, or what is
            left once 20 are labelled at random: with fewer the judge enters no estimate.
        seed: The same seed gives the same choice.

    Raises:
        InputError: The run has no such metric, the metric no finite bounds, or an option is out
            of range.
    """
    info = next((info for info in run.metrics if info.spec == metric), None)
    if info is None or not all(map(math.isfinite, info.bounds)):
        names = ", ".join(repr(f.spec) for f in run.metrics)
        raise InputError(f"the run has no bounded metric {metric!r}; it has {names}")
    if count < 1 or not 0 <= (doubtful or 0.0) <= 1:
        raise InputError(
            f"count is {count} and doubtful {doubtful}; expected 1 or more, and a share in [0, 1]"
        )
    known = {label.sample_id: label for label in labels if label.metric in (metric, OVERALL)}
    scores, doubts = run.values(metric), _doubts(run, info)
    # An order that depends on the seed and the ids alone.
    shuffled = sorted(scores, key=lambda key: hashlib.sha256(f"{seed}\n{key}".encode()).digest())
    left = [key for key in shuffled if key not in known or known[key].chosen == "doubtful"]
    total = min(count, len(left))
    drawn = total - math.floor(total * (0.5 if doubtful is None else doubtful))
    if doubtful is None:
        labelled = sum(label.chosen == "random" for label in known.values())
        drawn = min(total, max(drawn, FEWEST_LABELS - labelled))
    random = left[:drawn]
    rest = [key for key in left if key not in random and key not in known]
    most_doubtful = sorted(rest, key=lambda key: -doubts[key])[: total - len(random)]
    chosen: dict[str, Chosen] = {
        **dict.fromkeys(most_doubtful, "doubtful"),
        **dict.fromkeys(random, "random"),
    }
    return {key: chosen[key] for key in shuffled if key in chosen}


def _doubts(run: Run, info: MetricInfo) -> dict[str, float]:
    """Return sample id -> doubt about its score, in [0, 1]; see `label_next`."""
    scores, (low, high) = run.values(info.spec), info.bounds
    rest = [m for m in run.metrics if m != info and m.direction != "neither"]
    ranks, own = [_ranks(run, m) for m in rest], _ranks(run, info)
    others = {key: [r[key] for r in ranks if key in r] for key in scores}
    if any(others.values()):
        return {key: abs(own[key] - fmean(of or [own[key]])) for key, of in others.items()}
    middle = (low + high) / 2 if info.threshold is None else info.threshold
    return {key: 1 - abs(value - middle) / (high - low) for key, value in scores.items()}


def _ranks(run: Run, info: MetricInfo) -> dict[str, float]:
    """Return sample id -> relative rank, from 0 for the worst to 1 for the best."""
    from scipy.stats import rankdata

    scores = run.values(info.spec)
    sign = -1 if info.direction == "lower" else 1
    ranks = rankdata([sign * value for value in scores.values()])
    most = max(1, len(scores) - 1)
    return {key: float(rank - 1) / most for key, rank in zip(scores, ranks, strict=True)}
