"""Examine: does a finished item stand alone, is its answer supported, whole, and fit for a test?

And what do other passages say to it? All in one call; `testset.checks` stores a verdict for each.
"""

from typing import Literal

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.wire import (
    NumberedTexts,
    Wire,
    check_count,
    from_zero,
    in_order,
)
from llamaindex_rag_eval.models.request import Reply, Request, written
from testset.requests.question import Answer, Stripped, Turn

Bearing = Literal["same", "other", "adds"]
"""A passage answers as the answer does (or at all, where there is none), or answers otherwise, or
tells what the answer misleads without."""


class Finding(Reply):
    """What a passage, by its number, does with the question, and the words that do it.

    Numbers are from 0, and from 1 where a model writes them.
    """

    passage: int
    quote: str
    verdict: Bearing


class Opinion(Reply):
    """What a second examiner thinks of an item.

    Attributes:
        missing: What the question points at without naming it; nothing if it stands alone.
        doubts: For each claim why the evidence does not support it; empty where it does.
        own: The examiner's own answer from the passages; empty if they do not settle the question.
        left_out: What the answer must not leave out.
        beside: What the answer tells that is not asked for.
        findings: What passages do with the question; those that are not named do nothing.
        fit: Whether the item is fit for a test.
        reason: Why.
    """

    missing: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    own: str = ""
    left_out: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    fit: bool
    reason: str = ""


class ExamineInput(Wire):
    """The item: question, answer with its claims, evidence, and all passages that bear on it."""

    history: tuple[Turn, ...] = ()
    question: str
    evidence: NumberedTexts = ()
    passages: NumberedTexts = ()
    answer: Answer = ""
    claims: NumberedTexts = ()
    behaviour: str = "answer"
    type: str = ""
    style: str = ""


class ClaimVerdict(Stripped):
    """Whether the evidence supports one claim; why not, or nothing."""

    claim: int
    doubt: str
    supported: bool


class ExamineOutput(Stripped):
    """What is missing, a verdict for each claim, what is left out, and the verdict on the item."""

    missing: tuple[str, ...]
    claims: tuple[ClaimVerdict, ...]
    own: str
    left_out: tuple[str, ...]
    beside: tuple[str, ...]
    findings: tuple[Finding, ...]
    reason: str
    fit: bool


class ExamineOf(Request[Opinion]):
    """Does this item stand alone, is its answer supported and whole, and is it fit?

    Attributes:
        evidence: The gold spans.
        passages: The whole passages that hold the evidence, then others that bear on the question.
        claims: What the answer says, one by one; none where nothing is to be supported.
        type: "multi_hop" of a question that must take several parts of the evidence; else empty.
        style: How it is meant to be worded; empty for plain.
    """

    prompt = written("examine", ExamineInput, ExamineOutput)

    question: str
    reference: str
    evidence: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    history: tuple[Turn, ...] = ()
    behaviour: str = "answer"
    type: str = ""
    style: str = ""

    def check(self, reply: Opinion) -> None:
        """Check that there is one verdict per claim."""
        check_count("verdicts", len(reply.doubts), "claims", len(self.claims))

    def from_prompt(self, output: ExamineOutput) -> Opinion:
        """Return the verdicts, those on claims in their order."""
        listed = [row.passage for row in output.findings]
        if len(from_zero(listed, len(self.passages), "passage")) < len(listed):
            raise ReplyError("a passage is listed twice")
        ordered = in_order(output.claims, "claim", len(self.claims), "verdicts")
        return Opinion(
            missing=tuple(filter(None, output.missing)),
            doubts=tuple("" if row.supported else row.doubt or "not supported" for row in ordered),
            own=output.own,
            left_out=tuple(filter(None, output.left_out)),
            beside=tuple(filter(None, output.beside)),
            findings=tuple(
                row.model_copy(update={"passage": row.passage - 1}) for row in output.findings
            ),
            fit=output.fit,
            reason=output.reason,
        )
