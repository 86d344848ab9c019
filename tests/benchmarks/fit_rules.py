"""Fit the weights of the embedded judge on human labels, and say how far they carry over.

    python -m tests.benchmarks.fit_rules [--dry-run]

Reads the development halves in `RAG_EVAL_DATA` (default `../shared/data` beside the repository),
writes `llamaindex_rag_eval/judge/rules/weights.json`, and prints the AUC per set three ways:

- `others`: the weights were fitted on all other sets; the set itself was never seen;
- `folds`: fitted on all sets, on four fifths of the groups of this one, and tested on the last;
- `fit`: fitted on everything; what nobody should mistake for truth;

and `ece`, the expected calibration error by folds: how far the probabilities of a tenth of the
scale lie from the share that people call right, on average.

Model: the probability that a claim is supported is a logistic function of named features. A
response is as faithful as its claims are on average, so the loss is the cross-entropy of the mean
over claims against the label of the response. Weights whose sign is known are held to it (more
words found never speak against a claim), which is what keeps them from learning one set's ways.
People are stricter in one set than in another; each set has a bias of its own while the weights
are fitted, so that they need not tell the sets apart, and one bias for all is fitted after them.
"""

import argparse
import json
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.stats import rankdata

from llamaindex_rag_eval.judge.rules.answers import ANSWER_FEATURES
from llamaindex_rag_eval.judge.rules.conflicts import KINDS
from llamaindex_rag_eval.judge.rules.matching import STATEMENT_FEATURES, Match
from tests.benchmarks.changed_claims import REPOSITORY
from tests.benchmarks.labelled_claims import (
    SETS,
    Array,
    Labelled,
    Task,
    is_constructed,
    label_of,
    labelled,
    matched,
)

WEIGHTS = REPOSITORY / "llamaindex_rag_eval" / "judge" / "rules" / "weights.json"

PRESENT = (
    *("cover", "fuzzy", "phrase", "head", "question", "related", "asked"),
    *("ordered", "quoted", "values_found"),
)
"""Beginnings of the names of features that never speak against a claim."""
ABSENT = (
    "missing",
    "words_missing",
    "names_missing",
    "last_",
    "exchanged",
    "other_number",
    "repeats",
)
"""Beginnings of the names of features that never speak for a claim."""
DOUBTS = (*KINDS, "value", "word")
"""What may speak against a claim: conflicts, a value that is not there, one word for another."""
MOST_SEEN = 30
PENALTY = 2e-2
FOLDS = 5
BINS = 10


def bounds_of(names: Sequence[str]) -> list[tuple[float | None, float | None]]:
    """Return the sign each weight is held to."""
    return [
        (None, 0.0)
        if name.startswith(ABSENT)
        else ((0.0, None) if name.startswith(PRESENT) else (None, None))
        for name in names
    ]


def sigmoid(scores: Array) -> Array:
    """Return the logistic function."""
    return 1 / (1 + np.exp(-scores))


def fit(sets: Sequence[Labelled], names: Sequence[str]) -> tuple[float, Array]:
    """Return the bias and the weights, in the units of the features."""
    every = np.vstack([each.features for each in sets])
    mean, spread = every.mean(axis=0), every.std(axis=0) + 1e-9
    inputs = [(each.features - mean) / spread for each in sets]
    weights = _weights(sets, inputs, names)
    known = [rows @ weights for rows in inputs]

    def loss(bias: Array) -> tuple[float, Array]:
        value, slope = 0.0, np.zeros(1)
        for each, score in zip(sets, known, strict=True):
            part, change = _loss_of(each, score + bias[0])
            value += each.weight * part
            slope += each.weight * change.sum()
        return value, slope

    bias = minimize(loss, np.zeros(1), jac=True, method="L-BFGS-B").x
    weights /= spread
    return float(bias[0] - weights @ mean), weights


def _weights(sets: Sequence[Labelled], inputs: Sequence[Array], names: Sequence[str]) -> Array:
    """Return the weights of standardised features, beside a bias for each set."""
    count = len(names)

    def loss(free: Array) -> tuple[float, Array]:
        weights = free[:count]
        value = PENALTY * float(weights @ weights)
        slope = np.concatenate([2 * PENALTY * weights, np.zeros(len(sets))])
        for number, (each, rows) in enumerate(zip(sets, inputs, strict=True)):
            part, change = _loss_of(each, rows @ weights + free[count + number])
            value += each.weight * part
            slope[:count] += each.weight * (rows.T @ change)
            slope[count + number] += each.weight * change.sum()
        return value, slope

    start = np.zeros(count + len(sets))
    bounds = [*bounds_of(names), *[(None, None)] * len(sets)]
    found: Array = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x[:count]
    return found


