"""Examine: what is wrong with an item, by all passages that bear on it, and how is it mended?

All in one call; `testset.checks` stores a verdict for each.
"""

from typing import Literal

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.wire import NumberedTexts, Wire, from_zero
from llamaindex_rag_eval.models.request import Reply, Request, written
from testset.requests.parts import Answer, ProvenFact, Stripped, Turn, facts_from_zero

FaultKind = Literal["not_named", "not_supported", "left_out", "beside"]
"""A question points at what it does not name; evidence does not prove what the answer says; the
answer leaves out what it misleads without, or tells what is not asked."""


class Fault(Stripped, Reply):
    """Something that is wrong with an item, in a few words."""

    kind: FaultKind
    what: str


class Finding(Reply):
    """A passage, by its number, that answers the question, and the words that do it.

    It answers as the answer does (or at all, where there is none), or otherwise.

    Attributes:
        passage: Its number, from 0; from 1 where a model writes it.
        quote: The words.
        kind: How it answers.
        evidence: The number of the evidence, from 1, that proves what these words prove; 0 if they
            answer the whole question.
    """

    passage: int
    quote: str
    kind: Literal["same", "other"]
    evidence: int = 0


class Opinion(Stripped, Reply):
    """What a second examiner thinks of an item.

    Attributes:
        bearing: What each passage says on the question, in its order: so that each is looked at.
        own: The examiner's own answer from the passages; empty if they do not settle the question.
        faults: What is wrong with the item as it is shown.
        findings: The passages that answer the question, too; those that are not named do not.
        question: The question as it is mended; empty if it stays.
        answer: The answer as it is mended; empty if it stays.
        facts: What the answer says then, with the proof; empty if evidence and facts stay.
        reason: Why the item, as it is mended, is fit for a test, or is not.
        fit: Whether it is.
    """

    bearing: tuple[str, ...]
    own: str
    faults: tuple[Fault, ...]
    findings: tuple[Finding, ...]
    question: str
    answer: str
    facts: tuple[ProvenFact, ...]
    reason: str
    fit: bool

    @property
    def mends(self) -> bool:
        """Whether the item is changed."""
        return bool(self.question or self.answer or self.facts)

    def faults_of(self, *kinds: FaultKind) -> str:
        """Return the faults of some kinds, in words; empty if there is none."""
        return "; ".join(fault.what or fault.kind for fault in self.faults if fault.kind in kinds)


class ExamineInput(Wire):
    """The item: question, answer with its facts, evidence, and all passages that bear on it."""

    history: tuple[Turn, ...] = ()
    question: str
    answer: Answer = ""
    facts: NumberedTexts = ()
    evidence: NumberedTexts = ()
    behaviour: str = "answer"
    type: str = ""
    style: str = ""
    passages: NumberedTexts = ()


class ExamineOf(Request[Opinion]):
    """Does this item stand alone, is its answer supported and whole, and is it fit?

    Attributes:
        facts: What the answer says, one by one.
        evidence: The gold spans.
        passages: The whole passages that hold the evidence, then others that bear on the question.
        type: Of the question; empty where it is plainly one to be answered.
        style: How it is meant to be worded; empty for plain.
    """

    prompt = written("examine", ExamineInput)

    question: str
    reference: str
    facts: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()
    history: tuple[Turn, ...] = ()
    behaviour: str = "answer"
    type: str = ""
    style: str = ""

    def from_prompt(self, output: Opinion) -> Opinion:
        """Return the opinion with numbers from 0."""
        from_zero([row.passage for row in output.findings], len(self.passages), "passage")
        whole = [row.passage for row in output.findings if not row.evidence]
        if len(set(whole)) < len(whole):
            raise ReplyError("a passage is listed twice")
        rows = (row.model_copy(update={"passage": row.passage - 1}) for row in output.findings)
        facts = facts_from_zero(output.facts, len(self.passages))
        return output.model_copy(update={"findings": tuple(rows), "facts": facts})
