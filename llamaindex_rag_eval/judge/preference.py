"""Preference: which of two answers is better?"""

from typing import Any, ClassVar, Literal

from llamaindex_rag_eval.judge.wire import Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt
from llamaindex_rag_eval.models.request import Reply, Request


class Preference(Reply):
    """Which of two answers is better."""

    reason: str = ""
    winner: Literal["first", "second", "tie"]


class PreferenceInput(Wire):
    """The question, the two answers, and by what to prefer."""

    question: str
    reference: str = ""
    first: str
    second: str
    criterion: str = ""


class PreferenceOutput(Wire):
    """The reason, then the better one."""

    reason: str
    better: Literal["first", "second", "tie"]


PREFERENCE = Prompt[PreferenceInput, PreferenceOutput](
    name="preference",
    instruction="""\
Which answer to `question` is better, `first` or `second`?
- Better is the one that is right and answers more of the question; `reference`, if given, says what is right. To admit not to know is better than to be wrong. If `criterion` is given, judge by that alone.
- Order, length and tone say nothing. If neither is better, also where both are wrong, it is a tie.
- `reason` first, in at most 15 words.""",
    input=PreferenceInput,
    output=PreferenceOutput,
    examples=(
        Example(
            input=PreferenceInput(
                question="In which year did the Solna works close?",
                reference="1987",
                first="They closed in 1978, after a long and eventful history.",
                second="1987.",
            ),
            output=PreferenceOutput(reason="Only the second year is right.", better="second"),
        ),
    ),
)


class PreferenceOf(Request[Preference]):
    """Which of two answers to the question is better?"""

    prompt: ClassVar[Prompt[Any, Any] | None] = PREFERENCE

    query: str
    first: str
    second: str
    reference: str = ""
    criterion: str = ""

    def stand_in(self) -> Preference:
        """Return a reply of the right form, for a dry run without a model."""
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
