"""Fit the weights of the embedded judge on human labels, and say how far they carry over.

    python -m tests.benchmarks.fit_rules [--dry-run]

Reads the development halves in `RAG_EVAL_DATA` (default `../shared/data` beside the repository),
writes `llamaindex_rag_eval/judge/rules/weights.json`, and prints the AUC per set three ways:

- `others`: the weights were fitted on all other sets; the set itself was never seen;
- `folds`: fitted on all sets, on four fifths of the groups of this one, and tested on the last;
- `fit`: fitted on everything; what nobody should mistake for truth;

and `ece`, the expected calibration error by folds: how far the probabilities of a tenth of the
scale lie from the share that people call right, on average.

Model: the probability that a claim is supported is a logistic function of named features, times
what its doubts leave: a factor for each kind of conflict, up to `MOST_LEFT`, so that what conflicts
is never called supported. Both are fitted together: a claim that was called wrong for a number
teaches nothing of its words. A response is as faithful as its claims are on average, so the loss is
the cross-entropy of the mean over claims against the label of the response. Weights whose sign is
known are held to it (more words found never speak against a claim), which is what keeps them from
learning one set's ways. People are stricter in one set than in another; each set has a bias of its
own while the weights are fitted, so that they need not tell the sets apart, and one bias for all is
fitted after them.
"""

import argparse
import json
import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize, minimize_scalar
from scipy.stats import rankdata

from llamaindex_rag_eval.judge.rules.evidence import FEATURES
from llamaindex_rag_eval.judge.rules.support import SUPPORT_THRESHOLD
from tests.benchmarks.changed_claims import REPOSITORY
from tests.benchmarks.labelled_claims import (
    COLUMNS,
    DOUBTS,
    SETS,
    Array,
    Labelled,
    even_share,
    is_constructed,
    is_in_answer,
    labelled,
)

WEIGHTS = REPOSITORY / "llamaindex_rag_eval" / "judge" / "rules" / "weights.json"

PRESENT = ("cover", "alike", "quoted")
"""Features that never speak against a claim."""
ABSENT = ("last_missing",)
"""Features that never speak for a claim."""
MOST_LEFT = SUPPORT_THRESHOLD
"""What a doubt leaves of a probability at most: too little for a claim to be called supported."""
LEAST_LEFT = 0.01
PENALTY = 5e-3
LEFT_PENALTY = 1e-3
FOLDS = 5
BINS = 10


class Model(NamedTuple):
    """A fitted model.

    Attributes:
        bias: Log-odds of a statement without any feature.
        weights: Of `FEATURES`, in their units.
        left: Logarithm of what each of `DOUBTS` leaves.
        in_answer: Log-odds that a short answer has more in an answer to its question.
    """

    bias: float
    weights: Array
    left: Array
    in_answer: float


def bounds_of(names: Sequence[str]) -> list[tuple[float | None, float | None]]:
    """Return the sign each weight is held to."""
    return [
        (None, 0.0)
        if name.endswith(ABSENT)
        else (0.0, None)
        if name.endswith(PRESENT)
        else (None, None)
        for name in names
    ]


def sigmoid(scores: Array) -> Array:
    """Return the logistic function."""
    return 1 / (1 + np.exp(-scores))


def fit(sets: Sequence[Labelled]) -> Model:
    """Return the model that fits some sets best.

    Sets that were made to differ in one thing tell of conflicts and the bias, and nothing of how
    words speak for a claim. For the bias, right and wrong responses of a set count alike, so that
    the judge errs as often one way as the other, whatever systems were labelled.
    """
    said = [each for each in sets if not is_constructed(each.name)]
    every = np.vstack([each.features for each in said])
    spread = every.std(axis=0) + 1e-9
    weights = _weights(said, [each.features / spread for each in said]) / spread
    answer = COLUMNS.index("answer")
    weights[answer] = 0.0
    scores = [each.features @ weights for each in sets]
    even = [replace(each, share=even_share(each)) for each in sets]

    def loss(free: Array) -> tuple[float, Array]:
        biases, left = free[:2], free[2:]
        value, slopes = LEFT_PENALTY * float(left @ left), np.zeros(len(free))
        slopes[2:] = 2 * LEFT_PENALTY * left
        for each, score in zip(even, scores, strict=True):
            kinds = np.stack([np.ones(len(score)), each.features[:, answer]])
            part, by_score, by_left = _loss_of(each, score + biases @ kinds, left)
            value += each.weight * part
            slopes[:2] += each.weight * (kinds @ by_score)
            slopes[2:] += each.weight * (each.doubts.T @ by_left)
        return value, slopes

    start = np.array([0.0, 0.0, *[math.log(MOST_LEFT)] * len(DOUBTS)])
    bounds = [(None, None)] * 2 + [(math.log(LEAST_LEFT), math.log(MOST_LEFT))] * len(DOUBTS)
    fitted: Array = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    weights[answer] = fitted[1]
    model = Model(float(fitted[0]), weights, fitted[2:], 0.0)
    return model._replace(in_answer=_in_answer(said, model))


def _in_answer(sets: Sequence[Labelled], model: Model) -> float:
    """Return what short answers have more in answers, as many of which are right as people say."""
    answers = [each for each in sets if is_in_answer(each.name)]

    def loss(more: float) -> float:
        moved = model._replace(in_answer=more)
        values = [(each.label - means(each, moved))[each.used] for each in answers]
        return float(np.square(np.concatenate(values)).sum())

    return float(minimize_scalar(loss, bounds=(0, 4), method="bounded").x) if answers else 0.0


