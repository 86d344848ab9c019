"""Same: do two answers to a question say the same?"""

import re
from typing import Any, ClassVar

from llamaindex_rag_eval.judge.wire import Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt
from llamaindex_rag_eval.models.request import Reply, Request

__all__ = ["Same", "SameOf"]


class Same(Reply):
    """Whether each answer follows from the other."""

    same: bool
    reason: str = ""


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


class SameOf(Request[Same]):
    """Do these two answers say the same?"""

    reply: ClassVar[type[Reply]] = Same
    prompt: ClassVar[Prompt[Any, Any] | None] = SAME

    question: str
    first: str
    second: str

    def stand_in(self) -> Same:
        """Compare words: the answers are the same if the second has all words of the first."""
        first, second = (
            set(re.findall(r"\w+", text.casefold())) for text in (self.first, self.second)
        )
        return Same(same=first <= second)

    def to_prompt(self) -> SameInput:
        """Return question and answers."""
        return SameInput(question=self.question, first=self.first, second=self.second)

    def from_prompt(self, output: SameOutput) -> Same:
        """Return the verdict."""
        return Same(same=output.same, reason=output.reason)
