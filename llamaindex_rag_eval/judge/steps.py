"""Steps: how does one go about judging by these criteria?"""

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.models.request import Reply, Request, written


class Steps(Reply):
    """The steps, in order; one or more."""

    steps: tuple[str, ...]


class StepsOf(Request[Steps]):
    """By which steps are these criteria judged? The same criteria have the same steps."""

    prompt = written("steps")

    criteria: str

    def check(self, reply: Steps) -> None:
        """Check that there is one step or more."""
        if not reply.steps:
            raise ReplyError("there are no steps; expected three to five")

    def stand_in(self) -> Steps:
        """Return a reply of the right form, for a dry run without a model."""
        return Steps(steps=(self.criteria,))

    def from_prompt(self, output: Steps) -> Steps:
        """Return the steps, without blank ones."""
        return Steps(steps=tuple(step.strip() for step in output.steps if step.strip()))
