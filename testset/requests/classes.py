"""Classes: who asks the questions of a log, of which type and kind, in which style?"""

from typing import get_args

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.wire import (
    NumberedTexts,
    Wire,
    check_count,
    check_range,
    in_order,
)
from llamaindex_rag_eval.models.request import Reply, Request, written
from testset.golden.item import QuestionType
from testset.requests.parts import Stripped

MOST_USERS = 6
"""Kinds of people that are told apart."""


class Classified(Reply):
    """What one question is.

    Attributes:
        user: Who asks, in a sentence.
        type: Its type.
        kind: What is asked for; finer than the type, often empty.
        style: How it is worded.
    """

    user: str
    type: str
    kind: str = ""
    style: str = "plain"


class Classes(Reply):
    """What each of several questions is, in their order."""

    questions: tuple[Classified, ...]


class ClassesInput(Wire):
    """The questions, and the people that are known from others."""

    questions: NumberedTexts
    users: tuple[str, ...] = ()


class ClassWire(Stripped):
    """What one question is; `user` is the number of an entry of `users`, from 1."""

    id: int
    user: int
    type: str
    kind: str
    style: str


class ClassesOutput(Stripped):
    """The people who ask, then what each question is."""

    users: tuple[str, ...]
    questions: tuple[ClassWire, ...]


class ClassesOf(Request[Classes]):
    """Who asks these questions, of which type and kind, in which style?"""

    prompt = written("classes", ClassesInput, ClassesOutput)

    questions: tuple[str, ...]
    users: tuple[str, ...] = ()

    def check(self, reply: Classes) -> None:
        """Check that each question has one entry, of a type that there is."""
        check_count("entries", len(reply.questions), "questions", len(self.questions))
        known = get_args(QuestionType)
        for entry in reply.questions:
            if entry.type not in known:
                raise ReplyError(f"type {entry.type!r} is none of {', '.join(known)}")

    def from_prompt(self, output: ClassesOutput) -> Classes:
        """Return the entries in the order of the questions, each with its person in words."""
        users = output.users[:MOST_USERS]
        rows = in_order(output.questions, "id", len(self.questions), "entries")
        check_range([row.user - 1 for row in rows], len(users), "user")
        return Classes(
            questions=tuple(
                Classified(user=users[row.user - 1], type=row.type, kind=row.kind, style=row.style)
                for row in rows
            )
        )
