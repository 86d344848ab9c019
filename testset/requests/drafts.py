"""Drafts: what would somebody ask of these passages, and what is the right answer?

Asked once for each passage, or group of linked passages: question, answer and proof in one reply.
"""

from collections.abc import Mapping
from typing import Annotated

from pydantic import field_validator

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.judge.wire import FROM_ONE, NumberedTexts, Wire, check_range
from llamaindex_rag_eval.models.request import Reply, Request, written
from testset.requests.parts import ProvenFact, Stripped, Turn, WithSettings, facts_from_zero

LEAST_FACTS: Mapping[str, int] = {
    "conflict": 2,
    "double": 2,
    "multi_hop": 2,
    "summary": 2,
    "unanswerable": 0,
    "underspecified": 2,
}
"""Question type -> how many facts its answer has at least; those of other types have one."""


class Wanted(Reply):
    """A question that is wanted; what is empty is left open.

    Attributes:
        type: Its type.
        kind: What is asked for; finer than the type.
        persona: Who asks.
        style: How it is worded; by default plainly.
        length: How long it is.
        language: The language of question and answer; by default that of the passages.
    """

    type: str
    kind: str = ""
    persona: str = ""
    style: str = ""
    length: str = ""
    language: str = ""


class WantedWire(Wanted):
    """A question that is wanted, with its number, from 1."""

    id: int


NumberedWanted = Annotated[tuple[WantedWire, ...], FROM_ONE]
"""The questions that are wanted, numbered from 1."""


class Written(Stripped, Reply):
    """A question as it was written.

    Attributes:
        wanted: The number of the wanted question that it is; from 1 where a model writes it.
        persona: Who asks, in a few words.
        kind: What is asked for; finer than the type.
        asks: What is asked, in the language of the passages; empty if the question is in it.
        history: The conversation before it.
        question: The question.
        answer: Its answer; empty for one that cannot be answered.
        facts: What the answer says, each statement with its proof.
        elsewhere: Words by which to look for what limits, repeats or denies the answer.
    """

    wanted: int
    persona: str
    kind: str
    asks: str
    history: tuple[Turn, ...]
    question: str
    answer: str
    facts: tuple[ProvenFact, ...]
    elsewhere: str = ""

    @field_validator("elsewhere", mode="before")
    @classmethod
    def _in_a_line(cls, value: object) -> object:
        """Join words that a model has written as a list."""
        return " ".join(map(str, value)) if isinstance(value, list) else value


class Drafts(Stripped, Reply):
    """Drafts; none if nothing is worth asking."""

    reason: str
    questions: tuple[Written, ...]


class DraftSettings(Wire):
    """What is asked for."""

    wanted: NumberedWanted
    examples: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()


class DraftsInput(Wire):
    """What is asked for, and the passages under their title and headings."""

    settings: DraftSettings
    passages: NumberedTexts


class DraftsOf(WithSettings, Request[Drafts]):
    """Which of the questions that are wanted would somebody ask of a passage?

    Attributes:
        passages: The passages.
        wanted: What is wanted.
        examples: Questions that show the manner of asking.
        avoid: Questions that are not to be asked again.
    """

    prompt = written("drafts", DraftsInput)

    passages: tuple[str, ...]
    wanted: tuple[Wanted, ...]
    examples: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()

    def check(self, reply: Drafts) -> None:
        """Check that questions are of those wanted, and have an answer if their type has one."""
        check_range([entry.wanted for entry in reply.questions], len(self.wanted), "wanted")
        for entry in reply.questions:
            type_ = self.wanted[entry.wanted].type
            if not entry.question:
                raise ReplyError("a question is empty")
            if type_ != "unanswerable" and not entry.answer:
                raise ReplyError(f"a {type_} question has no answer")
            if type_ == "conversational" and not entry.history:
                raise ReplyError("history is empty; expected one earlier exchange")

    def from_prompt(self, output: Drafts) -> Drafts:
        """Return the questions with numbers from 0."""
        return output.model_copy(
            update={
                "questions": tuple(
                    entry.model_copy(
                        update={
                            "wanted": entry.wanted - 1,
                            "facts": facts_from_zero(entry.facts, len(self.passages)),
                        }
                    )
                    for entry in output.questions
                )
            }
        )


class JointDraftsOf(DraftsOf):
    """Which of the questions that are wanted take several linked passages?"""

    prompt = written("joint_drafts", DraftsInput)


def can_write(judge: Judge) -> bool:
    """Return whether a judge can write at all; rules cannot, and `testset.rules` does."""
    return judge.oracle.answers(DraftsOf)
