"""`rag-eval calibrate`: the judge against people, and the samples they should label next."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.types import NonNegativeInt

from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.inputs import run_at
from llamaindex_rag_eval.cli.options import RUN_HELP, STORE, Out, Store
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
    seed: int = 0,
    store: Store = STORE,
    printer: Printer = Printer(),
) -> None:
    """Compare the judge with people: agreement, threshold, misses, corrected means.

    The judge helps a mean by people from 20 labels drawn at random on; a best threshold takes 50.

    Args:
        labels: Labels by people: CSV or JSON Lines with an id and a label.
        metric: Which to label next; the first one by default.
        threshold: The lowest score that the judge passes.
        scale: The lowest and the highest label, as 1 5.
        following: Write a sheet with this many samples to label: half at random, more up to 20.
        out: The sheet to write; it is never overwritten.
        other: Another judge's run: label where the two differ.
        report: Write an HTML page, with the reliability plot, to this file.
        seed: The same seed gives the same result.
    """
    if labels is None and not following:
        raise InputError("expected a file of labels, or --next 50 for a sheet to write them in")
    from llamaindex_rag_eval.decisions.calibration import calibrate
    from llamaindex_rag_eval.decisions.label_sheet import label_next, write_label_sheet
    from llamaindex_rag_eval.decisions.labels import read_labels
    from llamaindex_rag_eval.report.calibration import write_calibration
    from llamaindex_rag_eval.report.calibration_tables import calibration_tables

    judged = run_at(run, store)
    names = [info.spec for info in judged.metrics]
    given = () if labels is None else read_labels(labels, metrics=names, scale=scale)
    if given:
        calibration = calibrate(judged, given, threshold=threshold, seed=seed)
        printer.show(*calibration_tables(calibration))
        printer.data(calibration.as_json())
        if report is not None:
            printer.note(f"the page is in {str(write_calibration(calibration, report))!r}")
    elif labels is not None:
        printer.note(f"nothing is labelled yet in {str(labels)!r}")
    if following:
        another = None if other is None else run_at(other, store)
        chosen = label_next(
            judged, metric or names[0], count=following, labels=given, other=another, seed=seed
        )
        write_label_sheet(judged, chosen, out, scale=scale)
        random = sum(entry.chosen == "random" for entry in chosen)
        how = f"{random} drawn at random, {len(chosen) - random} chosen as doubtful"
        printer.note(f"{len(chosen)} samples to label are in {str(out)!r}: {how}")
