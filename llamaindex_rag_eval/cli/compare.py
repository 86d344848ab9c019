"""`rag-eval compare`: which pipeline is better than the baseline?"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.cli.batch import Batch
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.errors import exit_if_unscored
from llamaindex_rag_eval.cli.inputs import name_of, names_in, source_at
from llamaindex_rag_eval.cli.judging import Judging
from llamaindex_rag_eval.cli.options import STORE, Clusters, Images, Margin, Metrics, Store, Workers
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.cli.report import run_before
from llamaindex_rag_eval.errors import InputError

if TYPE_CHECKING:
    from llamaindex_rag_eval.decisions.margins import Margins


def compare_command(
    runs: list[str],
    /,
    *,
    baseline: Annotated[str | None, Parameter(alias="-b", metavar="RUN")] = None,
    metrics: Metrics = None,
    report: Annotated[Path | None, Parameter(alias="-r")] = None,
    clusters: Clusters = "documents",
    margin: Margin = None,
    store: Store = STORE,
    judging: Judging = Judging(),
    images: Images = None,
    workers: Workers = None,
    batch: Batch = Batch(),
    printer: Printer = Printer(),
) -> None:
    """Compare two pipelines or more, question by question.

    For each metric: the means, the difference with its interval, a test corrected for the number
    of metrics and pipelines, and how many questions are missing on either side. Questions that
    share a document count as one draw. The decision is that of a report: ship, do not ship, or
    cannot tell yet.

    Args:
        runs: The baseline, then what is compared with it: files of answers or of runs; or stored
            runs: last, last~1, a name, a tag or an id.
        baseline: The baseline, if not the first.
        report: Also write an HTML report.
    """
    from llamaindex_rag_eval.decisions.margins import Margins

    margins = Margins.parse(margin or None)
    references = ([] if baseline is None else [baseline]) + [r for r in runs if r != baseline]
    if len(references) < 2:
        raise InputError(f"expected two runs or more, got {len(references)}")
    if report is not None:
        writable(report)
    rounds = batch.rounds(judging, printer)
    judge = rounds.judge()
    sources = [source_at(reference, store, images) for reference in references]

    def work() -> "rag.Comparisons":
        with printer.progress_by_name("scoring") as progress:
            return rag.compare(
                dict(zip(_names(references, sources), sources, strict=True)),
                metrics=names_in(metrics) or None,
                judge=judge,
                workers=workers,
                progress=progress,
                clusters=clusters,
            )

    _print_comparison(rounds.finished(work), report, store, margins, printer)


def _print_comparison(
    compared: "rag.Comparisons",
    report: Path | None,
    store: str,
    margins: "Margins",
    printer: Printer,
) -> None:
    """Print tables and decisions, and write a report; exit if scores lack."""
    from llamaindex_rag_eval.decisions.decision import decide
    from llamaindex_rag_eval.report.html import write_html
    from llamaindex_rag_eval.report.resources import resources_table
    from llamaindex_rag_eval.report.tables import comparison_table, comparisons_table

    shown: rag.Comparison | rag.Comparisons = compared
    table = comparisons_table(compared)
    if len(compared.pairs) == 1:
        shown, table = compared.pairs[0], comparison_table(compared.pairs[0])
    decisions = [decide(pair, margins) for pair in compared.pairs]
    sentences = [
        " ".join((f"{each.name}: {each.headline}.", *each.reasons[:1])) for each in decisions
    ]
    sentences += [*shown.verdict, *shown.resource_sentences, *shown.notes]
    if report is not None:
        before = run_before(compared.runs[-1], store)
        written = write_html(compared, report, before=before, margins=margins)
        sentences.append(f"Report in {written}.")
    printer.data(shown.as_json() | {"decisions": [each.as_json() for each in decisions]})
    printer.show(*filter(None, (table, resources_table(shown))), *sentences)
    exit_if_unscored(printer, compared.runs)


def _names(
    references: Sequence[str], sources: "Sequence[rag.Run | rag.EvaluationDataset]"
) -> tuple[str, ...]:
    """Return the name of each run or file of answers, none twice."""
    from llamaindex_rag_eval.decisions.comparison import unique_names

    names = [
        source.name if isinstance(source, rag.Run) else name_of(Path(reference))
        for reference, source in zip(references, sources, strict=True)
    ]
    return ("A", "B") if len(names) == 2 and names[0] == names[1] else unique_names(names)
