"""`rag-eval compare`: which pipeline is better than the baseline?"""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.batch import Batch
from llamaindex_rag_eval.cli.console import Printer, printer
from llamaindex_rag_eval.cli.errors import exit_if_unscored
from llamaindex_rag_eval.cli.inputs import name_of
from llamaindex_rag_eval.cli.judging import Judging
from llamaindex_rag_eval.cli.options import DecidedBy, Scoring
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.cli.stored import Stored
from llamaindex_rag_eval.errors import InputError


def compare_command(
    runs: list[str],
    /,
    *,
    baseline: Annotated[str | None, Parameter(alias="-b", metavar="RUN")] = None,
    scoring: Scoring = Scoring(),
    report: Annotated[Path | None, Parameter(alias="-r")] = None,
    decided_by: DecidedBy = DecidedBy(),
    judging: Judging = Judging(),
    stored: Stored = Stored(),
    batch: Batch = Batch(),
) -> None:
    """Compare two pipelines or more, question by question.

    For each metric: the means, the difference with its interval, corrected for the number of
    metrics and pipelines, and how many questions are missing on either side. The decision is that
    of the gate and of a report: one metric decides, the others stop a pipeline that is shown to be
    worse on them.

    Args:
        runs: The baseline, then what is compared with it: files of answers or of runs; or stored
            runs: last, last~1, a name, a tag or an id.
        baseline: The baseline, if not the first.
        report: Also write an HTML report.
    """
    policy = decided_by.policy(clusters=scoring.clusters)
    references = ([] if baseline is None else [baseline]) + [r for r in runs if r != baseline]
    if len(references) < 2:
        raise InputError(f"expected two runs or more, got {len(references)}")
    if report is not None:
        writable(report)
    rounds = batch.rounds(judging)
    judge = rounds.judge()
    sources = [(reference, stored.source(reference, scoring.images)) for reference in references]

    def work() -> "rag.Comparisons":
        with printer.progress_by_name("scoring") as progress:
            return rag.compare(
                dict(zip(_names(sources), (source for _, source in sources), strict=True)),
                metrics=scoring.names or None,
                judge=judge,
                workers=scoring.workers,
                progress=progress,
                clusters=scoring.clusters,
            )

    compared = rounds.finished(work)
    _print_comparison(compared, policy, printer)
    if report is not None:
        before = stored.before(compared.runs[-1])
        library.write_html(compared, report, before=before, policy=policy)
        printer.show(f"Report in {report}.")
    exit_if_unscored(compared.runs)


def _print_comparison(
    compared: "rag.Comparisons", policy: "library.Policy", printer: Printer
) -> None:
    """Print tables and decisions."""
    shown: rag.Comparison | rag.Comparisons = compared
    table = library.comparisons_table(compared)
    if len(compared.pairs) == 1:
        shown, table = compared.pairs[0], library.comparison_table(compared.pairs[0])
    decisions = [library.decide_pair(pair, policy) for pair in compared.pairs]
    sentences = [
        " ".join((f"{each.name}: {each.headline}.", *each.reasons[:1])) for each in decisions
    ]
    sentences += [*shown.verdict, *shown.resource_sentences, *shown.notes]
    printer.data(shown.as_json() | {"decisions": [each.as_json() for each in decisions]})
    printer.show(*filter(None, (table, library.resources_table(shown))), *sentences)


def _names(sources: "list[tuple[str, rag.Run | rag.EvaluationDataset]]") -> tuple[str, ...]:
    """Return the name of each run or file of answers, none twice."""
    names = [
        source.name if isinstance(source, rag.Run) else name_of(Path(reference))
        for reference, source in sources
    ]
    return ("A", "B") if len(names) == 2 and names[0] == names[1] else library.unique_names(names)
