"""Critique: does an answer have an aspect, yes or no?

Refusal is a critique with an aspect of its own, which rules can answer.
"""

from collections.abc import Sequence

from pydantic import Field

from llamaindex_rag_eval.data.sample import Context
from llamaindex_rag_eval.judge.rules.phrases import is_refusal
from llamaindex_rag_eval.judge.wire import Contexts, Question, Wire, majority_of
from llamaindex_rag_eval.models.request import Embed, Reply, Request, written


class Critique(Reply):
    """A yes or no on one aspect.

    Attributes:
        verdict: Whether the answer has the aspect.
        reason: Why, in a sentence.
        agreement: The share of votes for this verdict; `None` unless several were asked for.
    """

    verdict: bool
    reason: str = ""
    agreement: float | None = Field(default=None, ge=0, le=1)


class CritiqueInput(Wire):
    """What is judged, then the aspect it is judged for."""

    contexts: Contexts = Field(default_factory=dict)
    question: Question = ""
    reference: str = ""
    response: str
    aspect: str
    definition: str


class CritiqueOutput(Wire):
    """The reason, then the verdict."""

    reason: str
    verdict: bool


class CritiqueOf(Request[Critique]):
    """Does this answer have this aspect, as defined?

    Attributes:
        vote: The number of an independent vote; two votes are two requests.
    """

    prompt = written("critique", CritiqueInput, CritiqueOutput)

    aspect: str
    definition: str
    response: str
    query: str = ""
    contexts: tuple[Context, ...] = ()
    reference: str = ""
    vote: int = 0

    def stand_in(self) -> Critique:
        """Return a reply of the right form, for a dry run without a model."""
        return Critique(verdict=True)

    def majority(self, replies: Sequence[Critique]) -> Critique:
        """Return what most replies say, with the share that agrees."""
        return majority_of(replies, "verdict")


class RefusalOf(CritiqueOf):
    """Does this response decline to answer the question?"""

    aspect: str = "refusal"
    definition: str = (
        "The response gives no answer to the question: it declines, or says that it cannot answer "
        "or that the information is missing. It is no refusal to answer in part, to answer with "
        'doubt ("not sure, but X"), to correct the question, or to ask back.'
    )

    def by_rule(self, embed: Embed | None = None) -> Critique:
        """Look for phrases of refusal, and for statements beside them."""
        del embed
        refused = is_refusal(self.response)
        reason = "It says that it cannot answer." if refused else "It gives an answer."
        return Critique(verdict=refused, reason=reason)
