"""The label sheet: a table in which a person writes labels, and which `read_labels` reads."""

import csv
import hashlib
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from llamaindex_rag_eval.calibration.agreement import BINS, bin_of
from llamaindex_rag_eval.calibration.labels import OVERALL, Chosen, HumanLabel
from llamaindex_rag_eval.data.files import escape_formula
from llamaindex_rag_eval.data.sample import MultiTurnSample, Sample
from llamaindex_rag_eval.errors import InputError, OutputError
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run

__all__ = ["ToLabel", "label_next", "label_sheet", "write_label_sheet"]


COLUMNS = ("id", "metric", "label", "chosen", "query", "response", "contexts", "reference")
"""No column shows the judge's score: who sees it labels what it says."""

LONGEST_CELL = 30_000
"""Characters; the common spreadsheets take 32,767 and lose the rest."""


@dataclass(frozen=True, slots=True)
class ToLabel:
    """A sample that a person should label.

    Attributes:
        sample_id: Which.
        metric: For which metric.
        chosen: Why: at random, or because its score looks doubtful.
        doubt: How doubtful it is, in [0, 1].
        known: The label it has already, in [0, 1]; `None` if a person must look at it.
    """

    sample_id: str
    metric: str
    chosen: Chosen
    doubt: float
    known: float | None = None


def label_next(
    run: Run,
    metric: str,
    *,
    count: int = 50,
    labels: Sequence[HumanLabel] = (),
    doubtful: float = 0.5,
    other: Run | None = None,
    seed: int = 0,
) -> tuple[ToLabel, ...]:
    """Return the samples to label next, in an order that tells nothing about their scores.

    A score is doubtful if another judge scores the sample otherwise (`other`); without that, if
    the metric ranks the sample otherwise than the run's other metrics do on average; and if there
    are none, if it lies near the threshold.

    Args:
        run: The samples with the judge's scores.
        metric: Which scores are to be checked.
        count: How many samples; fewer if there are no more.
        labels: Those that there are; samples drawn at random are not drawn again.
        doubtful: Share of them chosen by doubt, in [0, 1].
        other: The same samples scored by another judge.
        seed: Same seed, same choice.

    Raises:
        InputError: The run has no such metric, the metric no finite bounds, or an option is out
            of range.
    """
    info = next((info for info in run.metrics if info.spec == metric), None)
    if info is None or not all(map(math.isfinite, info.bounds)):
        names = ", ".join(repr(f.spec) for f in run.metrics)
        raise InputError(f"the run has no bounded metric {metric!r}; it has {names}")
    if count < 1 or not 0 <= doubtful <= 1:
        raise InputError(
            f"count is {count} and doubtful {doubtful}; expected 1 or more, and a share in [0, 1]"
        )
    known = {label.sample_id: label for label in labels if label.metric in (metric, OVERALL)}
    scores, doubts = run.values(metric), _doubts(run, info, other)
    lots = sorted(scores, key=lambda key: _lot(seed, key))
    left = [key for key in lots if key not in known or known[key].chosen == "doubtful"]
    wanted = min(count, len(left))
    drawn = _proportional(left, scores, info.bounds, wanted - math.floor(wanted * doubtful))
    rest = [key for key in left if key not in drawn and key not in known]
    most = sorted(rest, key=lambda key: -doubts[key])[: wanted - len(drawn)]
    chosen: dict[str, Chosen] = {
        **dict.fromkeys(most, "doubtful"),
        **dict.fromkeys(drawn, "random"),
    }
    return tuple(
        ToLabel(key, metric, chosen[key], doubts[key], known[key].value if key in known else None)
        for key in lots
        if key in chosen
    )


