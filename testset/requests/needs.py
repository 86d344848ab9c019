"""Needs: what must one know to understand a question?"""

from typing import Any, ClassVar

from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.request import Reply, Request
from testset.prompts.needs import NEEDS, NeedsInput, NeedsOutput

__all__ = ["Needs", "NeedsOf"]


class Needs(Reply):
    """What a question points at without naming it; nothing if it stands alone."""

    missing: tuple[str, ...] = ()


class NeedsOf(Request[Needs]):
    """What does this question leave unnamed?"""

    reply: ClassVar[type[Reply]] = Needs
    prompt: ClassVar[Prompt[Any, Any] | None] = NEEDS

    question: str

    def stand_in(self) -> Needs:
        """Find nothing missing."""
        return Needs()

    def to_prompt(self) -> NeedsInput:
        """Return the question."""
        return NeedsInput(question=self.question)

    def from_prompt(self, output: NeedsOutput) -> Needs:
        """Return what is missing; the verdict counts, and the list explains it."""
        if output.stands_alone:
            return Needs()
        return Needs(missing=output.missing or ("something",))
