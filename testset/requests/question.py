"""Questions: the request for one question of a type, and the prompt that all types share."""

import re
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AliasChoices, Field

from llamaindex_rag_eval.data.sample import Fact
from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.rules.tokens import is_cjk
from llamaindex_rag_eval.judge.wire import FROM_ONE, Wire, from_zero
from llamaindex_rag_eval.models.request import Reply, Request, written

Importance = Literal["vital", "okay"]
"""Whether an answer without a fact is not complete, or may hold it besides."""

STAND_IN_WORDS = 20
"""Words of a stand-in question at most; of Chinese and Japanese, the characters below."""
STAND_IN_CHARACTERS = 24
_POINTING = frozenset(
    {"this", "these", "those", "their", "above", "below", "following", "diese", "dieser", "dieses"}
)


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


class AnswerFact(Wire):
    """A statement of the answer, and whether the answer is complete without it."""

    fact: str
    importance: Importance


class Settings(Wire):
    """How the question should sound: what is asked for, not what a document says."""

    language: str
    type: str = ""
    kind: str = ""
    style: str = "plain"
    examples: tuple[str, ...] = ()


class WriteInput(Wire):
    """What a question is made of, and how it should sound."""

    settings: Settings
    persona: str = ""
    asks: str = ""
    facts: NumberedFacts
    aside: str = ""
    avoid: tuple[str, ...] = ()


class WriteOutput(Wire):
    """The question, its answer, and what both stand on."""

    used: tuple[int, ...]
    history: tuple[Turn, ...]
    question: str
    answer: str
    answer_facts: tuple[AnswerFact, ...]


def question_prompt(name: str) -> Any:  # see `written`
    """Return the prompt of a question type: the common rules around its own task."""
    return written(f"write_{name}", WriteInput, WriteOutput)


class QuestionOf(Request[Written]):
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
    aside: str = ""
    examples: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()

    def check(self, reply: Written) -> None:
        """Check that there are a question, an answer if the type has one, and enough facts."""
        if not reply.question.strip():
            raise ReplyError("the question is empty")
        if self.answered and not reply.reference.strip():
            raise ReplyError("the answer is empty")
        if len(reply.used) < self.least:
            raise ReplyError(f"{len(reply.used)} facts are used; this kind needs {self.least}")
        if any(not 0 <= number < len(self.facts) for number in reply.used):
            raise ReplyError("a fact is used that was not given")
        if self.converses and not reply.history:
            raise ReplyError("history is empty; expected one earlier exchange")

    def stand_in(self) -> Written:
        """Ask for the first facts by their longest words, and answer in their own."""
        used = tuple(range(min(self.least, len(self.facts))))
        stated = [self.facts[number].statement for number in used]
        history = (Turn(question="What is it?", answer=stated[-1]),) if self.converses else ()
        near = stated if self.answered else [fact.statement for fact in self.facts[:3]]
        return Written(
            question=_stand_in_question(" ".join(near)),
            reference="\n".join(stated) if self.answered else "",
            reference_facts=tuple(Fact(text=text) for text in stated) if self.answered else (),
            used=used,
            history=history,
        )

    @property
    def settings(self) -> "QuestionOf":
        """How the question should sound: fields of this request."""
        return self

    def from_prompt(self, output: WriteOutput) -> Written:
        """Return the question with its facts numbered from 0."""
        return parse_written(output, len(self.facts), converses=self.converses)


def parse_written(output: WriteOutput, count: int, *, converses: bool) -> Written:
    """Return what was written; a history that nobody asked for is left out."""
    turns = tuple(
        Turn(question=t.question.strip(), answer=t.answer.strip()) for t in output.history
    )
    return Written(
        question=output.question.strip(),
        reference=output.answer.strip(),
        reference_facts=tuple(
            Fact(text=text, importance=entry.importance)
            for entry in output.answer_facts
            if (text := entry.fact.strip())
        ),
        used=from_zero(output.used, count, "fact"),
        history=turns if converses else (),
    )


def _stand_in_question(text: str) -> str:
    """Return a well-formed question with the longer words of a text."""
    if is_cjk(text):
        return re.sub(r"[\s。、，]+", "", text)[:STAND_IN_CHARACTERS] + "?"
    words_in_text = re.findall(r"[\w-]+", text)
    telling = [word for word in words_in_text if len(word) > 3 or word[:1].isupper()]
    words = [word for word in telling if word.casefold() not in _POINTING]
    return f"What is known of {' '.join(words[:STAND_IN_WORDS])}?"
