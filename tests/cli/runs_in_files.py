"""Runs in files, and the command line over them."""

from collections.abc import Sequence
from pathlib import Path

from typer.testing import CliRunner, Result

from llamaindex_rag_eval.cli import app
from tests.report.runs import run_of_scores

__all__ = ["invoked", "run_file"]


def run_file(folder: Path, name: str, **scores: Sequence[float | None]) -> str:
    """Write a run with these scores, and return where it is."""
    return str(run_of_scores(name, scores).to_jsonl(folder / f"{name}.jsonl"))


def invoked(*arguments: str) -> Result:
    """Return what `rag-eval` with these arguments does."""
    return CliRunner().invoke(app, list(arguments))
