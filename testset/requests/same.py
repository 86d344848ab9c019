"""Same: do two answers to a question say the same?"""

import re
from typing import Any, ClassVar

from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.request import Reply, Request
from testset.prompts.same import SAME, SameInput, SameOutput

__all__ = ["Same", "SameOf"]


class Same(Reply):
    """Whether each answer follows from the other."""

    same: bool
    reason: str = ""


class SameOf(Request[Same]):
    """Do these two answers say the same?"""

    reply: ClassVar[type[Reply]] = Same
    prompt: ClassVar[Prompt[Any, Any] | None] = SAME

    question: str
    first: str
    second: str

    def stand_in(self) -> Same:
        """Look whether the second answer has all the words of the first."""
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
