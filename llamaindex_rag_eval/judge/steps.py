"""Steps: how does one go about judging by these criteria?"""

from typing import Any, ClassVar

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.prompts.steps import STEPS, StepsInput, StepsOutput
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.request import Reply, Request

__all__ = ["Steps", "StepsOf"]


class Steps(Reply):
    """The steps, in order; one or more."""

    steps: tuple[str, ...]


class StepsOf(Request[Steps]):
    """By which steps are these criteria judged? The same criteria have the same steps."""

    reply: ClassVar[type[Reply]] = Steps
    prompt: ClassVar[Prompt[Any, Any] | None] = STEPS

    criteria: str

    def check(self, reply: Steps) -> None:
        """Hold the reply to one step or more."""
        if not reply.steps:
            raise ReplyError("there are no steps; expected three to five")

    def stand_in(self) -> Steps:
        """Return some reply of the right form."""
        return Steps(steps=(self.criteria,))

    def to_prompt(self) -> StepsInput:
        """Return the criteria."""
        return StepsInput(criteria=self.criteria)

    def from_prompt(self, output: StepsOutput) -> Steps:
        """Return the steps, without blank ones."""
        return Steps(steps=tuple(step.strip() for step in output.steps if step.strip()))
