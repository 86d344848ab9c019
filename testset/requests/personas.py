"""Personas: who would ask about these documents?"""

from typing import Any, ClassVar

from pydantic import Field

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.wire import Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt
from llamaindex_rag_eval.models.request import Reply, Request

__all__ = ["Personas", "PersonasOf"]


class Personas(Reply):
    """People who ask, in a sentence each."""

    personas: tuple[str, ...]


class PersonasInput(Wire):
    """What the documents are about, and how many personas are wanted."""

    topics: tuple[str, ...]
    n: int


class PersonasOutput(Wire):
    """The personas, one sentence each."""

    personas: tuple[str, ...]


PERSONAS = Prompt[PersonasInput, PersonasOutput](
    name="personas",
    instruction="""\
Name `n` different people who would put questions to a collection of documents on `topics`. One sentence each, in English: who they are, what they want to get done, how much they know already. Cover beginners and experts; give no personal names.""",
    input=PersonasInput,
    output=PersonasOutput,
    examples=(
        Example(
            input=PersonasInput(topics=("Orla ferry timetable", "Ferry maintenance"), n=2),
            output=PersonasOutput(
                personas=(
                    "A visitor who plans a day trip and has never taken the ferry.",
                    "A ship's mechanic who prepares the yearly overhaul.",
                )
            ),
        ),
    ),
)


class PersonasOf(Request[Personas]):
    """Who would ask about these topics?"""

    reply: ClassVar[type[Reply]] = Personas
    prompt: ClassVar[Prompt[Any, Any] | None] = PERSONAS

    topics: tuple[str, ...]
    n: int = Field(default=4, ge=1)

    def check(self, reply: Personas) -> None:
        """Check that there is at least one persona."""
        if not any(text.strip() for text in reply.personas):
            raise ReplyError(f"no persona; expected {self.n}")

    def stand_in(self) -> Personas:
        """Number the personas."""
        return Personas(personas=tuple(f"Reader number {n} of the files." for n in range(self.n)))

    def to_prompt(self) -> PersonasInput:
        """Return topics and number."""
        return PersonasInput(topics=self.topics, n=self.n)

    def from_prompt(self, output: PersonasOutput) -> Personas:
        """Return at most as many personas as were asked for."""
        return Personas(personas=tuple(t.strip() for t in output.personas if t.strip())[: self.n])
