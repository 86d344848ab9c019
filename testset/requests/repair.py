"""Repair: the same item without the fault that a check found."""

from typing import Any, ClassVar

from llamaindex_rag_eval.data.sample import Fact
from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.wire import Numbered, Wire, numbered_texts
from llamaindex_rag_eval.models.prompt import Example, Prompt
from llamaindex_rag_eval.models.request import Request
from testset.requests.frame import FRAME
from testset.requests.question import (
    FactWire,
    Settings,
    Stated,
    Turn,
    TurnWire,
    WriteOutput,
    Written,
    answer_facts,
    fact_wires,
    parse_written,
    turn_wires,
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
    facts: tuple[FactWire, ...]
    evidence: tuple[Numbered, ...] = ()
    history: tuple[TurnWire, ...] = ()
    question: str
    answer: str = ""
    fault: str


class RepairOutput(WriteOutput):
    """The item, and what it stands on besides the facts."""

    quotes: tuple[str, ...]


REPAIR = Prompt[RepairInput, RepairOutput](
    name="repair",
    instruction="""\
`question`, of the type settings.type, and `answer` were written from `facts`, which stand in `evidence`, and turned down for `fault`. Repair them: change as little as removes the fault; keep type, settings.language, settings.style, who asks (`persona`) and, of a conversation, the history.
- Name what is not named. Cut an answer that says more than `evidence` or than is asked; complete one that leaves something out from there, or ask so that it is not missed. If the question is too general, or others answer it otherwise, ask for what only this evidence tells; if nobody would ask it, for what that person would need of the same facts.
- unanswerable keeps an empty answer: ask for one thing that `evidence` comes near and tells no part of. double asks two things that one person needs together. multi_hop asks one thing whose answer can be neither read nor guessed from one of its places alone.
- The question is one line, stands alone (a conversation leans on its history), never speaks of "the text", and does not tell its answer.
Reply with `used`, the ids of exactly the facts that the answer stands on or, without one, comes near; `history`, empty; `question`; `answer`; `answer_facts`, what the answer says, each statement once: vital if the answer is not complete without it, else okay; and `quotes`: sentences of `evidence` that the answer now stands on and no fact has, copied character by character, mostly none.""",
    input=RepairInput,
    output=RepairOutput,
    frame=FRAME,
    examples=(
        Example(
            input=RepairInput(
                facts=(FactWire(id=1, fact="The Orla ferry carries 120 passengers."),),
                evidence=numbered_texts(["[Orla ferry]\nIt carries 120 passengers."]),
                settings=Settings(language="en", type="single_hop"),
                question="How many passengers does it carry?",
                answer="120 passengers.",
                fault="self_contained: 'it' points at something outside the question",
            ),
            output=RepairOutput(
                used=(1,),
                history=(),
                question="How many passengers does the Orla ferry carry?",
                answer="120 passengers.",
                answer_facts=answer_facts(
                    "The Orla ferry carries 120 passengers.",
                ),
                quotes=(),
            ),
        ),
    ),
)


class RepairOf(Request[Repaired]):
    """How does this item read without its fault?"""

    prompt: ClassVar[Prompt[Any, Any] | None] = REPAIR

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
        """Check that there are a question, an answer if there was one, and only facts that were given."""
        if not reply.question.strip():
            raise ReplyError("the question is empty")
        if self.reference and not reply.reference.strip():
            raise ReplyError("the answer is empty")
        if any(not 0 <= number < len(self.facts) for number in reply.used):
            raise ReplyError("a fact is used that was not given")
        if self.reference and not reply.used:
            raise ReplyError("the answer stands on no fact")

    def stand_in(self) -> Repaired:
        """Return the item as it is."""
        return Repaired(
            question=self.question,
            reference=self.reference,
            reference_facts=(Fact(text=self.reference),) if self.reference else (),
            used=tuple(range(len(self.facts))),
            history=self.history,
        )

    def to_prompt(self) -> RepairInput:
        """Return the item with its fault."""
        return RepairInput(
            settings=Settings(language=self.language, type=self.type, style=self.style),
            persona=self.persona,
            facts=fact_wires(self.facts),
            evidence=numbered_texts(self.evidence),
            history=turn_wires(self.history),
            question=self.question,
            answer=self.reference,
            fault=self.fault,
        )

    def from_prompt(self, output: RepairOutput) -> Repaired:
        """Return the repaired item; the history stays what it was."""
        found = parse_written(output, len(self.facts), converses=False)
        return Repaired(**{**dict(found), "history": self.history}, quotes=output.quotes)
