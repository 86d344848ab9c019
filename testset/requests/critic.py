"""Critic: is a finished item fit for a test, in the eyes of a second examiner?"""

from typing import Any, ClassVar

from llamaindex_rag_eval.judge.wire import Numbered, Wire, numbered_texts
from llamaindex_rag_eval.models.prompt import Example, Prompt
from llamaindex_rag_eval.models.request import Reply, Request
from testset.requests.question import Turn, TurnWire, turn_wires

__all__ = ["CriticOf", "Opinion"]


class Opinion(Reply):
    """Whether an item is fit, and why."""

    fit: bool
    reason: str = ""


class CriticInput(Wire):
    """The item: its evidence, its question, its answer, and what a good system does with it."""

    evidence: tuple[Numbered, ...] = ()
    history: tuple[TurnWire, ...] = ()
    question: str
    answer: str = ""
    behaviour: str = "answer"


class CriticOutput(Wire):
    """The verdict, after its reason."""

    reason: str
    fit: bool


CRITIC = Prompt[CriticInput, CriticOutput](
    name="critic",
    instruction="""\
An examiner has put together the item below to test systems that answer from documents. Is it fit?
- fit: a person might really ask the question; `answer` is right by `evidence` and complete; and `behaviour` is what a good system does: answer, refuse, clarify (ask back), or correct_premise.
- To refuse is right if the documents do not tell: `evidence` is then what comes nearest, and not fit is a question that some of it answers.
- Not fit: nobody would ask it, it joins unrelated questions, it takes for true what `evidence` denies, it asks about the wording of a document, it can be read in two ways (unless a system is to clarify), the answer is wrong, in part or beside the point.
- Judge as a second examiner who looks for faults. `reason` first, in at most 15 words.""",
    input=CriticInput,
    output=CriticOutput,
    examples=(
        Example(
            input=CriticInput(
                evidence=numbered_texts(["The Lume lamp runs for nine hours on one charge."]),
                question="How long does the Lume lamp run on one charge?",
                answer="Nine hours.",
            ),
            output=CriticOutput(reason="Natural, and the answer stands there.", fit=True),
        ),
        Example(
            input=CriticInput(
                evidence=numbered_texts(["The Lume lamp comes in green and grey."]),
                question="Which colour is named first for the Lume lamp?",
                answer="Green.",
            ),
            output=CriticOutput(reason="Asks about the order of words, not the lamp.", fit=False),
        ),
    ),
)


class CriticOf(Request[Opinion]):
    """Is this item fit?"""

    reply: ClassVar[type[Reply]] = Opinion
    prompt: ClassVar[Prompt[Any, Any] | None] = CRITIC

    question: str
    reference: str
    evidence: tuple[str, ...] = ()
    history: tuple[Turn, ...] = ()
    behaviour: str = "answer"

    def stand_in(self) -> Opinion:
        """Find the item fit."""
        return Opinion(fit=True)

    def to_prompt(self) -> CriticInput:
        """Return the item."""
        return CriticInput(
            evidence=numbered_texts(self.evidence),
            history=turn_wires(self.history),
            question=self.question,
            answer=self.reference,
            behaviour=self.behaviour,
        )

    def from_prompt(self, output: CriticOutput) -> Opinion:
        """Return the verdict."""
        return Opinion(fit=output.fit, reason=output.reason)
