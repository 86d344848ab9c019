"""Alternatives: which other passages answer a question, and do they say the same?"""

from typing import Any, ClassVar, Literal

from llamaindex_rag_eval.judge.contract import same_count
from llamaindex_rag_eval.judge.prompts.parts import in_order, numbered
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.request import Reply, Request
from testset.prompts.alternatives import ALTERNATIVES, AlternativesInput, AlternativesOutput

__all__ = ["Alternative", "Alternatives", "AlternativesOf"]


class Alternative(Reply):
    """What one passage does with a question.

    Attributes:
        verdict: "same" answers it as known (or at all, where no answer is known), "other"
            answers it otherwise, "no" does not answer it.
        quote: The words that answer.
    """

    verdict: Literal["no", "same", "other"]
    quote: str = ""


class Alternatives(Reply):
    """One verdict per passage, in order."""

    verdicts: tuple[Alternative, ...]


class AlternativesOf(Request[Alternatives]):
    """Which of these passages answer this question alone?"""

    reply: ClassVar[type[Reply]] = Alternatives
    prompt: ClassVar[Prompt[Any, Any] | None] = ALTERNATIVES

    question: str
    passages: tuple[str, ...]
    reference: str = ""

    def check(self, reply: Alternatives) -> None:
        """Hold the reply to one verdict per passage."""
        same_count("verdicts", len(reply.verdicts), "passages", len(self.passages))

    def stand_in(self) -> Alternatives:
        """Find that none does."""
        return Alternatives(verdicts=(Alternative(verdict="no"),) * len(self.passages))

    def to_prompt(self) -> AlternativesInput:
        """Return passages, numbered from 1, question and known answer."""
        return AlternativesInput(
            passages=numbered(self.passages), question=self.question, answer=self.reference
        )

    def from_prompt(self, output: AlternativesOutput) -> Alternatives:
        """Return the verdicts in the order of the passages."""
        given = output.verdicts
        places = in_order([entry.passage for entry in given], len(self.passages), "verdicts")
        return Alternatives(
            verdicts=tuple(
                Alternative(verdict=given[place].verdict, quote=given[place].quote)
                for place in places
            )
        )
