"""Does a metric put systems in the order in which people put them?

    python -m tests.benchmarks.system_ranking [--questions 60] [--metrics answer_verdict,token_f1]

For each labelled set in which several systems answered the same questions, and each metric that
compares an answer with its reference:

- the mean of each system, the best by people first;
- tau: Kendall's, over the pairs of systems that people tell apart, which are those whose mean
  difference has a 95 % interval without 0. The others are ties and count neither way;
- its 95 % interval, from a bootstrap over questions in which people's order stands;
- r: Pearson's correlation with people, answer by answer.

`words` is the share of the reference's words that the answer has: what no judge at all would say.
An undefined score counts 0. The sets are those of `RAG_EVAL_DATA`; a set that is not there is
passed over. The embedded judge answers.
"""

import argparse
import hashlib
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval import SingleTurnSample, evaluate
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.registry import METRICS, metric_of
from llamaindex_rag_eval.models import EmbeddedOracle
from tests.benchmarks.measuring.records import (
    Array,
    MissingSetError,
    Record,
    field_shares,
    labels,
    read,
)

SETS = {
    "evouna_nq": ("correct",),
    "evouna_tq": ("correct",),
    "mtrag_human": ("appropriateness", "completeness", "faithfulness"),
    "squality_human": ("overall",),
}
"""Set -> the labels whose mean is what people say of an answer."""

GIVEN = frozenset({"query", "response", "reference"})
"""The fields by which all sets can be scored."""

RESAMPLES = 1_000
SEED = 0


class Answers(NamedTuple):
    """The answers of all systems to some questions.

    Attributes:
        rows: The records, question by question, each time in the order of the systems.
        systems: Their names.
        people: What people say, questions x systems.
    """

    rows: list[Record]
    systems: tuple[str, ...]
    people: Array


def answers_of(name: str, most: int | None) -> Answers:
    """Return the answers of a set to the questions that all its systems answered."""
    by_question: dict[str, dict[str, Record]] = defaultdict(dict)
    for row in read(name):
        system = str(row["model"])
        by_question[str(row["id"]).removesuffix(f"-{system}")][system] = row
    systems = tuple(sorted({system for found in by_question.values() for system in found}))
    whole = [key for key, found in by_question.items() if len(found) == len(systems)]
    drawn = sorted(whole, key=lambda key: hashlib.sha256(key.encode()).hexdigest())[:most]
    rows = [by_question[key][system] for key in drawn for system in systems]
    people = np.mean([labels(rows, label) for label in SETS[name]], axis=0)
    return Answers(rows, systems, people.reshape(len(drawn), len(systems)))


def reference_metrics() -> tuple[str, ...]:
    """Return the metrics over question, response and reference that rules can answer."""
    rules = EmbeddedOracle()
    return tuple(
        kind.name
        for kind in METRICS
        if issubclass(kind, Metric) and "reference" in kind.needs <= GIVEN
        if all(map(rules.answers, kind.requests))
    )


def scores_of(answers: Answers, metrics: Sequence[str]) -> dict[str, Array]:
    """Return each metric's scores, questions x systems."""
    samples = [
        SingleTurnSample(
            id=str(number),
            query=str(row["question"]),
            response=str(row["response"]),
            reference=str(row["reference"]),
        )
        for number, row in enumerate(answers.rows)
    ]
    run = evaluate(samples, metrics=[metric_of(name) for name in metrics], judge=EmbeddedOracle())
    shape = answers.people.shape
    found = {"words": field_shares(answers.rows, "reference", "response").reshape(shape)}
    for info in run.metrics:
        values = run.values(info.spec)
        found[info.spec] = np.array([values.get(s.id, 0.0) for s in samples]).reshape(shape)
    return found


def told_apart(people: Array, draws: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Return the pairs of systems that people tell apart, the better one first."""
    means = people[draws].mean(axis=1)  # resamples x systems
    pairs = []
    for one, other in combinations(range(people.shape[1]), 2):
        low, high = np.quantile(means[:, one] - means[:, other], [0.025, 0.975])
        if low > 0 or high < 0:
            pairs.append((one, other) if low > 0 else (other, one))
    return pairs


def tau_of(means: Array, pairs: Sequence[tuple[int, int]]) -> float:
    """Return Kendall's tau over these pairs: those in order less those in reverse, as a share.

    Example:
        >>> tau_of(np.array([0.9, 0.5, 0.7]), [(0, 1), (0, 2), (1, 2)])  # (2 - 1) / 3
        0.3333333333333333
    """
    return float(np.mean([np.sign(means[better] - means[worse]) for better, worse in pairs]))


def main() -> None:
    """Print a table for each set."""
    parser = argparse.ArgumentParser(description="Systems in the order of people.")
    parser.add_argument("--sets", default=",".join(SETS), help="names, separated by commas")
    parser.add_argument("--questions", type=int, help="draw that many questions of each set")
    parser.add_argument("--metrics", help="names, separated by commas; by default all that fit")
    options = parser.parse_args()
    metrics = options.metrics.split(",") if options.metrics else reference_metrics()
    for name in options.sets.split(","):
        try:
            answers = answers_of(name, options.questions)
        except MissingSetError as error:
            print(f"{name}: {error}")
            continue
        _print_table(name, answers, scores_of(answers, metrics))


def _print_table(name: str, answers: Answers, scores: dict[str, Array]) -> None:
    count = len(answers.people)
    draws = np.random.default_rng(SEED).integers(count, size=(RESAMPLES, count))
    pairs = told_apart(answers.people, draws)
    order = np.argsort(-answers.people.mean(axis=0), kind="stable")
    every = len(answers.systems) * (len(answers.systems) - 1) // 2
    print(f"\n{name}: {count} questions; people tell {len(pairs)} of {every} pairs apart\n")
    systems = [answers.systems[place] for place in order]
    print(f"| metric | tau | 95% interval | r | {' | '.join(systems)} |")
    print("|---" * (4 + len(systems)) + "|")
    for metric, values in {"people": answers.people, **scores}.items():
        means = values[draws].mean(axis=1)
        taus = [tau_of(each, pairs) for each in means] if pairs else [float("nan")]
        low, high = np.quantile(taus, [0.025, 0.975])
        tau = tau_of(values.mean(axis=0), pairs) if pairs else float("nan")
        flat = values.std() == 0
        r = 0.0 if flat else float(np.corrcoef(values.ravel(), answers.people.ravel())[0, 1])
        cells = " | ".join(f"{values.mean(axis=0)[place]:.3f}" for place in order)
        print(f"| {metric} | {tau:+.2f} | {low:+.2f} to {high:+.2f} | {r:.2f} | {cells} |")


if __name__ == "__main__":
    main()
