"""The command line in a test, and runs in files for it."""

import contextlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from llamaindex_rag_eval.cli import start
from tests.report.runs import run_of_scores

DOCS = Path(__file__).parents[2] / "examples" / "docs"

SITES = DOCS / "sites"
"""A few of them."""


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    exit_code: int
    stdout: str
    stderr: str

    @property
    def output(self) -> str:
        """What it printed on both streams."""
        return self.stdout + self.stderr


def rag_eval(*arguments: object) -> Ended:
    """Return what `rag-eval` with these arguments prints, and its exit code."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            start([str(argument) for argument in arguments])
        except SystemExit as ended:
            code = int(ended.code or 0)
    return Ended(code, out.getvalue(), err.getvalue())


def run_file(folder: Path, name: str, **scores: Sequence[float | None]) -> str:
    """Write a run with these scores, and return its path."""
    return str(run_of_scores(name, scores).to_jsonl(folder / f"{name}.jsonl"))
