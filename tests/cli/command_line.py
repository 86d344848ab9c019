"""The command line in a test, and runs in files for it."""

from collections.abc import Sequence
from pathlib import Path

from typer.testing import CliRunner, Result

from llamaindex_rag_eval.cli import app
from tests.report.runs import run_of_scores

DOCS = Path(__file__).parents[2] / "examples" / "docs"


def rag_eval(*arguments: object) -> Result:
    """Return what `rag-eval` with these arguments prints, and its exit code."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def run_file(folder: Path, name: str, **scores: Sequence[float | None]) -> str:
    """Write a run with these scores, and return its path."""
    return str(run_of_scores(name, scores).to_jsonl(folder / f"{name}.jsonl"))
