"""Critic: is a finished item fit for a test, in the eyes of a second examiner?"""

from typing import Any, ClassVar

from llamaindex_rag_eval.judge.prompts.parts import numbered
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.request import Reply, Request
from testset.prompts.critic import CRITIC, CriticInput, CriticOutput
from testset.requests.question import Turn, turns_wired

__all__ = ["CriticOf", "Opinion"]


class Opinion(Reply):
    """Whether an item is fit, and why."""

    fit: bool
    reason: str = ""


class CriticOf(Request[Opinion]):
    """Is this item fit?"""

    reply: ClassVar[type[Reply]] = Opinion
    prompt: ClassVar[Prompt[Any, Any] | None] = CRITIC

    question: str
    reference: str
    evidence: tuple[str, ...] = ()
    history: tuple[Turn, ...] = ()
    behaviour: str = "answer"

    def stand_in(self) -> Opinion:
        """Find it fit."""
        return Opinion(fit=True)

    def to_prompt(self) -> CriticInput:
        """Return the item."""
        return CriticInput(
            evidence=numbered(self.evidence),
            history=turns_wired(self.history),
            question=self.question,
            answer=self.reference,
            behaviour=self.behaviour,
        )

    def from_prompt(self, output: CriticOutput) -> Opinion:
        """Return the verdict."""
        return Opinion(fit=output.fit, reason=output.reason)
