"""The report of a sweep: a table for the terminal, and JSON."""

import json
from pathlib import Path

from rich.table import Table

from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.data.plain_text import json_safe
from llamaindex_rag_eval.decisions.sweep_result import SettingResult, SweepResult
from llamaindex_rag_eval.report.console import text_table
from llamaindex_rag_eval.report.numbers import interval, number

STYLES = {"recommended": "green", "dropped": "dim", "out": "red"}
"""How a row looks in the terminal, by the state of its setting."""


def _in_words(setting: SettingResult) -> str:
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
            _in_words(setting),
        )
        for setting, mean in zip(sweep.ranked, means, strict=True)
    ]
    styles = [STYLES.get(setting.state, "") for setting in sweep.ranked]
    title = f"By {sweep.metric.spec}"
    return text_table(title, ["setting"], columns, "found", rows=rows, styles=styles, whole=columns)


def write_sweep(sweep: SweepResult, folder: str | Path) -> Path:
    """Write `sweep.json` to a folder, and return its path.

    Raises:
        OutputError: It cannot be written.
    """
    text = json_safe(json.dumps(sweep.as_json(), ensure_ascii=False, indent=2))
    return write_whole(Path(folder) / "sweep.json", [text + "\n"])
