"""Fit the weights of the embedded judge on human labels, and say how far they carry over.

    python tests/benchmarks/fit_rules.py [--dry-run]

Reads the development halves in `RAG_EVAL_DATA` (default `../shared/data` beside the repository),
writes `llamaindex_rag_eval/judge/rules/weights.json`, and prints the AUC per set three ways:

- `others`: the weights were fitted on all other sets; the set itself was never seen;
- `folds`: fitted on all sets, on four fifths of the groups of this one, and tested on the last;
- `fit`: fitted on everything; what nobody should mistake for truth.

Model: the probability that a claim is supported is a logistic function of named features. A
response is as faithful as its claims are on average, so the loss is the cross-entropy of the mean
over claims against the label of the response. Weights whose sign is known are held to it (more
words found never speak against a claim), which is what keeps them from learning one set's ways.
"""

import argparse
import json
import os
import sys
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.stats import rankdata

from llamaindex_rag_eval.judge.rules.answers import (
    ANSWER_FEATURES,
    answer_evidence,
    short_answer,
)
from llamaindex_rag_eval.judge.rules.claims import claims_of
from llamaindex_rag_eval.judge.rules.evidence import FEATURES, evidence_for
from llamaindex_rag_eval.judge.rules.pool import pool_of
from llamaindex_rag_eval.judge.rules.profile import profile_of, source_profiles

REPOSITORY = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("RAG_EVAL_DATA", REPOSITORY.parent / "shared" / "data"))
WEIGHTS = REPOSITORY / "llamaindex_rag_eval" / "judge" / "rules" / "weights.json"

STATEMENT_SETS = {
    "wice_claim": 1.0,
    "begin_wow": 1.0,
    "begin_cmu": 1.0,
    "begin_tc": 1.0,
    "q2_wow": 2.0,
    "dialfact_small": 1.0,
    "mtrag_human": 1.0,
    "jnli_ja": 2.0,
}
"""Sets of statements and their weight in the loss; the hardest English and the only CJK set count
twice. `halluqa_zh` is left out, so that it can tell how the rules do on Chinese unseen."""
ANSWER_SETS = {"evouna_nq": 1.0, "evouna_tq": 1.0}

PRESENT = ("cover", "fuzzy", "reverse", "phrase", "head", "question")
"""Beginnings of the names of features that never speak against a claim."""
ABSENT = ("missing", "words_missing", "numbers_missing", "names_missing")
"""Beginnings of the names of features that never speak for a claim."""
ABSENT_TOO = ("cjk_negation_differs", "cjk_opposite")
PENALTY = 1e-2
FOLDS = 5

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Labelled:
    """The claims of one set, as features, with the labels of the responses they come from."""

    name: str
    features: Array
    response: NDArray[np.int64]
    label: Array
    right: NDArray[np.bool_]
    group: tuple[str, ...]
    weight: float
    used: NDArray[np.bool_]

    @property
    def counts(self) -> Array:
        """How many claims each response makes."""
        return np.bincount(self.response, minlength=len(self.label)).astype(float)


def records(name: str) -> list[dict[str, object]]:
    """Return the records of a set."""
    path = DATA / f"{name}.jsonl"
    if not path.exists():
        sys.exit(f"{path} is not there; set RAG_EVAL_DATA to the folder of the labelled sets")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def label_of(name: str, labels: Mapping[str, object]) -> tuple[float, bool]:
    """Return a label in [0, 1] to fit on, and whether people call the response right."""
    if name == "mtrag_human":
        mean = float(np.mean(np.asarray(labels["faithfulness"], dtype=float)))
        return (mean - 1) / 3, mean >= 3
    value = float(str(labels["correct" if name.startswith("evouna") else "faithful"]))
    return value, value > 0.5


def statement_rows(record: Mapping[str, object]) -> list[Mapping[str, float]]:
    """Return the features of each statement of a response against its contexts."""
    sources = [source_profiles(text) for text in record["contexts"]]  # type: ignore[attr-defined] # a list of texts
    pool = pool_of(sources, range(len(sources)))
    claims = claims_of(str(record["response"]), question=str(record.get("question") or ""))
    return [
        evidence_for(profile_of(claim), pool).features
        for claim in claims
        if short_answer(claim) is None and pool.sentences
    ]


def answer_rows(record: Mapping[str, object]) -> list[Mapping[str, float]]:
    """Return the features of the short gold answer against the response."""
    pool = pool_of([source_profiles(str(record["response"]))], [0])
    claims = claims_of(str(record["reference"]), question=str(record["question"]))
    found = [short_answer(claim) for claim in claims]
    return [answer_evidence(each, pool).features for each in found if each and pool.sentences]


def labelled(
    name: str,
    weight: float,
    names: Sequence[str],
    rows_of: Callable[[Mapping[str, object]], list[Mapping[str, float]]],
) -> Labelled:
    """Return a set, featured."""
    features: list[list[float]] = []
    response: list[int] = []
    labels: list[tuple[float, bool]] = []
    groups: list[str] = []
    for number, record in enumerate(records(name)):
        for row in rows_of(record):
            features.append([row[each] for each in names])
            response.append(number)
        labels.append(label_of(name, record["labels"]))  # type: ignore[arg-type] # a mapping
        groups.append(str(record["group"]))
    numbers = np.array(response)
    return Labelled(
        name=name,
        features=np.array(features),
        response=numbers,
        label=np.array([value for value, _ in labels]),
        right=np.array([right for _, right in labels]),
        group=tuple(groups),
        weight=weight,
        used=np.isin(np.arange(len(labels)), numbers),
    )


