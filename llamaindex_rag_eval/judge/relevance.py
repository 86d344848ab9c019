"""Relevance: which contexts were useful to arrive at an answer?"""

from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field

from llamaindex_rag_eval.data.sample import Context, text_of
from llamaindex_rag_eval.judge.rules.questions import useful_contexts
from llamaindex_rag_eval.judge.wire import (
    Contexts,
    Divisible,
    Wire,
    check_count,
    in_order,
    majority_of,
)
from llamaindex_rag_eval.models.request import Embed, Reply, Request, written


class Relevance(Reply):
    """Whether one context was useful to arrive at the answer.

    Attributes:
        useful: The verdict.
        reason: What it gives, in a few words; by rules, why.
        agreement: The share of votes for this verdict; `None` unless several were asked for.
    """

    useful: bool
    reason: str = ""
    agreement: float | None = Field(default=None, ge=0, le=1)


class RelevanceReply(Reply):
    """One verdict per context, in the order of the contexts."""

    verdicts: tuple[Relevance, ...]


class RelevanceInput(Wire):
    """Contexts, then the question and the answer."""

    contexts: Contexts
    question: str
    answer: str


class RelevanceVerdict(Wire):
    """The verdict on one context."""

    numbered_by: ClassVar[str] = "context"

    context: int
    reason: str
    useful: bool


class RelevanceOutput(Wire):
    """One verdict for each context."""

    verdicts: tuple[RelevanceVerdict, ...]


class RelevanceOf(Divisible[RelevanceReply]):
    """Which of these contexts were useful to arrive at this answer to the question?"""

    prompt = written("relevance", RelevanceInput, RelevanceOutput)
    splits_over = "contexts"

    question: str
    contexts: tuple[Context, ...]
    answer: str

    def check(self, reply: RelevanceReply) -> None:
        """Check that there is one verdict per context."""
        check_count("verdicts", len(reply.verdicts), "contexts", len(self.contexts))

    def by_rule(self, embed: Embed | None = None) -> RelevanceReply:
        """Compare each context with the question and the answer."""
        del embed
        texts = [text_of(context) for context in self.contexts]
        pairs = useful_contexts(self.question, texts, self.answer)
        return RelevanceReply(
            verdicts=tuple(Relevance(useful=useful, reason=reason) for useful, reason in pairs)
        )

    def from_prompt(self, output: RelevanceOutput) -> RelevanceReply:
        """Return the verdicts in the order of the contexts."""
        verdicts = in_order(output.verdicts, "context", len(self.contexts), "verdicts", zero=True)
        return RelevanceReply(
            verdicts=tuple(Relevance(useful=v.useful, reason=v.reason) for v in verdicts)
        )

    def shorter(self) -> tuple[Request[RelevanceReply], ...]:
        """Divide the contexts; a single one is not cut."""
        return self.halves() if len(self.contexts) > 1 else ()

    def join(
        self, parts: Sequence[Request[RelevanceReply]], replies: Sequence[RelevanceReply]
    ) -> RelevanceReply:
        """Return the verdicts of all parts, in order; one context is useful if a part of it is."""
        del parts
        verdicts = tuple(v for reply in replies for v in reply.verdicts)
        if len(self.contexts) == 1:  # parts of one context are that context
            verdicts = (max(verdicts, key=lambda verdict: verdict.useful),)
        return RelevanceReply(verdicts=verdicts)

    def majority(self, replies: Sequence[RelevanceReply]) -> RelevanceReply:
        """Return for each context what most replies say, with the share that agrees."""
        columns = zip(*(reply.verdicts for reply in replies), strict=True)
        return RelevanceReply(verdicts=tuple(majority_of(column, "useful") for column in columns))
