"""Alternatives: which other passages answer a question, and do they say the same?"""

from typing import Literal

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.wire import NumberedTexts, Wire, check_count, from_zero
from llamaindex_rag_eval.models.request import Reply, Request, written
from testset.requests.question import Answer, Turn


class Alternative(Reply):
    """What one passage does with a question.

    Attributes:
        verdict: "same" answers it as known (or at all, where no answer is known), "other"
            answers it otherwise, "adds" tells what the known answer misleads without, "no" does
            none of this.
        quote: The words that do.
    """

    verdict: Literal["no", "same", "other", "adds"]
    quote: str = ""


class Alternatives(Reply):
    """One verdict per passage, in order."""

    verdicts: tuple[Alternative, ...]


class AlternativesInput(Wire):
    """The passages under their headings, the conversation and the question, and the answer known.

    `answer` is empty if none is known.
    """

    passages: NumberedTexts
    history: tuple[Turn, ...] = ()
    question: str
    answer: Answer = ""


class Finding(Wire):
    """What one passage does with the question."""

    passage: int
    quote: str
    verdict: Literal["same", "other", "adds"]


class AlternativesOutput(Wire):
    """The passages that do something with the question; those that are not listed do nothing."""

    found: tuple[Finding, ...]


class AlternativesOf(Request[Alternatives]):
    """Which of these passages answer this question alone?"""

    prompt = written("alternatives", AlternativesInput, AlternativesOutput)

    question: str
    passages: tuple[str, ...]
    reference: str = ""
    history: tuple[Turn, ...] = ()

    def check(self, reply: Alternatives) -> None:
        """Check that there is one verdict per passage."""
        check_count("verdicts", len(reply.verdicts), "passages", len(self.passages))

    def from_prompt(self, output: AlternativesOutput) -> Alternatives:
        """Return the verdicts in the order of the passages; "no" for those that are not listed."""
        numbers = from_zero(
            [entry.passage for entry in output.found], len(self.passages), "passage"
        )
        if len(numbers) < len(output.found):
            raise ReplyError("a passage is listed twice")
        findings = dict(zip(numbers, output.found, strict=True))
        return Alternatives(
            verdicts=tuple(
                Alternative(verdict=entry.verdict, quote=entry.quote)
                if (entry := findings.get(number))
                else Alternative(verdict="no")
                for number in range(len(self.passages))
            )
        )
