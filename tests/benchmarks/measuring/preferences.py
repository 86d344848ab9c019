"""Preferences: do differences of scores go with which of two answers people prefer?"""

import asyncio
import zlib
from collections.abc import Sequence

import numpy as np

from tests.benchmarks.measuring.baselines import baselines
from tests.benchmarks.measuring.bench import Bench, Figures
from tests.benchmarks.measuring.coefficients import pearson
from tests.benchmarks.measuring.records import Array, Record, labels, sample
from tests.benchmarks.measuring.row import Row, row_of

NAME = "ragchecker_pref"
METRICS = {
    "correctness": "response_precision",
    "completeness": "response_recall",
    "overall": "response_f1",
}
"""What people were asked, and the metric that RAGChecker answers it with."""
TARGETS = {"correctness": 0.45, "completeness": 0.55, "overall": 0.52}
FOLDS = 10
RIDGE = 20.0
"""Penalty of the regression on three standardised differences."""


def preferences(bench: Bench) -> list[Row]:
    """Return how far differences agree with preferences: each metric, and three of them together.

    The three are put together by a ridge regression, which predicts each tenth of the questions
    from the others.
    """
    rows = bench.records(NAME)
    differences = {metric: _difference(bench, metric, rows) for metric in METRICS.values()}
    precision, recall, _ = differences.values()
    inputs = (precision, recall, _claims_made(bench, rows))
    one, two = (baselines(rows, "reference", side) for side in ("response1", "response2"))
    beside = {title: two[title] - one[title] for title in one}
    found = []
    for label, metric in METRICS.items():
        people = labels(rows, label)
        measure = f"{metric} ~ {label}"
        found.append(
            row_of(bench, NAME, measure, pearson, rows, people, differences[metric],
                   llm=_ragchecker(rows, label), beside=beside, aside=True)
        )  # fmt: skip
    for label, target in TARGETS.items():
        people = labels(rows, label)
        together = Figures(
            _crossed([each.score for each in inputs], people, rows),
            _crossed([each.graded for each in inputs], people, rows),
        )
        measure = f"three metrics ~ {label}"
        found.append(
            row_of(bench, NAME, measure, pearson, rows, people, together, target=target,
                   llm=_ragchecker(rows, label), beside=beside)
        )  # fmt: skip
    return found


def _difference(bench: Bench, metric: str, rows: Sequence[Record]) -> Figures:
    def judged(side: str) -> Figures:
        answers = [sample({**row, "response": row[side]}, "reference") for row in rows]
        return bench.measured(metric, answers)

    one, two = judged("response1"), judged("response2")
    return Figures(
        np.nan_to_num(two.score) - np.nan_to_num(one.score),
        np.nan_to_num(two.graded) - np.nan_to_num(one.graded),
    )


def _ragchecker(rows: Sequence[Record], label: str) -> Array:
    """Return the difference of the scores that RAGChecker's LLM judge gave."""
    pairs = [row["ragchecker"][label] for row in rows]  # type: ignore[index] # a mapping
    return np.array([two - one for one, two in pairs], dtype=np.float64)


def _claims_made(bench: Bench, rows: Sequence[Record]) -> Figures:
    """Return the difference in the logarithm of how many claims the two answers make."""

    async def count(row: Record, side: str) -> float:
        claims = await bench.judge.claims(str(row[side]), question=str(row["question"]))
        return float(np.log1p(len(claims)))

    async def run() -> list[float]:
        return [await count(row, "response2") - await count(row, "response1") for row in rows]

    values = np.array(asyncio.run(run()))
    return Figures(values, values)


def _crossed(inputs: Sequence[Array], people: Array, rows: Sequence[Record]) -> Array:
    """Return predictions of preferences, each by a ridge regression on the other folds."""
    table = np.stack(inputs, axis=1)
    table = table / (table.std(axis=0) + 1e-9)
    fold = np.array([zlib.crc32(str(row["group"]).encode()) % FOLDS for row in rows])
    found = np.zeros(len(rows))
    for each in range(FOLDS):
        seen = table[fold != each]
        square = seen.T @ seen + RIDGE / 2 * np.eye(table.shape[1])
        weights = np.linalg.solve(square, seen.T @ people[fold != each])
        found[fold == each] = table[fold == each] @ weights
    return found
