"""`rag-eval compare`: which pipeline is better than the baseline?"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.batch import batch_folder, finished
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.errors import exit_if_failed
from llamaindex_rag_eval.cli.inputs import judge_from, name_of, names_in, source_at
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.cli.report import run_before
from llamaindex_rag_eval.errors import InputError

if TYPE_CHECKING:
    from rich.table import Table

    from llamaindex_rag_eval.comparison.comparison import Comparison
    from llamaindex_rag_eval.comparison.comparisons import Comparisons
    from llamaindex_rag_eval.data.dataset import EvaluationDataset
    from llamaindex_rag_eval.gates.decision import Decision
    from llamaindex_rag_eval.gates.margins import Margins
    from llamaindex_rag_eval.runs.run import Run

ComparedRuns = Annotated[
    list[str],
    Argument(
        metavar="RUN...",
        help="The baseline, then what is compared with it: files of answers or of runs; or "
        "stored runs: last, last~1, a name, a tag or an id.",
    ),
]
Baseline = Annotated[
    str | None, Option("--baseline", "-b", metavar="RUN", help="The baseline, if not the first.")
]
AlsoReport = Annotated[Path | None, Option("--report", "-r", help="Also write an HTML report.")]


def compare_command(
    runs: ComparedRuns,
    baseline: Baseline = None,
    metrics: options.Metrics = None,
    report: AlsoReport = None,
    clusters: options.Clusters = "documents",
    margin: options.Margin = None,
    store: options.Store = options.STORE,
    llm: options.Llm = None,
    checker: options.Checker = None,
    embed: options.Embed = None,
    cache: options.Cache = None,
    workers: options.Workers = None,
    batch: options.Batch = None,
    batch_submit: options.BatchSubmit = False,
    batch_format: options.BatchFormat = None,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Compare two pipelines or more, question by question.

    For each metric: the means, the difference with its interval, a test corrected for the number
    of metrics and pipelines, and how many questions are missing on either side. Questions that
    share a document count as one draw. The decision is that of a report: ship, do not ship, or
    cannot tell yet.
    """
    from llamaindex_rag_eval.comparison.compare import compare
    from llamaindex_rag_eval.gates.decision import decide
    from llamaindex_rag_eval.gates.margins import Margins

    printer = Printer(quiet=quiet, as_json=as_json)
    references = ([] if baseline is None else [baseline]) + [r for r in runs if r != baseline]
    if len(references) < 2:
        raise InputError(f"expected two runs or more, got {len(references)}")
    if report is not None:
        writable(report)
    margins = Margins.parse(margin or None)
    folder = batch_folder(batch, batch_submit, batch_format, llm)
    judge = judge_from(llm, cache, checker=checker, embed=embed, batch=folder)
    sources = [source_at(reference, store) for reference in references]

    def work() -> "Comparisons":
        with printer.progress_by_name("scoring") as progress:
            return compare(
                dict(zip(_names(references, sources), sources, strict=True)),
                metrics=names_in(metrics) or None,
                judge=judge,
                workers=workers,
                progress=progress,
                clusters=clusters,
            )

    compared = finished(work, folder, llm, batch_submit, printer)
    found = compared.pairs[0] if len(compared.pairs) == 1 else compared
    reported = () if report is None else (_written(compared, report, store, margins),)
    decisions = [decide(pair, margins) for pair in compared.pairs]
    printer.data(found.as_json() | {"decisions": [one.as_json() for one in decisions]})
    said = (*map(_decided, decisions), *found.verdict, *found.resource_sentences, *found.notes)
    printer.show(*_tables(found), *said, *reported)
    _exit_if_failed(printer, compared)


def _exit_if_failed(printer: Printer, compared: "Comparisons") -> None:
    """Leave with an exit code if a run was stopped, or has results that failed."""
    from llamaindex_rag_eval.report.tables import why_without_score

    judged = (compared.baseline, *(pair.pairing.b for pair in compared.pairs))
    stopped = any(run.provenance.stopped for run in judged)
    exit_if_failed(printer, why_without_score(*judged), stopped=stopped)


def _decided(decision: "Decision") -> str:
    """Return a decision and its first reason in a line."""
    return " ".join((f"{decision.name}: {decision.headline}.", *decision.reasons[:1]))


def _written(compared: "Comparisons", report: Path, store: str, margins: "Margins") -> str:
    """Write the report, and say where."""
    from llamaindex_rag_eval.report.html import write_html

    before = run_before(compared.pairs[-1].pairing.b, store)
    return f"Report in {write_html(compared, report, before=before, margins=margins)}."


def _names(
    references: Sequence[str], sources: "Sequence[Run | EvaluationDataset]"
) -> tuple[str, ...]:
    """Return the name of each run or file of answers, none twice."""
    from llamaindex_rag_eval.comparison.comparison import unique_names
    from llamaindex_rag_eval.runs.run import Run

    names = [
        source.name if isinstance(source, Run) else name_of(Path(reference))
        for reference, source in zip(references, sources, strict=True)
    ]
    return ("A", "B") if len(names) == 2 and names[0] == names[1] else unique_names(names)


def _tables(compared: "Comparison | Comparisons") -> "list[Table]":
    """Return the table of scores, and that of time, tokens and money where these are known."""
    from llamaindex_rag_eval.comparison.comparisons import Comparisons
    from llamaindex_rag_eval.report.resources import resources_table
    from llamaindex_rag_eval.report.tables import comparison_table, comparisons_table

    if isinstance(compared, Comparisons):
        scores = comparisons_table(compared)
    else:
        scores = comparison_table(compared)
    taken = resources_table(compared)
    return [scores] if taken is None else [scores, taken]