def bounds_of(names: Sequence[str]) -> list[tuple[float | None, float | None]]:
    """Return the sign each weight is held to; the bias is free."""
    found: list[tuple[float | None, float | None]] = [(None, None)]
    for name in names:
        if name.startswith(ABSENT) or name in ABSENT_TOO:
            found.append((None, 0.0))
        else:
            found.append((0.0, None) if name.startswith(PRESENT) else (None, None))
    return found


def sigmoid(scores: Array) -> Array:
    """Return the logistic function."""
    return 1 / (1 + np.exp(-scores))


def fit(sets: Sequence[Labelled], names: Sequence[str]) -> tuple[float, Array]:
    """Return the bias and the weights, in the units of the features."""
    every = np.vstack([each.features for each in sets])
    mean, spread = every.mean(axis=0), every.std(axis=0) + 1e-9
    inputs = [
        np.hstack([np.ones((len(each.features), 1)), (each.features - mean) / spread])
        for each in sets
    ]

    def loss(weights: Array) -> tuple[float, Array]:
        value = PENALTY * float(weights[1:] @ weights[1:])
        slope = np.concatenate([[0.0], 2 * PENALTY * weights[1:]])
        for each, rows in zip(sets, inputs, strict=True):
            part, change = _loss_of(each, rows, weights)
            value += each.weight * part
            slope += each.weight * change
        return value, slope

    start = np.zeros(len(names) + 1)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds_of(names)).x
    weights = found[1:] / spread
    return float(found[0] - weights @ mean), weights


def _loss_of(data: Labelled, rows: Array, weights: Array) -> tuple[float, Array]:
    chance = sigmoid(rows @ weights)
    counts = np.maximum(data.counts, 1)
    mean = np.bincount(data.response, chance, len(data.label)) / counts
    mean = np.clip(mean, 1e-5, 1 - 1e-5)
    used = data.used / max(data.used.sum(), 1)
    entropy = -(data.label * np.log(mean) + (1 - data.label) * np.log(1 - mean))
    outer = (mean - data.label) / (mean * (1 - mean)) * used / counts
    return float(entropy @ used), rows.T @ (outer[data.response] * chance * (1 - chance))


def means(data: Labelled, bias: float, weights: Array) -> Array:
    """Return the mean probability of the claims of each response; 0 where there is none."""
    chance = sigmoid(data.features @ weights + bias)
    return np.bincount(data.response, chance, len(data.label)) / np.maximum(data.counts, 1)


def auc(right: NDArray[np.bool_], score: Array) -> float:
    """Return the chance that a right response scores above a wrong one; ties count half."""
    ranks = rankdata(score)
    positives = int(right.sum())
    above = float(ranks[right].sum()) - positives * (positives + 1) / 2
    return above / (positives * (len(right) - positives))


def carried_over(
    sets: Sequence[Labelled], number: int, names: Sequence[str]
) -> tuple[float, float, float]:
    """Return the AUC on one set with weights from the others, by folds, and from everything."""
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
    return others_auc, folds_auc, fit_auc


def fitted(
    sets: Sequence[Labelled], names: Sequence[str], *, evaluate: bool = True
) -> dict[str, object]:
    """Return a model as it is stored: bias, weights, and how it did on each set."""
    bias, weights = fit(sets, names)
    table = {}
    for number, data in enumerate(sets):
        if evaluate:
            figures = [round(value, 3) for value in carried_over(sets, number, names)]
            table[data.name] = dict(zip(("others", "folds", "fit"), figures, strict=True))
            row = "".join(f"{value:8.3f}" for value in figures)
            print(f"{data.name:16}{row}{int(data.used.sum()):8}", flush=True)
    kept = {
        name: round(float(value), 4) for name, value in zip(names, weights, strict=True) if value
    }
    return {"bias": round(bias, 4), "weights": kept, "auc": table}


def main() -> None:
    """Fit both models, print the table, and write the file."""
    parser = argparse.ArgumentParser(description="Fit the weights of the embedded judge.")
    parser.add_argument("--dry-run", action="store_true", help="print, but write nothing")
    parser.add_argument("--quick", action="store_true", help="skip the table")
    options = parser.parse_args()
    statements = [
        labelled(name, weight, FEATURES, statement_rows) for name, weight in STATEMENT_SETS.items()
    ]
    answers = [
        labelled(name, weight, ANSWER_FEATURES, answer_rows) for name, weight in ANSWER_SETS.items()
    ]
    print(f"{'AUC':16}{'others':>8}{'folds':>8}{'fit':>8}{'n':>8}")
    models = {
        "statement": fitted(statements, FEATURES, evaluate=not options.quick),
        "answer": fitted(answers, ANSWER_FEATURES, evaluate=not options.quick),
    }
    for name, model in models.items():
        print(name, json.dumps({"bias": model["bias"], "weights": model["weights"]}))
    if not options.dry_run:
        WEIGHTS.write_text(json.dumps(models, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
