"""Questions: the request for one question of a type, and the prompt that all types share."""

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AliasChoices, ConfigDict, Field

from llamaindex_rag_eval.data.sample import Fact
from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.wire import FROM_ONE, Wire, from_zero
from llamaindex_rag_eval.models.request import Reply, Request, written

Importance = Literal["vital", "okay"]
"""Whether an answer without a fact is not complete, or may hold it besides."""


class WithSettings:
    """A request some fields of which are shown together: what is asked for, not what to read."""

    @property
    def settings(self) -> Self:
        """Fields of this request."""
        return self


class Stripped(Wire):
    """What a model replies, without blanks around its texts."""

    model_config = ConfigDict(frozen=True, str_strip_whitespace=True)


class Stated(Reply):
    """A fact as the writer sees it: the statement, where it stands, and whether it is vital."""

    statement: str
    document: str = ""
    importance: Importance = "vital"


class Turn(Reply):
    """One earlier exchange of a conversation."""

    question: str
    answer: str


class Written(Reply):
    """A question as it was written.

    Attributes:
        question: The question.
        reference: Its answer; empty for one that cannot be answered.
        reference_facts: The statements of the answer, each vital or okay.
        used: Numbers, from 0, of the facts that are needed.
        history: The conversation before it.
    """

    question: str
    reference: str
    reference_facts: tuple[Fact, ...] = ()
    used: tuple[int, ...] = ()
    history: tuple[Turn, ...] = ()


class FactWire(Wire):
    """A fact with its number, from 1, the document and heading it stands under, and its weight."""

    id: int
    fact: str = Field(validation_alias=AliasChoices("fact", "statement"))
    document: str = ""
    importance: Importance = "vital"


NumberedFacts = Annotated[tuple[FactWire, ...], FROM_ONE]
"""The facts of a request, numbered from 1."""

Answer = Annotated[str, Field(validation_alias=AliasChoices("answer", "reference"))]
"""The answer, which requests call `reference`."""


class AnswerFact(Stripped):
    """A statement of the answer, and whether the answer is complete without it."""

    fact: str
    importance: Importance


class Settings(Wire):
    """How the question should sound: what is asked for, not what a document says."""

    language: str
    type: str = ""
    kind: str = ""
    style: str = "plain"
    length: str = ""
    examples: tuple[str, ...] = ()


class WriteInput(Wire):
    """What a question is made of, and how it should sound."""

    settings: Settings
    persona: str = ""
    asks: str = ""
    facts: NumberedFacts
    aside: str = ""
    avoid: tuple[str, ...] = ()


class WriteOutput(Stripped):
    """The question, its answer, and what both stand on."""

    used: tuple[int, ...]
    history: tuple[Turn, ...]
    question: str
    answer: str
    answer_facts: tuple[AnswerFact, ...]


def question_prompt(name: str) -> Any:  # see `written`
    """Return the prompt of a question type: the common rules around its own task."""
    return written(f"write_{name}", WriteInput, WriteOutput)


class QuestionOf(WithSettings, Request[Written]):
    """What would a person ask that these facts answer? Each type is a subclass with its prompt.

    Attributes:
        least: How many facts a question of this type uses at least.
        converses: Whether it follows up on a conversation.
        least_okay: How many facts it needs at least beside those of its answer.
        answered: Whether it has an answer.
    """

    least: ClassVar[int] = 1
    converses: ClassVar[bool] = False
    least_okay: ClassVar[int] = 0
    answered: ClassVar[bool] = True

    facts: tuple[Stated, ...]
    language: str
    asks: str = ""
    kind: str = ""
    persona: str = ""
    style: str = "plain"
    length: str = ""
    aside: str = ""
    examples: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()

    def check(self, reply: Written) -> None:
        """Check that there are a question, an answer if the type has one, and enough facts."""
        check_written(reply, len(self.facts), answered=self.answered)
        if len(reply.used) < self.least:
            raise ReplyError(f"{len(reply.used)} facts are used; this kind needs {self.least}")
        if self.converses and not reply.history:
            raise ReplyError("history is empty; expected one earlier exchange")

    def from_prompt(self, output: WriteOutput) -> Written:
        """Return the question with its facts numbered from 0."""
        return parse_written(output, len(self.facts), converses=self.converses)


def check_written(reply: Written, count: int, *, answered: bool) -> None:
    """Raise `ReplyError` unless there are a question, an answer if any, and only facts given."""
    if not reply.question.strip():
        raise ReplyError("the question is empty")
    if answered and not reply.reference.strip():
        raise ReplyError("the answer is empty")
    if any(not 0 <= number < count for number in reply.used):
        raise ReplyError("a fact is used that was not given")


def parse_written(output: WriteOutput, count: int, *, converses: bool) -> Written:
    """Return what was written; a history that nobody asked for is left out."""
    turns = output.history if converses else ()
    facts = (Fact(text=row.fact, importance=row.importance) for row in output.answer_facts)
    return Written(
        question=output.question,
        reference=output.answer,
        reference_facts=tuple(fact for fact in facts if fact.text),
        used=from_zero(output.used, count, "fact"),
        history=tuple(Turn(question=t.question.strip(), answer=t.answer.strip()) for t in turns),
    )
