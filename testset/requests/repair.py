"""Repair: the same item without the fault that a check found."""

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.wire import NumberedTexts, Wire
from llamaindex_rag_eval.models.request import Request, written
from testset.requests.question import (
    Answer,
    NumberedFacts,
    Settings,
    Stated,
    Turn,
    WithSettings,
    WriteOutput,
    Written,
    check_written,
    parse_written,
)


class Repaired(Written):
    """An item as it was repaired.

    Attributes:
        quotes: What its answer says besides the facts, word for word.
    """

    quotes: tuple[str, ...] = ()


class RepairInput(Wire):
    """The item, what is wrong with it, the facts it stands on, and the passages around these."""

    settings: Settings
    persona: str = ""
    facts: NumberedFacts
    evidence: NumberedTexts = ()
    history: tuple[Turn, ...] = ()
    question: str
    answer: Answer = ""
    fault: str


class RepairOutput(WriteOutput):
    """The item, and what it stands on besides the facts."""

    quotes: tuple[str, ...]


class RepairOf(WithSettings, Request[Repaired]):
    """How does this item read without its fault?"""

    prompt = written("repair", RepairInput, RepairOutput)

    facts: tuple[Stated, ...]
    type: str
    language: str
    question: str
    reference: str
    fault: str
    evidence: tuple[str, ...] = ()
    history: tuple[Turn, ...] = ()
    persona: str = ""
    style: str = "plain"

    def check(self, reply: Repaired) -> None:
        """Check that there are a question, an answer if there was one, and only facts given."""
        check_written(reply, len(self.facts), answered=bool(self.reference))
        if self.reference and not reply.used:
            raise ReplyError("the answer stands on no fact")

    def from_prompt(self, output: RepairOutput) -> Repaired:
        """Return the repaired item; the history stays what it was."""
        repaired = parse_written(output, len(self.facts), converses=False)
        return Repaired(**{**dict(repaired), "history": self.history}, quotes=output.quotes)