def _weights(sets: Sequence[Labelled], inputs: Sequence[Array]) -> Array:
    """Return the weights of scaled features, beside a bias a set."""
    count = len(COLUMNS)
    nothing = np.zeros(len(DOUBTS))

    def loss(free: Array) -> tuple[float, Array]:
        weights, biases = free[:count], free[count:]
        value = PENALTY * float(weights @ weights)
        slopes = np.concatenate([2 * PENALTY * weights, np.zeros(len(sets))])
        for number, (each, rows) in enumerate(zip(sets, inputs, strict=True)):
            part, by_score, _ = _loss_of(each, rows @ weights + biases[number], nothing)
            value += each.weight * part
            slopes[:count] += each.weight * (rows.T @ by_score)
            slopes[count + number] += each.weight * by_score.sum()
        return value, slopes

    bounds = [*bounds_of(COLUMNS), *[(None, None)] * len(sets)]
    start = np.zeros(count + len(sets))
    fitted: Array = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    return fitted[:count]


def _loss_of(data: Labelled, scores: Array, left: Array) -> tuple[float, Array, Array]:
    """Return the mean cross-entropy of the responses, and its slopes by the claims' scores and by
    the logarithms of what their doubts leave.
    """
    alone = sigmoid(scores)
    chance = alone * np.exp(data.doubts @ left)
    counts = np.maximum(data.counts, 1)
    mean = np.bincount(data.response, chance, len(data.label)) / counts
    mean = np.clip(mean, 1e-5, 1 - 1e-5)
    used = data.used * data.share
    used = used / max(used.sum(), 1)
    entropy = -(data.label * np.log(mean) + (1 - data.label) * np.log(1 - mean))
    outer = (mean - data.label) / (mean * (1 - mean)) * used / counts
    by_left = outer[data.response] * chance
    return float(entropy @ used), by_left * (1 - alone), by_left


def means(data: Labelled, model: Model) -> Array:
    """Return the mean probability of the claims of each response; 0 where there is none."""
    more = model.in_answer if is_in_answer(data.name) else 0.0
    alone = sigmoid(data.features @ model.weights + model.bias + more)
    chance = alone * np.exp(data.doubts @ model.left)
    return np.bincount(data.response, chance, len(data.label)) / np.maximum(data.counts, 1)


def auc(right: NDArray[np.bool_], score: Array) -> float:
    """Return the chance that a right response scores above a wrong one; ties count half."""
    ranks = rankdata(score)
    positives = int(right.sum())
    above = float(ranks[right].sum()) - positives * (positives + 1) / 2
    return above / (positives * (len(right) - positives))


def calibration_error(data: Labelled, score: Array) -> float:
    """Return how far probabilities lie from labels, over bins of the scale by their size."""
    bins = np.minimum((score[data.used] * BINS).astype(int), BINS - 1)
    gaps = np.bincount(bins, (score - data.label)[data.used], BINS)
    return float(np.abs(gaps).sum() / data.used.sum())


def carried_over(
    sets: Sequence[Labelled], number: int, fitted: Model
) -> tuple[float, float, float, float]:
    """Return the AUC with weights from the other sets, by folds and by the fit, and the error."""
    data = sets[number]
    others = [each for each in sets if each is not data]
    fold = np.array([zlib.crc32(group.encode()) % FOLDS for group in data.group])
    held_out = np.zeros(len(data.label))
    for each in range(FOLDS):
        seen = replace(data, used=data.used & (fold != each))
        held_out[fold == each] = means(data, fit([*others, seen]))[fold == each]
    scores = (means(data, fit(others)), held_out, means(data, fitted))
    others_auc, folds_auc, fit_auc = (
        auc(data.right[data.used], score[data.used]) for score in scores
    )
    return others_auc, folds_auc, fit_auc, calibration_error(data, held_out)


def stored(model: Model) -> dict[str, object]:
    """Return a model as it is stored."""
    values = dict(zip(COLUMNS, map(float, model.weights), strict=True))
    left = np.exp(model.left)
    return {
        "statement": {
            "bias": round(model.bias, 3),
            **{name: round(values[name], 3) for name in FEATURES},
        },
        "answer": {
            "bias": round(model.bias + values["answer"], 3),
            **{name: round(values[f"answer_{name}"], 3) for name in FEATURES},
        },
        "in_answer": round(model.in_answer, 3),
        "left": {kind: round(float(each), 3) for kind, each in zip(DOUBTS, left, strict=True)},
    }


def _text(model: Mapping[str, object]) -> str:
    """Return a model as JSON, with a line for each part and each set."""
    lines = [f"  {json.dumps(name)}: {json.dumps(part)}" for name, part in model.items()]
    return "{\n" + ",\n".join(lines).replace("}, ", "},\n    ") + "\n}\n"


def main() -> None:
    """Fit the models, print the table, and write the file."""
    parser = argparse.ArgumentParser(description="Fit the weights of the embedded judge.")
    parser.add_argument("--dry-run", action="store_true", help="print, but write nothing")
    parser.add_argument("--quick", action="store_true", help="skip the table")
    options = parser.parse_args()
    print(f"{'AUC':22}{'others':>8}{'folds':>8}{'fit':>8}{'ece':>8}{'n':>8}")
    sets = [labelled(name, weight) for name, weight in SETS.items()]
    table, fitted = {}, fit(sets)
    for number, data in enumerate([] if options.quick else sets):
        figures = [round(value, 3) for value in carried_over(sets, number, fitted)]
        table[data.name] = dict(zip(("others", "folds", "fit"), figures[:3], strict=True))
        row = "".join(f"{value:8.3f}" for value in figures)
        print(f"{data.name:22}{row}{int(data.used.sum()):8}", flush=True)
    model = stored(fitted)
    print(json.dumps(model))
    if not options.dry_run:
        WEIGHTS.write_text(_text({**model, "auc": table}), encoding="utf-8")


if __name__ == "__main__":
    main()
