"""Critique: does an answer have an aspect, yes or no?"""

from collections.abc import Sequence
from typing import Any, ClassVar

from pydantic import Field

from llamaindex_rag_eval.data.sample import Context, Image
from llamaindex_rag_eval.judge.prompts.critique import CRITIQUE, CritiqueInput, CritiqueOutput
from llamaindex_rag_eval.judge.prompts.parts import numbered_contexts, pictures
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.request import Reply, Request

__all__ = ["Critique", "CritiqueOf"]


class Critique(Reply):
    """A yes or no on one aspect, with the reason and how far voters agreed."""

    verdict: bool
    reason: str = ""
    agreement: float | None = Field(default=None, ge=0, le=1)


class CritiqueOf(Request[Critique]):
    """Does this answer have this aspect, as defined?

    Attributes:
        vote: The number of an independent vote; two votes are two requests.
    """

    reply: ClassVar[type[Reply]] = Critique
    prompt: ClassVar[Prompt[Any, Any] | None] = CRITIQUE

    aspect: str
    definition: str
    response: str
    query: str = ""
    contexts: tuple[Context, ...] = ()
    reference: str = ""
    vote: int = 0

    def stand_in(self) -> Critique:
        """Return some reply of the right form."""
        return Critique(verdict=True)

    def to_prompt(self) -> CritiqueInput:
        """Return what is judged and the aspect."""
        return CritiqueInput(
            contexts=numbered_contexts(self.contexts),
            question=self.query,
            reference=self.reference,
            response=self.response,
            aspect=self.aspect,
            definition=self.definition,
        )

    def from_prompt(self, output: CritiqueOutput) -> Critique:
        """Return the verdict."""
        return Critique(verdict=output.verdict, reason=output.reason)

    @property
    def images(self) -> tuple[Image, ...]:
        """The images among the contexts."""
        return pictures(self.contexts)

    def majority(self, replies: Sequence[Critique]) -> Critique:
        """Return what most replies say, with the share that agrees."""
        yes = sum(reply.verdict for reply in replies)
        winner = 2 * yes > len(replies)
        first = next(reply for reply in replies if reply.verdict == winner)
        agreement = max(yes, len(replies) - yes) / len(replies)
        return first.model_copy(update={"agreement": agreement})
