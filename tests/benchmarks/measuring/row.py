"""A row of the table: one metric against the people of one set."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tests.benchmarks.measuring.bench import Bench, Figures
from tests.benchmarks.measuring.coefficients import (
    Agreement,
    Estimate,
    auc,
    calibration_error,
    interval,
    pearson,
    scored_auc,
)
from tests.benchmarks.measuring.records import REPOSITORY, Array, Record

WEIGHTS = REPOSITORY / "llamaindex_rag_eval" / "judge" / "rules" / "weights.json"
NAMES: Mapping[Agreement, str] = {auc: "AUC", scored_auc: "AUC", pearson: "r"}
NO_ECE = {
    "ratings": "people gave ratings, and no yes or no",
    "no claims": "the metric does not count claims by their probability",
}
"""Why a row has no calibration error."""


@dataclass(frozen=True)
class Row:
    """The agreement of one metric with the people of one set.

    Attributes:
        set: The set.
        measure: The metric and what its agreement is with.
        coefficient: `AUC` or `r`.
        n: Records.
        undefined: How many of them have no value.
        score: Agreement of the metric's value.
        graded: Agreement of its graded value; None if it has none.
        ece: Expected calibration error of the graded value, or a key of `NO_ECE`.
        held_out: AUC of the graded value by weights that were fitted on other folds, and on other
            sets, of the development halves; None if the set is not fitted on.
        baseline: Agreement of the baseline of one line that agrees best, and its name.
        llm: Agreement of an LLM judge's score that came with the set.
        target: What it should reach.
        aside: Whether the page of agreement does without it.
    """

    set: str
    measure: str
    coefficient: str
    n: int
    undefined: int
    score: Estimate
    graded: Estimate | None = None
    ece: float | str = "no claims"
    held_out: tuple[float, float] | None = None
    baseline: tuple[float, str] | None = None
    llm: float | None = None
    target: float | None = None
    aside: bool = False


def row_of(
    bench: Bench,
    name: str,
    measure: str,
    agree: Agreement,
    rows: Sequence[Record],
    label: Array,
    figures: Figures,
    *,
    fitted: bool = False,
    target: float | None = None,
    beside: Mapping[str, Array] | None = None,
    llm: Array | None = None,
    aside: bool = False,
) -> Row:
    """Return a row.

    Args:
        bench: Who judges.
        name: The set.
        measure: What is measured.
        agree: How agreement is measured.
        rows: The records.
        label: What people said of each.
        figures: What the metric says of each.
        fitted: Whether the measure is what the weights were fitted to.
        target: What it should reach.
        beside: What the baselines say of each, by name.
        llm: An LLM judge's score, of each.
        aside: Whether the page of agreement does without it.
    """
    group = [str(row["group"]) for row in rows]
    degrees = interval(agree, label, figures.graded, group) if figures.degrees else None
    return Row(
        set=name,
        measure=measure,
        coefficient=NAMES[agree],
        n=len(rows),
        undefined=int(np.isnan(figures.score).sum()),
        score=interval(agree, label, figures.score, group),
        graded=degrees,
        ece=_ece(label, figures),
        held_out=_held_out(name) if fitted and bench.plain else None,
        baseline=max((agree(label, each), title) for title, each in beside.items())
        if beside
        else None,
        llm=None if llm is None else agree(label, llm),
        target=target,
        aside=aside,
    )


def _ece(label: Array, figures: Figures) -> float | str:
    if not figures.degrees:
        return "no claims"
    if not set(np.unique(label)) <= {0.0, 1.0}:
        return "ratings"
    return calibration_error(label, figures.graded)


def _held_out(name: str) -> tuple[float, float] | None:
    found = json.loads(WEIGHTS.read_text(encoding="utf-8"))["auc"].get(name)
    return (found["folds"], found["others"]) if found else None