def _proportional(
    keys: Sequence[str], scores: Mapping[str, float], bounds: tuple[float, float], count: int
) -> list[str]:
    """Return the first keys of each bin of the score, as many as is its share of all."""
    bins = [[key for key in keys if bin_of(scores[key], bounds) == n] for n in range(BINS)]
    exact = [count * len(members) / len(keys) if keys else 0.0 for members in bins]
    sizes = [math.floor(size) for size in exact]
    remainders = sorted(range(BINS), key=lambda n: (sizes[n] - exact[n], n))
    for number in remainders[: count - sum(sizes)]:
        sizes[number] += 1
    return [key for members, size in zip(bins, sizes, strict=True) for key in members[:size]]


def _doubts(run: Run, info: MetricInfo, other: Run | None) -> dict[str, float]:
    """Return for each scored sample how doubtful its score is, in [0, 1]."""
    scores, (low, high) = run.values(info.spec), info.bounds
    if other is not None:
        second = other.values(info.spec)
        return {key: abs(v - second.get(key, v)) / (high - low) for key, v in scores.items()}
    rest = [m for m in run.metrics if m != info and m.direction != "neither"]
    ranks, own = [_ranks(run, m) for m in rest], _ranks(run, info)
    others = {key: [r[key] for r in ranks if key in r] for key in scores}
    if any(others.values()):
        return {key: abs(own[key] - _mean(found, own[key])) for key, found in others.items()}
    middle = (low + high) / 2 if info.threshold is None else info.threshold
    return {key: 1 - abs(value - middle) / (high - low) for key, value in scores.items()}


def _ranks(run: Run, info: MetricInfo) -> dict[str, float]:
    """Return each sample's place among all, from 0 for the worst to 1 for the best."""
    from scipy.stats import rankdata

    scores = run.values(info.spec)
    sign = -1 if info.direction == "lower" else 1
    places = rankdata([sign * value for value in scores.values()])
    most = max(1, len(scores) - 1)
    return {key: float(place - 1) / most for key, place in zip(scores, places, strict=True)}


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _lot(seed: int, key: str) -> str:
    """Return the lot of a sample: it depends on nothing but the seed and the sample's id."""
    return hashlib.sha256(f"{seed}\n{key}".encode()).hexdigest()


def label_sheet(
    run: Run, chosen: Sequence[ToLabel], *, scale: tuple[float, float] = (0.0, 1.0)
) -> str:
    """Return the sheet as CSV, the column `label` empty but for labels that are known already.

    Its cells are safe in a spreadsheet; `scale` is that of the labels, as for `read_labels`.
    """
    samples = {sample.id: sample for sample in run.samples}
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in chosen:
        label = "" if one.known is None else f"{scale[0] + one.known * (scale[1] - scale[0]):g}"
        cells = (one.sample_id, one.metric, label, one.chosen, *_texts(samples[one.sample_id]))
        writer.writerow([escape_formula(_cut(cell)) for cell in cells])
    return out.getvalue()


def write_label_sheet(
    run: Run,
    chosen: Sequence[ToLabel],
    path: str | Path,
    *,
    scale: tuple[float, float] = (0.0, 1.0),
) -> Path:
    """Write the sheet; see `label_sheet`.

    Raises:
        OutputError: The file cannot be written, or is there already: it may hold labels.
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", errors="replace", newline="") as file:
            file.write(label_sheet(run, chosen, scale=scale))
    except FileExistsError as error:
        raise OutputError(f"{str(path)!r} is there already, and may hold labels") from error
    except OSError as error:
        raise OutputError(f"cannot write {str(path)!r}: {error.strerror or error}") from error
    return path


def _texts(sample: Sample) -> tuple[str, str, str, str]:
    if isinstance(sample, MultiTurnSample):
        talk = "\n".join(f"{message.role}: {message.content}" for message in sample.messages)
        return talk, "", "", sample.reference
    contexts = "\n\n".join(f"[{n}] {text}" for n, text in enumerate(sample.texts, start=1))
    return sample.query, sample.response, contexts, sample.reference


def _cut(cell: str) -> str:
    return cell if len(cell) <= LONGEST_CELL else cell[:LONGEST_CELL] + "…"
