"""`rag-eval metrics`: the metrics, described from their own code."""

from typing import TYPE_CHECKING

from llamaindex_rag_eval.cli.console import Printer

if TYPE_CHECKING:
    from rich.table import Table

    from llamaindex_rag_eval.metrics.pages import MetricPage


def metrics_command(name: str | None = None, /, *, printer: Printer = Printer()) -> None:
    """List every metric, or show all about one: formula, needs, range, direction, source.

    Args:
        name: One metric, by its name or another tool's name for it.
    """
    from llamaindex_rag_eval.metrics.pages import metric_page, metric_pages
    from llamaindex_rag_eval.metrics.spec import parse_spec

    if name is None:
        pages = metric_pages()
        printer.data([page.as_json() for page in pages])
        printer.show(_table(pages), "More on one: rag-eval metrics NAME")
        return
    page = metric_page(parse_spec(name)[0])
    printer.data(page.as_json())
    printer.show(*_lines(page))


def _table(pages: "tuple[MetricPage, ...]") -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("metric", no_wrap=True)
    table.add_column("question", ratio=2)
    table.add_column("needs", ratio=1)
    table.add_column("range", no_wrap=True)
    table.add_column("judge", no_wrap=True)
    for page in pages:
        table.add_row(
            Text(page.name),
            Text(page.question),
            Text(page.needs),
            f"{page.range} {_better(page)}",
            _judges(page),
        )
    return table


def _lines(page: "MetricPage") -> "list[str]":
    lines = [page.name, *([page.question] if page.question else []), ""]
    if page.formula:
        lines += [f"    {line}" for line in page.formula.splitlines()] + [""]
    if page.about:
        lines += [page.about, ""]
    if page.limitations:
        lines += [f"Limitations: {page.limitations}", ""]
    return lines + [f"{key + ':':<12}{value}" for key, value in page.facts.items()]


def _better(page: "MetricPage") -> str:
    return {"higher": "↑", "lower": "↓"}.get(page.direction, "")


def _judges(page: "MetricPage") -> str:
    """Return who can answer what the metric asks."""
    if page.rules is None:
        return "as its parts"
    if not page.calls:
        return "none"
    return "rules, LLM" if page.rules else "LLM"
