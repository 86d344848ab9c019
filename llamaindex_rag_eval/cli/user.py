"""The simulated user that `rag-eval run --user` names."""

from typing import TYPE_CHECKING

from llamaindex_rag_eval.errors import InputError

if TYPE_CHECKING:
    from llamaindex_rag_eval.cli.judging import Limits
    from llamaindex_rag_eval.engines.simulated_user import SimulatedUser

SCRIPT = "script"


def user_named(name: str | None, turns: int, limits: "Limits") -> "SimulatedUser | None":
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
    from llamaindex_rag_eval.engines.simulated_user import SimulatedUser
    from llamaindex_rag_eval.models import Limit, LLMOracle
    from llamaindex_rag_eval.models.by_name import llm_at

    if name == SCRIPT:
        return SimulatedUser(turns=turns)
    limit = Limit(budget=limits.budget())
    return SimulatedUser(LLMOracle(llm_at(name), limit=limit), turns=turns)
