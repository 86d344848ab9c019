"""How a model is asked which of two answers is better."""

from typing import Literal

from llamaindex_rag_eval.judge.prompts.parts import Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt

__all__ = ["PREFERENCE", "PreferenceInput", "PreferenceOutput"]


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
- Better is the one that is right and answers what was asked; `reference`, if given, says what is right. If `criterion` is given, judge by that alone.
- The order in which they stand, their length and their tone say nothing. If neither is better, it is a tie.
- `reason` first, in one sentence.""",
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
