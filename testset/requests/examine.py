"""Examine: does a finished item stand alone, is its answer supported, whole, and fit for a test?

Four questions in one call; `testset.checks` stores a verdict for each.
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
        own: The examiner's own answer from the passages; empty if they do not settle the question.
        left_out: What the answer must not leave out.
        beside: What the answer tells that is not asked for.
        fit: Whether the item is fit for a test.
        reason: Why.
    """

    missing: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    own: str = ""
    left_out: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    fit: bool
    reason: str = ""


class ExamineInput(Wire):
    """The item: question, answer with its claims, evidence, and the passages that hold it."""

    history: tuple[TurnWire, ...] = ()
    question: str
    evidence: tuple[Numbered, ...] = ()
    passages: tuple[Numbered, ...] = ()
    answer: str = ""
    claims: tuple[Numbered, ...] = ()
    behaviour: str = "answer"
    type: str = ""
    style: str = ""


class ClaimVerdict(Wire):
    """Whether the evidence supports one claim; why not, or nothing."""

    claim: int
    doubt: str
    supported: bool


class ExamineOutput(Wire):
    """What is missing, a verdict for each claim, what is left out, and the verdict on the item."""

    missing: tuple[str, ...]
    claims: tuple[ClaimVerdict, ...]
    own: str
    left_out: tuple[str, ...]
    beside: tuple[str, ...]
    reason: str
    fit: bool


EXAMINE = Prompt[ExamineInput, ExamineOutput](
    name="examine",
    instruction="""\
Somebody has written the item below to test systems that answer from documents. Look for its faults, in four steps.
1. `missing`: read `question` alone, as one who knows the field and sees no document. List, in its own words, each thing it points at without naming it: "it", "the table", "the author", "the second step", "the company" where no company is named. What `history` names is not missing. Nor is a name that one does not know (it can be looked up), the answer, what a general question leaves open on purpose, or the organisation that staff mean by "we" or "our".
2. `claims`: one verdict for each of `claims`, in order; none if none are given. A claim is supported if all of it follows from `evidence`: each number, name, step and condition. Other words, arithmetic and other units are fine; what you know from elsewhere or only `passages` say does not count. A name that the question or a heading in brackets gives may be used. A short claim is read as an answer to `question`. `doubt`: what does not follow, in English and at most 8 words; "" if it is supported.
3. `own`: answer `question` yourself, in its language, from `passages`, in which `evidence` stands, in at most 30 words; "" if they do not settle it or none are given. Then compare. `left_out`: what the person who asks would be misled without, if `answer` were all they read: an exception, limit or condition that `passages` set, or a step, duty or member of what they ask for. `beside`: what `answer` tells and `question` does not ask for, so that it is whole and true without; not the reason or condition of a yes or no, nor what was taken for true and is not. In English and few words each; mostly there is nothing.
4. `fit`: a person might really ask the question, in such words, `answer` is right by `evidence`, and `behaviour`, if given, is what a good system does: refuse (the documents do not tell; `evidence` only comes near), clarify (ask back which of several things is meant), correct_premise (the question takes something for true that `evidence` denies). Where none is given, a good system answers.
Not fit: nobody would ask it; it joins or compares things that nobody needs together; its `type` is multi_hop and it is two questions joined by "and", each of which could be asked alone; it asks for the wording of a document; it is so broad that good answers would differ, or so stilted that one must guess what is meant (`style` may call for key words, slips or chat); it can be read in two ways and is not for clarify; it takes something false for true and is not for correct_premise; it is for refuse and `evidence` answers it or a part of it, or tells where to find or whom to ask for it; the answer is wrong, in part, or beside the point.
A question with something `missing` may still be fit. `reason` before `fit`, in English and at most 15 words.""",
    input=ExamineInput,
    output=ExamineOutput,
    examples=(
        Example(
            input=ExamineInput(
                question="What does the captain check before the ferry leaves?",
                evidence=numbered_texts(
                    ["Before each trip the captain checks the ramp.", "It takes ten minutes."]
                ),
                passages=numbered_texts(
                    [
                        "[Orla ferry / Departure]\nBefore each trip the captain checks the ramp. In winter the radio is checked, too. It takes ten minutes."
                    ]
                ),
                answer="The ramp and the engine, which takes ten minutes.",
                claims=numbered_texts(
                    ["The captain checks the ramp and the engine.", "It takes ten minutes."]
                ),
            ),
            output=ExamineOutput(
                missing=("the ferry",),
                claims=(
                    ClaimVerdict(claim=1, doubt="no engine is named", supported=False),
                    ClaimVerdict(claim=2, doubt="", supported=True),
                ),
                own="The ramp, and in winter the radio.",
                left_out=("in winter also the radio",),
                beside=("how long it takes",),
                reason="The engine is invented.",
                fit=False,
            ),
        ),
    ),
)


class ExamineOf(Request[Opinion]):
    """Does this item stand alone, is its answer supported, and is it fit?

    Attributes:
        evidence: The gold spans; of an unanswerable question, the passages that are near.
        passages: The whole passages that hold the evidence.
        claims: What the answer says, one by one; none where nothing is to be supported.
        type: "multi_hop" of a question that must take several parts of the evidence; else empty.
        style: How it is meant to be worded; empty for plain.
    """

    prompt: ClassVar[Prompt[Any, Any] | None] = EXAMINE

    question: str
    reference: str
    evidence: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    history: tuple[Turn, ...] = ()
    behaviour: str = "answer"
    type: str = ""
    style: str = ""

    @property
    def bounds(self) -> Mapping[str, Mapping[str, Any]]:
        """One verdict for each claim."""
        return {**super().bounds, "claims": one_each("claim", len(self.claims))}

    def check(self, reply: Opinion) -> None:
        """Check that there is one verdict per claim."""
        check_count("verdicts", len(reply.doubts), "claims", len(self.claims))

    def stand_in(self) -> Opinion:
        """Find no fault."""
        return Opinion(doubts=("",) * len(self.claims), own=self.reference, fit=True)

    def to_prompt(self) -> ExamineInput:
        """Return the item, its evidence and claims numbered from 1."""
        return ExamineInput(
            history=turn_wires(self.history),
            question=self.question,
            evidence=numbered_texts(self.evidence),
            passages=numbered_texts(self.passages),
            answer=self.reference,
            claims=numbered_texts(self.claims),
            behaviour=self.behaviour,
            type=self.type,
            style=self.style,
        )

    def from_prompt(self, output: ExamineOutput) -> Opinion:
        """Return the verdicts, those on claims in their order."""
        given = output.claims
        places = places_in_order([entry.claim for entry in given], len(self.claims), "verdicts")
        ordered = (given[place] for place in places)
        return Opinion(
            missing=_told(output.missing),
            doubts=tuple(
                "" if entry.supported else entry.doubt.strip() or "not supported"
                for entry in ordered
            ),
            own=output.own.strip(),
            left_out=_told(output.left_out),
            beside=_told(output.beside),
            fit=output.fit,
            reason=output.reason,
        )


def _told(things: tuple[str, ...]) -> tuple[str, ...]:
    """Return what is not blank."""
    return tuple(filter(None, (thing.strip() for thing in things)))
