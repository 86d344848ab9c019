"""`rag-eval more calibrate`: the judge against people, and the samples they should label next."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.types import NonNegativeInt

from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.inputs import holds_run
from llamaindex_rag_eval.cli.options import Out, Seed
from llamaindex_rag_eval.cli.stored import RUN_HELP, Stored
from llamaindex_rag_eval.errors import InputError


def calibrate_command(
    labels: Path | None = None,
    /,
    *,
    run: Annotated[str, Parameter(metavar="RUN", help=RUN_HELP)] = "last",
    metric: str = "",
    threshold: float | None = None,
    scale: tuple[float, float] = (0.0, 1.0),
    following: Annotated[NonNegativeInt, Parameter(name="--next")] = 0,
    out: Out = Path("to-label.csv"),
    other: Annotated[str | None, Parameter(metavar="RUN")] = None,
    report: Path | None = None,
    seed: Seed = 0,
    stored: Stored = Stored(),
) -> None:
    """Compare the judge with labels by people.

    Shown are agreement, the best threshold, misses, and corrected means. The judge helps a mean
    by people from 20 labels drawn at random on; a best threshold takes 50.

    Args:
        labels: Labels by people: CSV or JSON Lines with an id and a label.
        metric: Which to label next; the first one by default.
        threshold: The lowest score that the judge passes.
        scale: The lowest and the highest label, as 1 5.
        following: Write a sheet with this many samples to label: half at random, more up to 20.
        out: The sheet to write; it is never overwritten.
        other: Another judge's run: label where the two differ.
        report: Write an HTML page, with the reliability plot, to this file.
    """
    if labels is None and not following:
        raise InputError("expected a file of labels, or --next 50 for a sheet to write them in")
    if labels is not None:
        _refuse_run(labels)
    judged = stored.run(run)
    names = [info.spec for info in judged.metrics]
    known = () if labels is None else library.read_labels(labels, metrics=names, scale=scale)
    if known:
        calibration = library.calibrate(judged, known, threshold=threshold, seed=seed)
        printer.show(*library.calibration_tables(calibration))
        printer.data(calibration.as_json())
        if report is not None:
            library.write_calibration(calibration, report)
            printer.note(f"the page is in {str(report)!r}")
    elif labels is not None:
        printer.note(f"nothing is labelled yet in {str(labels)!r}")
    if following:
        sheet = library.label_next(
            judged,
            metric or names[0],
            count=following,
            labels=known,
            other=None if other is None else stored.run(other),
            seed=seed,
        )
        library.write_label_sheet(judged, sheet, out, scale=scale)
        random = sum(entry.chosen == "random" for entry in sheet)
        how = f"{random} drawn at random, {len(sheet) - random} chosen as doubtful"
        printer.note(f"{len(sheet)} samples to label are in {str(out)!r}: {how}")


def _refuse_run(labels: Path) -> None:
    if holds_run(labels):
        raise InputError(
            f"{str(labels)!r} is a run; expected labels by people, in a sheet that --next 50 "
            f"writes, beside --run {labels}"
        )
