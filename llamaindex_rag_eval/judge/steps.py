"""Steps: how does one go about judging by these criteria?"""

from collections.abc import Mapping
from typing import Any, ClassVar

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.wire import Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt
from llamaindex_rag_eval.models.request import Reply, Request

MOST_STEPS = 10
"""Twice as many as are asked for."""

LONGEST = 400
"""Characters of a step."""


class Steps(Reply):
    """The steps, in order; one or more."""

    steps: tuple[str, ...]


class StepsInput(Wire):
    """What a good response is like."""

    criteria: str


class StepsOutput(Wire):
    """The steps, in order."""

    steps: tuple[str, ...]


STEPS = Prompt[StepsInput, StepsOutput](
    name="steps",
    instruction="""\
Somebody will judge responses by `criteria`, one response at a time. Write the steps by which they go about it.
- Three to five steps, each one sentence that says what to look at and what speaks for or against the response.
- The steps cover all of the criteria and add no criterion of their own. The last one weighs what was found.
- They may see the question, the response and, where there are any, the contexts and a reference. Write in the language of the criteria.""",
    input=StepsInput,
    output=StepsOutput,
    examples=(
        Example(
            input=StepsInput(criteria="The answer is correct and polite."),
            output=StepsOutput(
                steps=(
                    "Compare every statement of the response with the reference, and note what is wrong or missing.",
                    "Read how the response addresses the person, and note whatever is curt or rude.",
                    "Weigh both: an error counts more than a lapse in tone.",
                )
            ),
        ),
    ),
)


class StepsOf(Request[Steps]):
    """By which steps are these criteria judged? The same criteria have the same steps."""

    prompt: ClassVar[Prompt[Any, Any] | None] = STEPS

    criteria: str

    def check(self, reply: Steps) -> None:
        """Check that there is one step or more."""
        if not reply.steps:
            raise ReplyError("there are no steps; expected three to five")

    def stand_in(self) -> Steps:
        """Return a reply of the right form, for a dry run without a model."""
        return Steps(steps=(self.criteria,))

    @property
    def bounds(self) -> Mapping[str, Mapping[str, Any]]:
        """One step or more, and an end."""
        return {"steps": {"minItems": 1, "maxItems": MOST_STEPS, "items": {"maxLength": LONGEST}}}

    def from_prompt(self, output: StepsOutput) -> Steps:
        """Return the steps, without blank ones."""
        return Steps(steps=tuple(step.strip() for step in output.steps if step.strip()))
