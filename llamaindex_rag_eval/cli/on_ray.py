"""`--on ray`: a command's work goes to a Ray cluster, its results to a folder of Parquet files."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.errors import exit_if_failed
from llamaindex_rag_eval.errors import InputError

if TYPE_CHECKING:
    from llamaindex_rag_eval.runs.clusters import Clustering
    from llamaindex_rag_eval.runs.folder import RunFolder

REFUSED = ("--dry-run", "--repeats", "--batch", "--keep")
"""Options of `rag-eval evaluate` that exclude `--on`."""


@contextmanager
def prepared_on(on: str | None, workers: int | None = None) -> Iterator[None]:
    """Let a cluster read and cut documents, or so many processes of this machine.

    Raises:
        InputError: Ray does not answer, or is to have processes of this machine.
    """
    from testset.corpus.cores import working_on

    if on is not None and workers is not None:
        raise InputError("--workers is for this machine: leave it out beside --on")
    with working_on(on, workers):
        yield


def refused_on(*given: object) -> None:
    """Refuse the options in `REFUSED` beside `--on`.

    Raises:
        InputError: One has a value.
    """
    for option, value in zip(REFUSED, given, strict=True):
        if value:
            raise InputError(f"--on and {option} exclude one another")


def print_means(
    score: Callable[..., Any], out: Path, clusters: "Clustering", printer: Printer
) -> None:
    """Score answers on Ray, and print the means.

    Args:
        score: Writes a run to the folder `out`.
        out: The folder of the run; of a file of scores, its name without the suffix.
        clusters: What counts as one draw.
        printer: Prints the means.

    Raises:
        InputError: Ray does not answer.
    """
    from llamaindex_rag_eval.data.file_system import whole_uri
    from llamaindex_rag_eval.report.tables import summary_table

    folder = whole_uri(out.with_suffix("") if out.suffix in (".csv", ".jsonl") else out)
    with printer.progress("scoring") as progress:
        run: RunFolder = score(out=folder, progress=progress)
    summaries = run.summary(clusters)
    printer.data(
        {
            "scores": folder,
            "name": run.name,
            "questions": len(run),
            "metrics": [summary.as_json() for summary in summaries],
            "notes": list(run.provenance.notes),
        }
    )
    printer.show(summary_table(run.name or "Run", summaries), *run.provenance.notes)
    printer.show(f"Scores in {folder}, a folder of Parquet files.")
    reasons = [f"{spec}: {count} failed: {why}" for spec, why, count in run.failures()]
    missing = sum(summary.missing for summary in summaries)
    if missing:
        reasons.append(f"{missing} results are missing. {run.provenance.notes[-1]}")
    exit_if_failed(printer, reasons, stopped=bool(run.provenance.stopped))
