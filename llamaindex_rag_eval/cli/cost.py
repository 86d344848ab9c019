"""Cost: what a command would spend on a model, or did, in words."""

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
