"""The report of a sweep: a table for the terminal, CSV, JSON, and one HTML page with plots."""

import csv
import io
import json
from pathlib import Path
from typing import Literal

from rich import box
from rich.table import Table
from rich.text import Text

from llamaindex_rag_eval.data.files import safe_cell, write_whole
from llamaindex_rag_eval.data.plain_text import json_safe
from llamaindex_rag_eval.decisions.sweep_result import SettingResult, SweepResult
from llamaindex_rag_eval.report.figures import Plot, PlotPoint, plot_of
from llamaindex_rag_eval.report.numbers import interval, number
from llamaindex_rag_eval.report.templates import render
from llamaindex_rag_eval.stats.interval import Estimate

WIDEST = 32
"""Columns of the terminal that a setting's name takes at most."""


def found_in_words(one: SettingResult) -> str:
    """Return what became of a setting, with the reason where there is one."""
    words = {"left": "not told apart from it"}.get(one.state, one.state)
    return f"{words}: {one.reason}" if one.reason else words


def sweep_table(sweep: SweepResult) -> Table:
    """Return the settings, the best first, with score, interval, latency and tokens."""
    table = Table(box=box.SIMPLE_HEAD, title=Text(f"By {sweep.metric.spec}"), title_justify="left")
    longest = max(len(one.name) for one in sweep.settings)
    table.add_column("setting", overflow="fold", min_width=min(WIDEST, longest))
    for name in ("mean", "interval", "questions", "s", "tokens"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("found", overflow="fold", ratio=1)
    for one in sweep.ranked:
        mean = one.mean(sweep.metric.spec)
        table.add_row(
            Text(one.name),
            number(mean.value),
            interval(mean.low, mean.high),
            str(one.questions),
            "–" if one.latency is None else f"{one.latency:.2f}",
            "–" if one.tokens is None else f"{one.tokens:,.0f}",
            Text(found_in_words(one)),
            style={"recommended": "green", "dropped": "dim", "out": "red"}.get(one.state, ""),
        )
    return table


def sweep_csv(sweep: SweepResult) -> str:
    """Return a row for each setting, safe to open in a spreadsheet."""
    parameters = list(dict.fromkeys(key for one in sweep.settings for key in one.parameters))
    numbers = ("questions", "failed", "latency", "tokens", "cost")
    head = ["setting", "state", *parameters, *numbers]
    for spec in sweep.metrics:
        head += [spec, f"{spec} low", f"{spec} high", f"{spec} n"]
    rows: list[list[object]] = [[*head, "reason"]]
    for one in sweep.settings:
        row: list[object] = [one.name, one.state]
        row += [one.parameters.get(key, "") for key in parameters]
        row += [getattr(one, name) for name in numbers]
        for spec in sweep.metrics:
            mean = one.mean(spec)
            row += ["" if end is None else end for end in (mean.value, mean.low, mean.high)]
            row.append(mean.n)
        rows.append([*row, one.reason])
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(
        [safe_cell(cell) if isinstance(cell, str) else cell for cell in row] for row in rows
    )
    return file.getvalue()


def price_plot(sweep: SweepResult, of: Literal["latency", "tokens"]) -> Plot | None:
    """Return the plot of scores against a price; `None` where no setting has that price."""
    front = sweep.front(of)
    return plot_of(
        PlotPoint(
            number=number,
            name=one.name,
            state=one.state,
            score=one.mean(sweep.metric.spec),
            price=Estimate(getattr(one, of)),
            on_front=one.name in front,
        )
        for number, one in enumerate(sweep.settings, start=1)
    )


def sweep_html(sweep: SweepResult) -> str:
    """Return the page: what was found, the plots, and the table of all settings.

    It loads nothing and runs no script; every text is escaped.
    """
    return render(
        "sweep.html.j2",
        sweep=sweep,
        numbers={one.name: place for place, one in enumerate(sweep.settings, start=1)},
        plots=[
            (title, unit, plot)
            for title, unit, plot in (
                ("tokens of an answer", "tokens", price_plot(sweep, "tokens")),
                ("seconds of an answer", "seconds", price_plot(sweep, "latency")),
            )
            if plot is not None
        ],
        found_in_words=found_in_words,
    )


def write_sweep(sweep: SweepResult, folder: str | Path) -> tuple[Path, ...]:
    """Write `sweep.csv`, `sweep.json` and `sweep.html` to a folder, and return their paths.

    Raises:
        OutputError: They cannot be written.
    """
    texts = {
        "sweep.csv": sweep_csv(sweep),
        "sweep.json": json_safe(json.dumps(sweep.as_json(), ensure_ascii=False, indent=2)) + "\n",
        "sweep.html": sweep_html(sweep),
    }
    return tuple(write_whole(Path(folder) / name, [text]) for name, text in texts.items())
