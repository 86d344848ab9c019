"""Questions: one question of one type, written from facts."""

import re
from typing import ClassVar, Literal

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.prompts.parts import from_zero
from llamaindex_rag_eval.judge.rules.tokens import is_cjk
from llamaindex_rag_eval.models.request import Reply, Request
from testset.prompts.parts import FactWire, TurnWire, WriteInput, WriteOutput

__all__ = ["QuestionOf", "Stated", "Turn", "Written", "wired", "written_from"]

STAND_IN_WORDS = 20
STAND_IN_CHARACTERS = 24
_POINTING = frozenset(
    {"this", "these", "those", "their", "above", "below", "following", "diese", "dieser", "dieses"}
)


class Stated(Reply):
    """A fact as the writer sees it: the statement and the document it stands in."""

    statement: str
    document: str = ""


class Turn(Reply):
    """One earlier exchange of a conversation."""

    question: str
    answer: str


class Written(Reply):
    """A question as it was written.

    Attributes:
        question: The question.
        reference: Its answer; empty for one that cannot be answered.
        reference_facts: The statements of the answer.
        used: Numbers, from 0, of the facts that are needed.
        history: The conversation before it.
    """

    question: str
    reference: str
    reference_facts: tuple[str, ...] = ()
    used: tuple[int, ...] = ()
    history: tuple[Turn, ...] = ()


class QuestionOf(Request[Written]):
    """What would a person ask that these facts answer? Asked by type, each with its own prompt.

    Attributes:
        least: How many facts a question of this type needs.
        converses: Whether it follows up on a conversation.
        answered: Whether it has an answer.
    """

    reply: ClassVar[type[Reply]] = Written
    least: ClassVar[int] = 1
    converses: ClassVar[bool] = False
    answered: ClassVar[bool] = True

    facts: tuple[Stated, ...]
    language: str
    kind: str = ""
    persona: str = ""
    style: str = "plain"
    length: Literal["short", "medium", "long"] = "medium"
    aside: str = ""
    examples: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()

    def check(self, reply: Written) -> None:
        """Hold the reply to a question, an answer if there is one, and enough facts."""
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
            question=_asking(" ".join(near)),
            reference="\n".join(stated) if self.answered else "",
            reference_facts=tuple(stated) if self.answered else (),
            used=used,
            history=history,
        )

    def to_prompt(self) -> WriteInput:
        """Return the facts, numbered from 1, and how the question should sound."""
        return WriteInput(
            facts=wired(self.facts),
            language=self.language,
            kind=self.kind,
            persona=self.persona,
            style=self.style,
            length=self.length,
            aside=self.aside,
            examples=self.examples,
            avoid=self.avoid,
        )

    def from_prompt(self, output: WriteOutput) -> Written:
        """Return the question with its facts numbered from 0."""
        return written_from(output, len(self.facts), converses=self.converses)


def wired(facts: tuple[Stated, ...]) -> tuple[FactWire, ...]:
    """Return facts numbered from 1."""
    return tuple(
        FactWire(id=number, fact=fact.statement, document=fact.document)
        for number, fact in enumerate(facts, start=1)
    )


def turns_wired(turns: tuple[Turn, ...]) -> tuple[TurnWire, ...]:
    """Return turns as prompts show them."""
    return tuple(TurnWire(question=turn.question, answer=turn.answer) for turn in turns)


def written_from(output: WriteOutput, count: int, *, converses: bool) -> Written:
    """Return what was written; a history that nobody asked for is left out."""
    turns = tuple(
        Turn(question=t.question.strip(), answer=t.answer.strip()) for t in output.history
    )
    return Written(
        question=output.question.strip(),
        reference=output.answer.strip(),
        reference_facts=tuple(fact.strip() for fact in output.answer_facts if fact.strip()),
        used=from_zero(output.used, count, "fact"),
        history=turns if converses else (),
    )


def _asking(text: str) -> str:
    """Return a question that no check of form turns down, about the words of a text."""
    if is_cjk(text):
        return re.sub(r"[\s。、，]+", "", text)[:STAND_IN_CHARACTERS] + "?"
    found = re.findall(r"[\w-]+", text)
    telling = [word for word in found if len(word) > 3 or word[:1].isupper()]
    words = [word for word in telling if word.casefold() not in _POINTING]
    return f"What is known of {' '.join(words[:STAND_IN_WORDS])}?"
