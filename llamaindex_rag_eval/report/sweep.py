"""The report of a sweep: a table for the terminal, JSON, and one HTML page with plots."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from rich.table import Table

from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.data.plain_text import json_safe
from llamaindex_rag_eval.decisions.sweep_result import SettingResult, SweepResult
from llamaindex_rag_eval.report.console import text_table
from llamaindex_rag_eval.report.figures import Plot, PlotPoint, plot_of
from llamaindex_rag_eval.report.numbers import interval, number
from llamaindex_rag_eval.report.templates import render
from llamaindex_rag_eval.stats.interval import Estimate

Price = Literal["latency", "tokens"]
PRICES: Mapping[Price, str] = {"tokens": "tokens", "latency": "seconds"}
"""What a score is plotted against, with its unit."""

STYLES = {"recommended": "green", "dropped": "dim", "out": "red"}
"""How a row looks in the terminal, by the state of its setting."""


def found_in_words(setting: SettingResult) -> str:
    """Return what became of a setting, with the reason where there is one."""
    words = {"left": "not distinguished from it"}.get(setting.state, setting.state)
    return f"{words}: {setting.reason}" if setting.reason else words


def sweep_table(sweep: SweepResult) -> Table:
    """Return the settings, the best first, with score, interval, latency and tokens."""
    columns = ("mean", "interval", "questions", "s", "tokens")
    means = [setting.mean(sweep.metric.spec) for setting in sweep.ranked]
    rows = [
        (
            setting.name,
            number(mean.value),
            interval(mean.low, mean.high),
            setting.questions,
            "–" if setting.latency is None else f"{setting.latency:.2f}",
            "–" if setting.tokens is None else f"{setting.tokens:,.0f}",
            found_in_words(setting),
        )
        for setting, mean in zip(sweep.ranked, means, strict=True)
    ]
    styles = [STYLES.get(setting.state, "") for setting in sweep.ranked]
    title = f"By {sweep.metric.spec}"
    return text_table(title, ["setting"], columns, "found", rows=rows, styles=styles, whole=columns)


def price_plot(sweep: SweepResult, of: Price) -> Plot | None:
    """Return the plot of scores against a price; `None` where no setting has that price."""
    front = sweep.front(of)
    return plot_of(
        PlotPoint(
            number=number,
            name=setting.name,
            state=setting.state,
            score=setting.mean(sweep.metric.spec),
            price=Estimate(getattr(setting, of)),
            on_front=setting.name in front,
        )
        for number, setting in enumerate(sweep.settings, start=1)
    )


def sweep_html(sweep: SweepResult) -> str:
    """Return the page: what was found, the plots, and the table of all settings.

    It loads nothing and runs no script; every text is escaped.
    """
    return render(
        "sweep.html.j2",
        sweep=sweep,
        numbers={setting.name: number for number, setting in enumerate(sweep.settings, start=1)},
        plots=[
            (f"{unit} of an answer", unit, plot)
            for price, unit in PRICES.items()
            if (plot := price_plot(sweep, price)) is not None
        ],
        found_in_words=found_in_words,
    )


def write_sweep(sweep: SweepResult, folder: str | Path) -> tuple[Path, ...]:
    """Write `sweep.json` and `sweep.html` to a folder, and return their paths.

    Raises:
        OutputError: They cannot be written.
    """
    texts = {
        "sweep.json": json_safe(json.dumps(sweep.as_json(), ensure_ascii=False, indent=2)) + "\n",
        "sweep.html": sweep_html(sweep),
    }
    return tuple(write_whole(Path(folder) / name, [text]) for name, text in texts.items())
