"""How a model is asked whether two answers to a question say the same."""

from llamaindex_rag_eval.judge.prompts.parts import Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt

__all__ = ["SAME", "SameInput", "SameOutput"]


class SameInput(Wire):
    """The question and two answers to it."""

    question: str
    first: str
    second: str


class SameOutput(Wire):
    """Whether each answer follows from the other."""

    reason: str
    same: bool


SAME = Prompt[SameInput, SameOutput](
    name="same",
    instruction="""\
Do the answers `first` and `second` to `question` say the same? same is true if whoever believes one must believe the other, as far as the question goes: same numbers, dates, names, conditions, and neither leaves out what the question asks for. Other words, more detail beside the point, or another length do not matter. `reason` first, in at most 12 words.""",
    input=SameInput,
    output=SameOutput,
    examples=(
        Example(
            input=SameInput(
                question="How long does the Lume lamp run?",
                first="Nine hours on one charge.",
                second="It runs for 9 h.",
            ),
            output=SameOutput(reason="Nine hours in both.", same=True),
        ),
        Example(
            input=SameInput(
                question="In which colours does the Lume lamp come?",
                first="Green and grey.",
                second="In green.",
            ),
            output=SameOutput(reason="The second leaves out grey.", same=False),
        ),
    ),
)
