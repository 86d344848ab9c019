"""Failure modes: which wrong answers are of one kind, and what is it called?"""

from typing import Annotated

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.wire import FROM_ONE, Wire, check_count, in_order
from llamaindex_rag_eval.models.request import Reply, Request, written

LONGEST_NAME = 60
"""Characters of the name of a mode."""


class ModeOfFailure(Reply):
    """What is wrong with one answer, and the mode that it belongs to."""

    fault: str
    mode: str


class FailureModes(Reply):
    """One entry a failure, in their order."""

    failures: tuple[ModeOfFailure, ...]


class Failure(Reply):
    """A wrong answer, and what was noted of it."""

    question: str
    answer: str
    reference: str = ""
    note: str = ""


class NumberedFailure(Failure):
    """A wrong answer with its number, from 1."""

    id: int


class FailureModesInput(Wire):
    """The modes that have names, then the failures."""

    known: tuple[str, ...]
    failures: Annotated[tuple[NumberedFailure, ...], FROM_ONE]


class FailureVerdict(Wire):
    """The verdict on one failure."""

    failure: int
    fault: str
    mode: str


class FailureModesOutput(Wire):
    """One verdict for each failure."""

    verdicts: tuple[FailureVerdict, ...]


class FailureModesOf(Request[FailureModes]):
    """Which of these wrong answers are of one kind?

    Attributes:
        known: The names of modes that exist.
        failures: The wrong answers.
    """

    prompt = written("failure_modes", FailureModesInput, FailureModesOutput)

    known: tuple[str, ...]
    failures: tuple[Failure, ...]

    def check(self, reply: FailureModes) -> None:
        """Check that there is one mode a failure, with a name that fits a table."""
        check_count("verdicts", len(reply.failures), "failures", len(self.failures))
        for entry in reply.failures:
            if not 0 < len(entry.mode) <= LONGEST_NAME and entry.mode not in self.known:
                raise ReplyError(f"mode {entry.mode!r}: expected 1 to {LONGEST_NAME} characters")

    def stand_in(self) -> FailureModes:
        """Return a reply of the right form, for a dry run without a model."""
        entry = ModeOfFailure(fault="the unit is another one", mode="wrong unit")
        return FailureModes(failures=(entry,) * len(self.failures))

    def from_prompt(self, output: FailureModesOutput) -> FailureModes:
        """Return the verdicts in the order of the failures, each text in one line."""
        verdicts = in_order(output.verdicts, "failure", len(self.failures), "verdicts")
        return FailureModes(
            failures=tuple(
                ModeOfFailure(fault=one_line(entry.fault), mode=one_line(entry.mode))
                for entry in verdicts
            )
        )


def one_line(text: str) -> str:
    """Return the printable characters of a text in one line."""
    return "".join(filter(str.isprintable, " ".join(text.split())))
