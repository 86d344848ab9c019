"""`rag-eval metrics`: what can be measured, read from the metrics' own code."""

from typing import TYPE_CHECKING, Annotated

import typer

from llamaindex_rag_eval.cli.options import AsJson, Quiet
from llamaindex_rag_eval.cli.screen import Screen

if TYPE_CHECKING:
    from pydantic import JsonValue
    from rich.table import Table

    from llamaindex_rag_eval.metrics.pages import MetricPage

__all__ = ["metrics_command"]


def metrics_command(
    name: Annotated[
        str | None,
        typer.Argument(help="One metric, by its name or another tool's name for it."),
    ] = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """List every metric, or show all about one: formula, needs, range, direction, source."""
    from llamaindex_rag_eval.metrics.pages import metric_page, metric_pages
    from llamaindex_rag_eval.metrics.spec import parse_spec

    screen = Screen(quiet=quiet, as_json=as_json)
    if name is None:
        pages = metric_pages()
        screen.data([_data(page) for page in pages])
        screen.show(_table(pages), "More on one: rag-eval metrics NAME")
        return
    page = metric_page(parse_spec(name)[0])
    screen.data(_data(page))
    screen.show(*_lines(page))


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
            _judge(page),
        )
    return table


def _lines(page: "MetricPage") -> "list[str]":
    from llamaindex_rag_eval.metrics.pages import OF_PARTS

    calls = ", ".join(f"{kind} × {count}" for kind, count in page.calls.items())
    settings = ", ".join(f"{key}={value}" for key, value in page.settings.items())
    kin = ", ".join(f"{tool}: {name}" for tool, name in page.kin.items())
    facts = {
        "needs": page.needs,
        "range": f"{page.range} {_better(page)}",
        "undefined": page.undefined,
        "asks": calls or ("what its parts ask" if page.needs == OF_PARTS else "no judge"),
        "settings": settings,
        "also known": ", ".join(page.aliases),
        "elsewhere": kin,
        "source": page.source,
    }
    lines = [page.name, *([page.question] if page.question else []), ""]
    if page.formula:
        lines += [f"    {line}" for line in page.formula.splitlines()] + [""]
    if page.about:
        lines += [page.about, ""]
    return lines + [f"{key + ':':<12}{value}" for key, value in facts.items() if value]


def _better(page: "MetricPage") -> str:
    return {"higher": "↑", "lower": "↓"}.get(page.direction, "")


def _judge(page: "MetricPage") -> str:
    """Return who can answer what the metric asks."""
    from llamaindex_rag_eval.judge import Judge
    from llamaindex_rag_eval.metrics.pages import OF_PARTS
    from llamaindex_rag_eval.metrics.registry import metric_class
    from llamaindex_rag_eval.models import EmbeddedOracle

    if page.needs == OF_PARTS:
        return "as its parts"
    oracle = Judge(EmbeddedOracle()).oracle
    requests = metric_class(page.name).requests
    if not requests:
        return "none"
    return "rules, LLM" if all(oracle.answers(request) for request in requests) else "LLM"


def _data(page: "MetricPage") -> "dict[str, JsonValue]":
    low, high = page.bounds
    finite = {float("inf"): None, float("-inf"): None}
    return {
        "name": page.name,
        "question": page.question,
        "formula": page.formula,
        "needs": page.needs,
        "calls": dict(page.calls),
        "bounds": [finite.get(low, low), finite.get(high, high)],
        "direction": page.direction,
        "undefined": page.undefined,
        "settings": dict(page.settings),
        "aliases": list(page.aliases),
        "kin": dict(page.kin),
        "source": page.source,
    }
