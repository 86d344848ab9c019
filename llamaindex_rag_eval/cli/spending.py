"""Spending: what a generation would cost, stage by stage."""

from typing import TYPE_CHECKING

from llamaindex_rag_eval.cli.screen import Screen

if TYPE_CHECKING:
    from rich.table import Table

    from llamaindex_rag_eval.judge import Judge
    from testset import Documents, Estimate

__all__ = ["estimated"]


def estimated(
    docs: "Documents", wishes: dict[str, object], *, judge: "Judge | None", screen: Screen
) -> None:
    """Show what a generation would cost, stage by stage; no model is asked."""
    from llamaindex_rag_eval._sync import run_sync
    from testset.generation.estimate import aestimate

    found = run_sync(
        aestimate(docs, judge=judge, **wishes)  # type: ignore[arg-type]  # checked there
    )
    rows = (*found.stages, found.total)
    screen.data(
        {row.name: {"calls": row.calls, "tokens": row.tokens, "cost": row.cost} for row in rows}
    )
    screen.show(_table(found))


def _table(found: "Estimate") -> "Table":
    from rich.table import Table

    table = Table("stage", "calls", "tokens", "dollars", title="what it would cost, about")
    for row in (*found.stages, found.total):
        cost = "unknown" if row.cost is None else f"{row.cost:.3f}"
        table.add_row(row.name, f"{row.calls:,}", f"{row.tokens:,}", cost)
    return table
