"""Spending: what a generation may cost, and what it would."""

from pathlib import Path
from typing import TYPE_CHECKING

from llamaindex_rag_eval.cli.screen import Screen
from llamaindex_rag_eval.errors import InputError

if TYPE_CHECKING:
    from rich.table import Table

    from llamaindex_rag_eval.judge import Judge
    from testset.estimate import Estimate

__all__ = ["estimated", "held_to"]


def held_to(
    judge: "Judge | None", *, calls: int | None, tokens: int | None, cost: float | None
) -> "Judge | None":
    """Return the judge, held to a budget.

    Raises:
        InputError: There is a budget, but no model that it could be for.
    """
    if calls is None and tokens is None and cost is None:
        return judge
    from llamaindex_rag_eval.oracle import LLMOracle
    from llamaindex_rag_eval.oracle.usage import Budget

    oracle: object = None if judge is None else judge.oracle
    while oracle is not None and not isinstance(oracle, LLMOracle):
        oracle = getattr(oracle, "inner", None)
    if oracle is None:
        raise InputError("--max-calls, --max-tokens and --max-cost need --llm: rules cost nothing")
    oracle.limit.budget = Budget(calls=calls, tokens=tokens, cost=cost)
    return judge


def estimated(
    docs: Path, wishes: dict[str, object], *, judge: "Judge | None", screen: Screen
) -> None:
    """Show what a generation would cost, stage by stage; no model is asked."""
    from llamaindex_rag_eval.door import run_sync
    from testset.estimate import aestimate

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
