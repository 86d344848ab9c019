"""Repair: the same item without the fault that a check found."""

from typing import Any, ClassVar

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.request import Reply, Request
from testset.prompts.parts import WriteOutput
from testset.prompts.repair import REPAIR, RepairInput
from testset.requests.question import Stated, Turn, Written, turns_wired, wired, written_from

__all__ = ["RepairOf"]


class RepairOf(Request[Written]):
    """How does this item read without its fault?"""

    reply: ClassVar[type[Reply]] = Written
    prompt: ClassVar[Prompt[Any, Any] | None] = REPAIR

    facts: tuple[Stated, ...]
    type: str
    language: str
    question: str
    reference: str
    fault: str
    history: tuple[Turn, ...] = ()

    def check(self, reply: Written) -> None:
        """Hold the reply to a question and to facts that were given."""
        if not reply.question.strip():
            raise ReplyError("the question is empty")
        if self.reference and not reply.reference.strip():
            raise ReplyError("the answer is empty")
        if any(not 0 <= number < len(self.facts) for number in reply.used) or not reply.used:
            raise ReplyError("expected at least one fact, and only facts that were given")

    def stand_in(self) -> Written:
        """Return the item as it is."""
        return Written(
            question=self.question,
            reference=self.reference,
            reference_facts=(self.reference,) if self.reference else (),
            used=tuple(range(len(self.facts))),
            history=self.history,
        )

    def to_prompt(self) -> RepairInput:
        """Return the item with its fault."""
        return RepairInput(
            facts=wired(self.facts),
            type=self.type,
            language=self.language,
            history=turns_wired(self.history),
            question=self.question,
            answer=self.reference,
            fault=self.fault,
        )

    def from_prompt(self, output: WriteOutput) -> Written:
        """Return the repaired item; the history stays what it was."""
        found = written_from(output, len(self.facts), converses=False)
        return found.model_copy(update={"history": self.history})
