"""`rag-eval calibrate`: the judge against people; and which samples they should label next."""

from pathlib import Path
from typing import Annotated

import typer

from llamaindex_rag_eval.cli.options import AsJson, Quiet
from llamaindex_rag_eval.cli.screen import Screen
from llamaindex_rag_eval.cli.stored import Store, run_at
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.store import DEFAULT_STORE

__all__ = ["calibrate_command"]


def calibrate_command(
    labels: Annotated[
        Path | None,
        typer.Argument(help="Labels by people: CSV or JSON Lines with an id and a label."),
    ] = None,
    run: Annotated[
        str, typer.Option("--run", metavar="RUN", help="A file, last, a name, a tag or an id.")
    ] = "last",
    metric: Annotated[
        str, typer.Option("--metric", help="Which to label next; the first one by default.")
    ] = "",
    threshold: Annotated[
        float | None, typer.Option(help="From which score on the judge says yes.")
    ] = None,
    scale: Annotated[
        tuple[float, float], typer.Option(help="The lowest and the highest label, as 1 5.")
    ] = (0.0, 1.0),
    following: Annotated[
        int, typer.Option("--next", min=0, help="Write a sheet of so many samples to label.")
    ] = 0,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="Where the sheet goes; it is never overwritten.")
    ] = Path("to-label.csv"),
    other: Annotated[
        str | None,
        typer.Option("--other", metavar="RUN", help="Another judge of the same: where they differ"),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(help="Write an HTML page, with the reliability plot, to this file."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Same seed, same choice and intervals.")] = 0,
    store: Store = str(DEFAULT_STORE),
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Compare the judge with people: agreement, threshold, misses, corrected means."""
    if labels is None and not following:
        raise InputError("expected a file of labels, or --next 50 for a sheet to write them in")
    from llamaindex_rag_eval.calibration.calibration import calibrate
    from llamaindex_rag_eval.calibration.label_sheet import label_next, write_label_sheet
    from llamaindex_rag_eval.calibration.labels import read_labels
    from llamaindex_rag_eval.cli.calibration_tables import as_json_of, tables_of
    from llamaindex_rag_eval.report.calibration import write_calibration

    screen = Screen(quiet=quiet, as_json=as_json)
    judged = run_at(run, store)
    names = [info.spec for info in judged.metrics]
    given = () if labels is None else read_labels(labels, metrics=names, scale=scale)
    if given:
        found = calibrate(judged, given, threshold=threshold, seed=seed)
        screen.show(*tables_of(found))
        screen.data(as_json_of(found))
        if report is not None:
            screen.note(f"the page is in {str(write_calibration(found, report))!r}")
    elif labels is not None:
        screen.note(f"nothing is labelled yet in {str(labels)!r}")
    if following:
        chosen = label_next(
            judged,
            metric or names[0],
            count=following,
            labels=given,
            other=None if other is None else run_at(other, store),
            seed=seed,
        )
        write_label_sheet(judged, chosen, out, scale=scale)
        screen.note(f"{len(chosen)} samples to label are in {str(out)!r}")
