"""Examine: does a finished item stand alone, is its answer supported, and is it fit for a test?

Three questions in one call; `testset.checks` stores a verdict for each.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from llamaindex_rag_eval.judge.wire import (
    Numbered,
    Wire,
    check_count,
    numbered_texts,
    one_each,
    places_in_order,
)
from llamaindex_rag_eval.models.prompt import Example, Prompt
from llamaindex_rag_eval.models.request import Reply, Request
from testset.requests.question import Turn, TurnWire, turn_wires

__all__ = ["ExamineOf", "Opinion"]


class Opinion(Reply):
    """What a second examiner thinks of an item.

    Attributes:
        missing: What the question points at without naming it; nothing if it stands alone.
        doubts: For each claim why the evidence does not support it; empty where it does.
        fit: Whether the item is fit for a test.
        reason: Why.
    """

    missing: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    fit: bool
    reason: str = ""


class ExamineInput(Wire):
    """The item: question, evidence, answer with its claims, and what a good system does with it."""

    history: tuple[TurnWire, ...] = ()
    question: str
    evidence: tuple[Numbered, ...] = ()
    answer: str = ""
    claims: tuple[Numbered, ...] = ()
    behaviour: str = "answer"
    type: str = ""


class ClaimVerdict(Wire):
    """Whether the evidence supports one claim; why not, or nothing."""

    claim: int
    doubt: str
    supported: bool


class ExamineOutput(Wire):
    """What is missing, a verdict for each claim, and the verdict on the item after its reason."""

    missing: tuple[str, ...]
    claims: tuple[ClaimVerdict, ...]
    reason: str
    fit: bool


EXAMINE = Prompt[ExamineInput, ExamineOutput](
    name="examine",
    instruction="""\
Somebody has written the item below to test systems that answer from documents. Look for its faults, in three steps.
1. `missing`: read `question` alone, as one who knows the field and sees no document. List, in its own words, each thing it points at without naming it: "it", "the table", "the author", "the second step", "the company" where no company is named. What `history` names is not missing. Nor is a name that one does not know (it can be looked up), the answer, what a general question leaves open on purpose, or the organisation that staff mean by "we" or "our".
2. `claims`: one verdict for each of `claims`, in order. It is supported if all of it follows from `evidence`: each number, name, step and condition. Other words, arithmetic and other units are fine; what you know from elsewhere does not count. A name that the question or a heading in brackets gives may be used. A short claim is read as an answer to `question`. If no claims are given, reply with an empty list. `doubt`: what does not follow, in English and at most 8 words; "" if it is supported.
3. `fit`: a person might really ask the question, `answer` is right by `evidence` and holds all that is asked, and `behaviour`, if given, is what a good system does: refuse (the documents do not tell; `evidence` only comes near), clarify (ask back which of several things is meant), correct_premise (the question takes something for true that `evidence` denies). Where none is given, a good system answers.
Not fit: nobody would ask it; it joins unrelated questions; its `type` is multi_hop and it is two questions joined by "and", each of which could be asked alone; it asks for the wording of a document; it can be read in two ways and is not for clarify; it takes something false for true and is not for correct_premise; it is for refuse and `evidence` answers it or a part of it; the answer is wrong, in part, or beside the point.
A question with something `missing` may still be fit. `reason` before `fit`, in English and at most 15 words.""",
    input=ExamineInput,
    output=ExamineOutput,
    examples=(
        Example(
            input=ExamineInput(
                question="In which year did the yard that built the Orla ferry close?",
                evidence=numbered_texts(
                    [
                        "[Orla ferry]\nIt was built at the Brevik yard.",
                        "[Yards of the north]\nThe Brevik yard closed in 2004.",
                    ]
                ),
                answer="In 2004.",
                claims=numbered_texts(
                    ["The Brevik yard built the Orla ferry.", "The Brevik yard closed in 2004."]
                ),
            ),
            output=ExamineOutput(
                missing=(),
                claims=(
                    ClaimVerdict(claim=1, doubt="", supported=True),
                    ClaimVerdict(claim=2, doubt="", supported=True),
                ),
                reason="Natural, and both steps stand there.",
                fit=True,
            ),
        ),
        Example(
            input=ExamineInput(
                question="What does the captain check before the ferry leaves?",
                evidence=numbered_texts(
                    [
                        "[Orla ferry / Departure]\nBefore each trip the captain checks the ramp, the batteries and the radio."
                    ]
                ),
                answer="The ramp and the engine.",
                claims=numbered_texts(["The captain checks the ramp and the engine."]),
            ),
            output=ExamineOutput(
                missing=("the ferry",),
                claims=(ClaimVerdict(claim=1, doubt="no engine is named", supported=False),),
                reason="The answer adds the engine and leaves out two checks.",
                fit=False,
            ),
        ),
    ),
)


class ExamineOf(Request[Opinion]):
    """Does this item stand alone, is its answer supported, and is it fit?

    Attributes:
        claims: What the answer says, one by one; none where nothing is to be supported.
        type: "multi_hop" of a question that must take several parts of the evidence; else empty.
    """

    reply: ClassVar[type[Reply]] = Opinion
    prompt: ClassVar[Prompt[Any, Any] | None] = EXAMINE

    question: str
    reference: str
    evidence: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    history: tuple[Turn, ...] = ()
    behaviour: str = "answer"
    type: str = ""

    @property
    def bounds(self) -> Mapping[str, Mapping[str, Any]]:
        """One verdict for each claim."""
        return {**super().bounds, "claims": one_each("claim", len(self.claims))}

    def check(self, reply: Opinion) -> None:
        """Check that there is one verdict per claim."""
        check_count("verdicts", len(reply.doubts), "claims", len(self.claims))

    def stand_in(self) -> Opinion:
        """Find no fault."""
        return Opinion(doubts=("",) * len(self.claims), fit=True)

    def to_prompt(self) -> ExamineInput:
        """Return the item, its evidence and claims numbered from 1."""
        return ExamineInput(
            history=turn_wires(self.history),
            question=self.question,
            evidence=numbered_texts(self.evidence),
            answer=self.reference,
            claims=numbered_texts(self.claims),
            behaviour=self.behaviour,
            type=self.type,
        )

    def from_prompt(self, output: ExamineOutput) -> Opinion:
        """Return the verdicts, those on claims in their order."""
        given = output.claims
        places = places_in_order([entry.claim for entry in given], len(self.claims), "verdicts")
        ordered = (given[place] for place in places)
        return Opinion(
            missing=tuple(filter(None, (thing.strip() for thing in output.missing))),
            doubts=tuple(
                "" if entry.supported else entry.doubt.strip() or "not supported"
                for entry in ordered
            ),
            fit=output.fit,
            reason=output.reason,
        )
