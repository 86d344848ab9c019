"""`rag-eval calibrate`: the judge against people, and the samples they should label next."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.inputs import run_at
from llamaindex_rag_eval.errors import InputError

Labels = Annotated[
    Path | None, Argument(help="Labels by people: CSV or JSON Lines with an id and a label.")
]
JudgedRun = Annotated[str, Option("--run", metavar="RUN", help=options.RUN_HELP)]
OtherRun = Annotated[
    str | None,
    Option("--other", metavar="RUN", help="Another judge's run: label where the two differ."),
]
LabelMetric = Annotated[
    str, Option("--metric", help="Which to label next; the first one by default.")
]
Threshold = Annotated[
    float | None, Option("--threshold", help="The lowest score that the judge passes.")
]
Scale = Annotated[
    tuple[float, float], Option("--scale", help="The lowest and the highest label, as 1 5.")
]
NextLabels = Annotated[
    int, Option("--next", min=0, help="Write a sheet with this many samples to label.")
]
SheetOut = Annotated[
    Path, Option("--out", "-o", help="The sheet to write; it is never overwritten.")
]
CalibrationPage = Annotated[
    Path | None,
    Option("--report", help="Write an HTML page, with the reliability plot, to this file."),
]


def calibrate_command(
    labels: Labels = None,
    run: JudgedRun = "last",
    metric: LabelMetric = "",
    threshold: Threshold = None,
    scale: Scale = (0.0, 1.0),
    following: NextLabels = 0,
    out: SheetOut = Path("to-label.csv"),
    other: OtherRun = None,
    report: CalibrationPage = None,
    seed: options.Seed = 0,
    store: options.Store = options.STORE,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Compare the judge with people: agreement, threshold, misses, corrected means."""
    if labels is None and not following:
        raise InputError("expected a file of labels, or --next 50 for a sheet to write them in")
    from llamaindex_rag_eval.calibration.calibration import calibrate
    from llamaindex_rag_eval.calibration.label_sheet import label_next, write_label_sheet
    from llamaindex_rag_eval.calibration.labels import read_labels
    from llamaindex_rag_eval.report.calibration import write_calibration
    from llamaindex_rag_eval.report.calibration_tables import calibration_tables

    printer = Printer(quiet=quiet, as_json=as_json)
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
        printer.note(f"{len(chosen)} samples to label are in {str(out)!r}")
