"""Preference: which of two answers is better?"""

from typing import Literal

from llamaindex_rag_eval.judge.wire import Question, Wire
from llamaindex_rag_eval.models.request import Reply, Request, written


class Preference(Reply):
    """Which of two answers is better."""

    reason: str = ""
    winner: Literal["first", "second", "tie"]


class PreferenceInput(Wire):
    """The question, the two answers, and by what to prefer."""

    question: Question
    reference: str = ""
    first: str
    second: str
    criterion: str = ""


class PreferenceOutput(Wire):
    """The reason, then the better one."""

    reason: str
    better: Literal["first", "second", "tie"]


class PreferenceOf(Request[Preference]):
    """Which of two answers to the question is better?"""

    prompt = written("preference", PreferenceInput, PreferenceOutput)

    query: str
    first: str
    second: str
    reference: str = ""
    criterion: str = ""

    def stand_in(self) -> Preference:
        """Return a reply of the right form, for a dry run without a model."""
        return Preference(winner="tie")

    def from_prompt(self, output: PreferenceOutput) -> Preference:
        """Return the winner."""
        return Preference(reason=output.reason, winner=output.better)
