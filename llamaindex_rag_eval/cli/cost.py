"""Cost: what a command would spend on a model, or did, in words."""

import testset
from llamaindex_rag_eval.cli import library


def usage_lines(usage: "library.Usage") -> tuple[str, ...]:
    """Return calls, tokens and dollars in words, in all and by metric."""
    total = usage.total
    least = "at least " if usage.uncounted else ""
    if not total.calls and not least:
        return ("0 calls: rules or a local model judge, or the cache holds every reply.",)
    money = " (no price is known)"
    if total.cost is not None:
        in_files = total.cost * library.BATCH_SHARE
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


def estimate_table(estimate: "testset.Estimate") -> "library.Table":
    """Return what generating a golden set would cost, a row a stage."""
    columns = ("calls", "tokens", "dollars", "in batch files (--batch)")
    rows = []
    for row in (*estimate.stages, estimate.total, estimate.low, estimate.high):
        shares = () if row.cost is None else (1, library.BATCH_SHARE)
        costs = [f"{(row.cost or 0) * share:.3f}" for share in shares] or ["unknown"] * 2
        rows.append((row.name, f"{row.calls:,}", f"{row.tokens:,}", *costs))
    notes = [f"low and high as {estimate.source}"] if estimate.source else []
    title = "what it would cost, about"
    return library.text_table(title, ["stage"], columns, rows=rows, notes=notes)


def account_of(golden: "testset.GoldenSet") -> "dict[str, library.JsonValue]":
    """Return what the calls of models have cost, by the names that the data card has."""
    names = ("model calls", "tokens", "cost", "calls beyond these")
    return {name: golden.facts[name] for name in names if name in golden.facts}
