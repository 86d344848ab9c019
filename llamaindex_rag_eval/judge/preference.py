"""Preference: which of two answers is better?"""

from typing import Any, ClassVar, Literal

from llamaindex_rag_eval.judge.prompts.preference import (
    PREFERENCE,
    PreferenceInput,
    PreferenceOutput,
)
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.request import Reply, Request

__all__ = ["Preference", "PreferenceOf"]


class Preference(Reply):
    """Which of two answers is better."""

    reason: str = ""
    winner: Literal["first", "second", "tie"]


class PreferenceOf(Request[Preference]):
    """Which of two answers to the question is better?"""

    reply: ClassVar[type[Reply]] = Preference
    prompt: ClassVar[Prompt[Any, Any] | None] = PREFERENCE

    query: str
    first: str
    second: str
    reference: str = ""
    criterion: str = ""

    def stand_in(self) -> Preference:
        """Return some reply of the right form."""
        return Preference(winner="tie")

    def to_prompt(self) -> PreferenceInput:
        """Return the question and the two answers."""
        return PreferenceInput(
            question=self.query,
            reference=self.reference,
            first=self.first,
            second=self.second,
            criterion=self.criterion,
        )

    def from_prompt(self, output: PreferenceOutput) -> Preference:
        """Return the winner."""
        return Preference(reason=output.reason, winner=output.better)
