"""Cost: what a command would spend on a model, or did, in words."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

    from llamaindex_rag_eval.models import Usage
    from testset import Estimate


def usage_lines(usage: "Usage") -> tuple[str, ...]:
    """Return calls, tokens and dollars in words, in all and by metric."""
    from llamaindex_rag_eval.models.usage import BATCH_SHARE

    total = usage.total
    if not total.calls:
        return ("0 calls: rules or a local model judge, or the cache holds every reply.",)
    money = " (no price is known)"
    if total.cost is not None:
        in_files = total.cost * BATCH_SHARE
        money = f", ${total.cost:.4f}, or ${in_files:.4f} in batch files (--batch)"
    by_calls = sorted(usage.by["metric"].items(), key=lambda entry: -entry[1].calls)
    return (
        f"{total.calls:,} calls, {total.prompt_tokens:,} prompt tokens, "
        f"{total.completion_tokens:,} completion tokens{money}",
        *(
            f"  {name}: {count.calls:,} calls, {count.prompt_tokens:,} prompt tokens"
            for name, count in by_calls
        ),
    )


def estimate_table(estimate: "Estimate") -> "Table":
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
