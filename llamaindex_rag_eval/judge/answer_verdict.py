"""Answer verdict: is the response, as an answer to its question, right?

One verdict on the whole answer, in the levels of Wei et al. (2024), "SimpleQA",
https://arxiv.org/abs/2411.04368, with a level for what is right in part, as Yang et al. (2024),
"CRAG", https://arxiv.org/abs/2406.04744, have it.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.rules.verdict import verdict_on
from llamaindex_rag_eval.judge.wire import Wire, check_stands, majority_of
from llamaindex_rag_eval.models.request import Embed, Reply, Request, written

AnswerLevel = Literal["right", "partly_right", "wrong", "not_attempted"]
Expected = Literal["answer", "refuse", "clarify", "correct_premise"]

SCORES: Mapping[AnswerLevel, float] = {
    "right": 1.0,
    "partly_right": 0.5,
    "wrong": 0.0,
    "not_attempted": 0.0,
}
"""What each verdict counts, the best first."""


class AnswerVerdict(Reply):
    """Whether an answer is right, and what keeps it from being so.

    Attributes:
        verdict: On the answer as a whole.
        reason: Why, in a sentence.
        missing: What the question asks for and the response lacks, in the words of the reference.
        wrong: What is wrong in the response, in its own words.
        agreement: The share of votes for this verdict; `None` unless several were asked for.
    """

    verdict: AnswerLevel
    reason: str = ""
    missing: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    agreement: float | None = Field(default=None, ge=0, le=1)

    @property
    def summary(self) -> str:
        """The verdict and its reason in one line, as "Partly right: a port is missing."."""
        words = self.verdict.replace("_", " ").capitalize()
        return f"{words}: {self.reason}" if self.reason else f"{words}."


class AnswerVerdictInput(Wire):
    """The question, with the conversation before it; what is right; and what is judged."""

    question: str
    references: tuple[str, ...] = ()
    expected: Literal["", "refuse", "clarify", "correct_premise"] = ""
    response: str


class Fault(Wire):
    """One thing that is missing or wrong."""

    kind: Literal["missing", "wrong"]
    words: str


class AnswerVerdictOutput(Wire):
    """The reason, what is at fault, then the verdict."""

    reason: str
    faults: tuple[Fault, ...]
    verdict: AnswerLevel


class AnswerVerdictOf(Request[AnswerVerdict]):
    """Is this response a right answer to its question?

    Attributes:
        query: The question, with the conversation before it.
        response: The answer.
        references: The right answers; one of them is enough.
        expected: What a good answer does, if the question is not to be answered as it stands.
    """

    prompt = written("answer_verdict", AnswerVerdictInput, AnswerVerdictOutput)

    query: str
    response: str
    references: tuple[str, ...]
    expected: Expected = "answer"

    def by_rule(self, embed: Embed | None = None) -> AnswerVerdict:
        """Compare the words of the response with those of the references."""
        by_rule = verdict_on(
            self.query, self.response, self.references, expected=self.expected, embed=embed
        )
        return AnswerVerdict(
            verdict=by_rule.verdict,
            reason=by_rule.reason,
            missing=by_rule.missing,
            wrong=by_rule.wrong,
        )

    def to_prompt(self) -> AnswerVerdictInput:
        """Return the question, the references and the response."""
        return AnswerVerdictInput(
            question=self.query,
            references=self.references,
            expected="" if self.expected == "answer" else self.expected,
            response=self.response,
        )

    def from_prompt(self, output: AnswerVerdictOutput) -> AnswerVerdict:
        """Return the verdict; an answer that is not attempted lacks everything.

        Raises:
            ReplyError: A right answer has a fault; or a fault stands in no text shown, or, with a
                number or all its words, not where it should: what is wrong, in the response, what
                is missing, in the question or a reference.
        """
        for fault in output.faults:
            if output.verdict == "right":
                raise ReplyError(f"the verdict is 'right' beside a fault: {fault.words!r}")
            check_stands("fault", fault.words, (self.query, self.response, *self.references))
            own = [self.response] if fault.kind == "wrong" else [self.query, *self.references]
            check_stands(f"{fault.kind} fault", fault.words, own, least=1)
        faults = output.faults if output.verdict != "not_attempted" else ()
        return AnswerVerdict(
            verdict=output.verdict,
            reason=output.reason,
            missing=tuple(fault.words for fault in faults if fault.kind == "missing"),
            wrong=tuple(fault.words for fault in faults if fault.kind == "wrong"),
        )

    def majority(self, replies: Sequence[AnswerVerdict]) -> AnswerVerdict:
        """Return the verdict of most replies, the first of equals, with the share that agrees."""
        return majority_of(replies, "verdict")
