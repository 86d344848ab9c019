"""Paraphrases: a question in other words, so that a search finds what it would miss."""

from typing import Any, ClassVar

from pydantic import Field

from llamaindex_rag_eval.judge.wire import Wire, check_count
from llamaindex_rag_eval.models.prompt import Example, Prompt
from llamaindex_rag_eval.models.request import Reply, Request

__all__ = ["Paraphrases", "ParaphrasesOf"]


class Paraphrases(Reply):
    """A question in other words."""

    texts: tuple[str, ...]


class ParaphrasesInput(Wire):
    """The question, and how many paraphrases are wanted."""

    question: str
    n: int


class ParaphrasesOutput(Wire):
    """The paraphrases."""

    paraphrases: tuple[str, ...]


PARAPHRASES = Prompt[ParaphrasesInput, ParaphrasesOutput](
    name="paraphrases",
    instruction="""\
Put `question` in other words, `n` times, in its language, so that a search by words finds other documents: synonyms, another order, another part of speech. Names, numbers and what is asked stay the same.""",
    input=ParaphrasesInput,
    output=ParaphrasesOutput,
    examples=(
        Example(
            input=ParaphrasesInput(question="Who designed the Lume lamp?", n=2),
            output=ParaphrasesOutput(
                paraphrases=(
                    "Which designer created the Lume lamp?",
                    "By whom was the Lume lamp drawn up?",
                )
            ),
        ),
    ),
)


class ParaphrasesOf(Request[Paraphrases]):
    """How else can this be asked?"""

    reply: ClassVar[type[Reply]] = Paraphrases
    prompt: ClassVar[Prompt[Any, Any] | None] = PARAPHRASES

    question: str
    n: int = Field(default=2, ge=1)

    def check(self, reply: Paraphrases) -> None:
        """Check that there are `n` paraphrases."""
        check_count("paraphrases", len(reply.texts), "asked for", self.n)

    def stand_in(self) -> Paraphrases:
        """Repeat the question."""
        return Paraphrases(texts=(self.question,) * self.n)

    def to_prompt(self) -> ParaphrasesInput:
        """Return the question and the number."""
        return ParaphrasesInput(question=self.question, n=self.n)

    def from_prompt(self, output: ParaphrasesOutput) -> Paraphrases:
        """Return the paraphrases."""
        return Paraphrases(texts=tuple(text.strip() for text in output.paraphrases))
