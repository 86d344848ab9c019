"""Questions: what would one have to ask to be given this text?"""

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import Field

from llamaindex_rag_eval.judge.rules.questions import questions_of
from llamaindex_rag_eval.judge.wire import Wire, check_count
from llamaindex_rag_eval.models.prompt import Example, Prompt
from llamaindex_rag_eval.models.request import Embed, Reply, Request

LONGEST_QUESTION = 400
"""Characters."""


class Questions(Reply):
    """Questions that a text answers.

    Attributes:
        questions: As many as were asked for.
        noncommittal: Whether the text evades, as in "I do not know".
    """

    questions: tuple[str, ...]
    noncommittal: bool = False


class QuestionsInput(Wire):
    """The text, and how many questions are wanted."""

    text: str
    n: int


class QuestionsOutput(Wire):
    """The questions, after whether the text evades."""

    noncommittal: bool
    questions: tuple[str, ...]


QUESTIONS = Prompt[QuestionsInput, QuestionsOutput](
    name="questions",
    instruction="""\
Write exactly `n` questions to which `text` is a complete and direct answer, in the language of the text.
- Each asks for what the text says as a whole, in other words; not for side remarks or doubts.
- noncommittal is true if the text says only that it does not know, cannot tell, or that the documents do not say; false for a partial answer or "not sure, but X". Write `n` questions in either case.""",
    input=QuestionsInput,
    output=QuestionsOutput,
    examples=(
        Example(
            input=QuestionsInput(
                text="I am not sure, but one charge of the Lume lamp lasts nine hours.", n=2
            ),
            output=QuestionsOutput(
                noncommittal=False,
                questions=(
                    "How long does the Lume lamp run on one charge?",
                    "What is the battery life of the Lume lamp?",
                ),
            ),
        ),
    ),
)


class QuestionsOf(Request[Questions]):
    """Which `n` questions does this text answer?"""

    prompt: ClassVar[Prompt[Any, Any] | None] = QUESTIONS

    text: str
    n: int = Field(default=3, ge=1)

    def check(self, reply: Questions) -> None:
        """Check that there are `n` questions; an evasive text may have none."""
        if not (reply.noncommittal and not reply.questions):
            check_count("questions", len(reply.questions), "asked for", self.n)

    def by_rule(self, embed: Embed | None = None) -> Questions:
        """Turn statements into questions."""
        del embed
        questions, noncommittal = questions_of(self.text, self.n)
        return Questions(questions=questions, noncommittal=noncommittal)

    @property
    def bounds(self) -> Mapping[str, Mapping[str, Any]]:
        """As many questions as are asked for."""
        return {"questions": {"maxItems": self.n, "items": {"maxLength": LONGEST_QUESTION}}}
