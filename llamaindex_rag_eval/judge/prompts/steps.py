"""How a model is asked for the steps by which criteria are judged."""

from llamaindex_rag_eval.judge.prompts.parts import Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt

__all__ = ["STEPS", "StepsInput", "StepsOutput"]


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
