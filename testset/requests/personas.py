"""Personas: who would ask about these documents?"""

from typing import Any, ClassVar

from pydantic import Field

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.request import Reply, Request
from testset.prompts.personas import PERSONAS, PersonasInput, PersonasOutput

__all__ = ["Personas", "PersonasOf"]


class Personas(Reply):
    """People who ask, in a sentence each."""

    personas: tuple[str, ...]


class PersonasOf(Request[Personas]):
    """Who would ask about these topics?"""

    reply: ClassVar[type[Reply]] = Personas
    prompt: ClassVar[Prompt[Any, Any] | None] = PERSONAS

    topics: tuple[str, ...]
    n: int = Field(default=4, ge=1)

    def check(self, reply: Personas) -> None:
        """Hold the reply to at least one persona."""
        if not any(text.strip() for text in reply.personas):
            raise ReplyError(f"no persona; expected {self.n}")

    def stand_in(self) -> Personas:
        """Name somebody."""
        return Personas(personas=tuple(f"Reader number {n} of the files." for n in range(self.n)))

    def to_prompt(self) -> PersonasInput:
        """Return topics and number."""
        return PersonasInput(topics=self.topics, n=self.n)

    def from_prompt(self, output: PersonasOutput) -> Personas:
        """Return at most as many personas as were asked for."""
        return Personas(personas=tuple(t.strip() for t in output.personas if t.strip())[: self.n])
