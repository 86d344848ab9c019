"""`rag-eval more metrics`: the metrics, described from their own code."""

from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.console import printer

BETTER = {"higher": "↑", "lower": "↓"}


def metrics_command(name: str | None = None, /) -> None:
    """List the metrics, or show all about one.

    That is its formula, what it needs, its range and direction, and its source. With --json, the
    list has what chooses a metric, and one metric has all.

    Args:
        name: One metric, by its name or another tool's name for it.
    """
    if name is None:
        pages = library.metric_pages()
        names = ("name", "question", "range", "direction", "needs")
        printer.data(
            [{n: getattr(page, n) for n in names} | {"judge": _judges(page)} for page in pages]
        )
        printer.show(_table(pages), "More on one: rag-eval more metrics NAME")
        return
    page = library.metric_page(library.parse_spec(name)[0])
    printer.data(page.as_json())
    printer.show(*_lines(page))


def _table(pages: "tuple[library.MetricPage, ...]") -> "library.Table":
    rows = [
        (
            page.name,
            f"{page.range} {BETTER.get(page.direction, '')}",
            _judges(page),
            page.needs,
            page.question,
        )
        for page in pages
    ]
    columns = ["metric", "range", "judge", "needs"]
    return library.text_table("", columns, last="question", rows=rows)


def _lines(page: "library.MetricPage") -> "list[str]":
    lines = [page.name, *([page.question] if page.question else []), ""]
    if page.formula:
        lines += [f"    {line}" for line in page.formula.splitlines()] + [""]
    if page.about:
        lines += [page.about, ""]
    if page.limitations:
        lines += [f"Limitations: {page.limitations}", ""]
    return lines + [f"{key + ':':<12}{value}" for key, value in page.facts.items()]


def _judges(page: "library.MetricPage") -> str:
    """Return who can answer what the metric asks."""
    if page.rules is None:
        return "as its parts"
    if not page.calls:
        return "none"
    return "rules, LLM" if page.rules else "LLM"
