"""Cost: what a command would spend on a model, or did, in words."""

from typing import TYPE_CHECKING

import testset

if TYPE_CHECKING:
    from pydantic import JsonValue
    from rich.table import Table

    from llamaindex_rag_eval.models import Usage


def usage_lines(usage: "Usage") -> tuple[str, ...]:
    """Return calls, tokens and dollars in words, in all and by metric."""
    from llamaindex_rag_eval.models.usage import BATCH_SHARE

    total = usage.total
    least = "at least " if usage.uncounted else ""
    if not total.calls and not least:
        return ("0 calls: rules or a local model judge, or the cache holds every reply.",)
    money = " (no price is known)"
    if total.cost is not None:
        in_files = total.cost * BATCH_SHARE
        money = f", ${total.cost:.4f}, or ${in_files:.4f} in batch files (--batch)"
    by_calls = sorted(usage.by["metric"].items(), key=lambda entry: -entry[1].calls)
    return (
        f"{least}{total.calls:,} calls, {total.prompt_tokens:,} prompt tokens, "
        f"{total.completion_tokens:,} completion tokens{money}",
        *(
            f"  {name}: {count.calls:,} calls, {count.prompt_tokens:,} prompt tokens"
            for name, count in by_calls
        ),
        *([f"There may be more: {usage.uncounted}."] if least else []),
    )


def estimate_table(estimate: "testset.Estimate") -> "Table":
    """Return what generating a golden set would cost, a row a stage."""
    from rich.table import Table

    from llamaindex_rag_eval.models.usage import BATCH_SHARE

    columns = ("stage", "calls", "tokens", "dollars", "in batch files (--batch)")
    table = Table(*columns, title="what it would cost, about")
    if estimate.source:
        table.caption = f"low and high as {estimate.source}"
    for row in (*estimate.stages, estimate.total, estimate.low, estimate.high):
        costs = ["unknown"] * 2
        if row.cost is not None:
            costs = [f"{row.cost:.3f}", f"{row.cost * BATCH_SHARE:.3f}"]
        table.add_row(row.name, f"{row.calls:,}", f"{row.tokens:,}", *costs)
    return table


def account_of(golden: "testset.GoldenSet") -> "dict[str, JsonValue]":
    """Return what the calls of models have cost, by the names that the data card has."""
    names = ("model calls", "tokens", "cost", "calls beyond these")
    return {name: golden.facts[name] for name in names if name in golden.facts}
