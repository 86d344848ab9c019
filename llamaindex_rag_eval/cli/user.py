"""The simulated user that `rag-eval run --user` names."""

from typing import TYPE_CHECKING

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.errors import InputError

if TYPE_CHECKING:
    from llamaindex_rag_eval.cli.judging import Limits

SCRIPT = "script"


def user_named(name: str | None, turns: int, limits: "Limits") -> "rag.SimulatedUser | None":
    """Return who speaks for the user; `None` if nobody goes on after the first answer.

    Args:
        name: "script", or the name of a model.
        turns: Messages of the user in a conversation.
        limits: What the model may cost.

    Raises:
        InputError: The name stands for no model, or a budget has no model.
    """
    if name is None or name == SCRIPT:
        if limits:
            raise InputError("--max-calls and --max-cost are for the model of --user")
        if name is None:
            return None

    if name == SCRIPT:
        return rag.SimulatedUser(turns=turns)
    limit = rag.Limit(budget=limits.budget())
    return rag.SimulatedUser(rag.LLMOracle(rag.llm_at(name), limit=limit), turns=turns)
