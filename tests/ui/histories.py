"""Runs over time, for tests of `rag-eval ui`."""

from collections.abc import Sequence
from dataclasses import replace

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.runs.run import Run
from tests.report.runs import run_of_scores


def run_on(
    day: int,
    name: str = "main",
    *,
    samples: Sequence[SingleTurnSample] | None = None,
    **scores: Sequence[float | None],
) -> Run:
    """Return a run that was made on this day of a month."""
    run = run_of_scores(name, scores, samples=samples)
    started = f"2026-03-{day:02}T04:30:00+00:00"
    return replace(run, provenance=run.provenance.model_copy(update={"started": started}))