def _loss_of(data: Labelled, scores: Array) -> tuple[float, Array]:
    """Return the mean cross-entropy of the responses, and its slope by the claims' scores."""
    alone = sigmoid(scores)
    chance = alone * data.trusted
    counts = np.maximum(data.counts, 1)
    mean = np.bincount(data.response, chance, len(data.label)) / counts
    mean = np.clip(mean, 1e-5, 1 - 1e-5)
    used = data.used * data.share
    used = used / max(used.sum(), 1)
    entropy = -(data.label * np.log(mean) + (1 - data.label) * np.log(1 - mean))
    outer = (mean - data.label) / (mean * (1 - mean)) * used / counts
    return float(entropy @ used), outer[data.response] * chance * (1 - alone)


def means(data: Labelled, bias: float, weights: Array) -> Array:
    """Return the mean probability of the claims of each response; 0 where there is none."""
    chance = sigmoid(data.features @ weights + bias) * data.trusted
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
    sets: Sequence[Labelled], number: int, names: Sequence[str]
) -> tuple[float, float, float, float]:
    """Return the AUC with weights from the other sets, by folds and by the fit, and the error."""
    data = sets[number]
    others = [each for each in sets if each is not data]
    fold = np.array([zlib.crc32(group.encode()) % FOLDS for group in data.group])
    held_out = np.zeros(len(data.label))
    for each in range(FOLDS):
        seen = replace(data, used=data.used & (fold != each))
        held_out[fold == each] = means(data, *fit([*others, seen], names))[fold == each]
    scores = (means(data, *fit(others, names)), held_out, means(data, *fit(sets, names)))
    others_auc, folds_auc, fit_auc = (
        auc(data.right[data.used], score[data.used]) for score in scores
    )
    return others_auc, folds_auc, fit_auc, calibration_error(data, held_out)


def fitted(
    sets: Sequence[Labelled], names: Sequence[str], *, evaluate: bool = True
) -> dict[str, object]:
    """Return a model as it is stored: bias, weights, and how it did on each set."""
    bias, weights = fit(sets, names)
    table = {}
    for number, data in enumerate(sets):
        if evaluate:
            figures = [round(value, 3) for value in carried_over(sets, number, names)]
            table[data.name] = dict(zip(("others", "folds", "fit"), figures[:3], strict=True))
            row = "".join(f"{value:8.3f}" for value in figures)
            print(f"{data.name:16}{row}{int(data.used.sum()):8}", flush=True)
    kept = {
        name: round(float(value), 4) for name, value in zip(names, weights, strict=True) if value
    }
    return {"bias": round(bias, 4), "weights": kept, "auc": table}


def reliability_of(
    found: Mapping[tuple[Task, str], Sequence[tuple[Mapping[str, object], Sequence[Match]]]],
) -> dict[str, float]:
    """Return for each kind of conflict how often claims that have it are false.

    As if half of all claims were, with half a claim more of each, in the sets of claims with one
    thing changed; the mean over the sets, by how often each has the kind, but none counts more
    than `MOST_SEEN` times.
    """
    shares: dict[str, list[tuple[float, float]]] = {kind: [] for kind in DOUBTS}
    for (_, name), rows in found.items():
        if not is_constructed(name):
            continue
        fired: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
        totals: Counter[bool] = Counter()
        for record, matches in rows:
            right = label_of(name, record["labels"])[1]  # type: ignore[arg-type] # a mapping
            for match in matches:
                totals[right] += 1
                fired[right].update(match.doubts)
        for kind in DOUBTS:
            wrong, sound = ((fired[right][kind] + 0.5) / totals[right] for right in (False, True))
            if seen := fired[True][kind] + fired[False][kind]:
                shares[kind].append((min(seen, MOST_SEEN), wrong / (wrong + sound)))
    return {
        kind: round(sum(n * share for n, share in pairs) / sum(n for n, _ in pairs), 3)
        for kind, pairs in shares.items()
    }


def main() -> None:
    """Fit the models, print the table, and write the file."""
    parser = argparse.ArgumentParser(description="Fit the weights of the embedded judge.")
    parser.add_argument("--dry-run", action="store_true", help="print, but write nothing")
    parser.add_argument("--quick", action="store_true", help="skip the table")
    options = parser.parse_args()
    found = {(task, name): matched(name, task) for task in SETS for name in SETS[task]}
    reliability = reliability_of(found)
    print(f"{'AUC':16}{'others':>8}{'folds':>8}{'fit':>8}{'ece':>8}{'n':>8}")
    models = {}
    for task, sets in SETS.items():
        names = ANSWER_FEATURES if task.startswith("answer") else STATEMENT_FEATURES
        data = [
            labelled(name, weight, names, found[task, name], reliability)
            for name, weight in sets.items()
        ]
        models[task] = fitted(data, names, evaluate=not options.quick)
        print(task, json.dumps({key: models[task][key] for key in ("bias", "weights")}))
    print("reliability", json.dumps(reliability))
    if not options.dry_run:
        stored = {"models": models, "reliability": reliability}
        WEIGHTS.write_text(json.dumps(stored, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
