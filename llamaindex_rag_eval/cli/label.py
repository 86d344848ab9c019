"""`rag-eval label`: a page on which people say whether answers are right."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.types import PositiveInt

from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.options import Page, Seed
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.cli.stored import RUN_HELP, Stored


def label_command(
    run: Annotated[str, Parameter(metavar="RUN", help=RUN_HELP)] = "last",
    /,
    *,
    labels: Path = Path("labels.jsonl"),
    metric: str = "",
    size: PositiveInt = 50,
    from_csv: Path | None = None,
    to_csv: Path | None = None,
    seed: Seed = 0,
    stored: Stored = Stored(),
    page: Page = Page(),
) -> None:
    """Label the answers of a run in a browser.

    On this machine alone, by keyboard: right, partly, wrong or not attempted, why, and whether
    the contexts support each claim. What the judge says is hidden until a label is saved. Half
    of the answers are drawn at random, at least 20; the others are those whose score is most
    doubtful. Several people can label into one file. `rag-eval more calibrate labels.jsonl` then
    says how far the judge can be trusted. Ctrl-C ends it; start it again to go on.

    Args:
        labels: The file of labels, JSON Lines; lines are only ever added to it.
        metric: Whose scores are checked; by default answer_verdict, or the first that reads
            answers.
        size: How many answers are chosen at a time.
        from_csv: First add the labels of this table, as `rag-eval more calibrate --next` writes it.
        to_csv: Write the labels to this table instead, and show no page.
    """
    writable(labels)
    labelling = library.Labelling(stored.run(run), labels, metric=metric, size=size, seed=seed)
    if from_csv is not None:
        specs = [info.spec for info in labelling.run.metrics]
        count = labelling.take(library.read_labels(from_csv, metrics=specs), from_csv.stem)
        printer.note(f"{count} labels of {str(from_csv)!r} are in {str(labels)!r}")
    if to_csv is not None:
        printer.note(f"{labelling.write_csv(to_csv)} labels are in {str(to_csv)!r}")
        return
    serve = page.server("label", extra="ui")
    ready = page.ready(f"Labels go to {str(labels)!r}. Open it in a browser; Ctrl-C ends.")
    serve(labelling, ready=ready)
