"""The table of metrics in README.md, read from the metrics themselves."""

import re
from pathlib import Path

from llamaindex_rag_eval.metrics.pages import MetricPage, metric_pages

__all__ = ["README", "metric_table", "with_table"]

README = Path(__file__).parents[1] / "README.md"
BEGIN, END = "<!-- metrics: begin -->", "<!-- metrics: end -->"
BETTER = {"higher": "↑", "lower": "↓", "neither": "–"}


def metric_table() -> str:
    """Return a Markdown table with one row a metric, by name."""
    head = ["| metric | question | needs | range | calls | rules |", "|---|---|---|---|---|---|"]
    return "\n".join([*head, *map(_row, metric_pages())])


def with_table(text: str) -> str:
    """Return the text with the table between its markers replaced."""
    table = f"{BEGIN}\n{metric_table()}\n{END}"
    return re.sub(f"{BEGIN}.*?{END}", lambda _: table, text, flags=re.DOTALL)


def _row(page: MetricPage) -> str:
    needs = page.needs.replace("|", "\\|")
    spread = f"{page.range} {BETTER[page.direction]}"
    calls, rules = _judged(page)
    return f"| `{page.name}` | {page.question} | {needs} | {spread} | {calls} | {rules} |"


def _judged(page: MetricPage) -> tuple[str, str]:
    """Return how often the judge is asked, and whether rules can answer it."""
    if page.rules is None:
        return "its parts'", "its parts'"
    return str(sum(page.calls.values()) or "none"), "yes" if page.rules else "no"


if __name__ == "__main__":
    README.write_text(with_table(README.read_text(encoding="utf-8")), encoding="utf-8")
