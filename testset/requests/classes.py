"""Classes: who asks the questions of a log, of which type and kind, in which style?"""

from typing import Any, ClassVar, get_args

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.wire import (
    Numbered,
    Wire,
    check_count,
    check_range,
    numbered_texts,
    places_in_order,
)
from llamaindex_rag_eval.models.prompt import Example, Prompt
from llamaindex_rag_eval.models.request import Reply, Request
from testset.golden.item import QuestionType

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

    questions: tuple[Numbered, ...]
    users: tuple[str, ...] = ()


class ClassWire(Wire):
    """What one question is; `user` is the number of an entry of `users`, from 1."""

    id: int
    user: int
    type: str
    kind: str
    style: str


class ClassesOutput(Wire):
    """The people who ask, then what each question is."""

    users: tuple[str, ...]
    questions: tuple[ClassWire, ...]


CLASSES = Prompt[ClassesInput, ClassesOutput](
    name="classes",
    instruction="""\
`questions` are what people asked a system that answers from documents. Say of each who asks, what type and kind of question it is, and how it is worded.
- `users`: the kinds of people who ask, at most 6 in all, each in at most 12 words: who, and why. Repeat `users` if they are given, first and unchanged; add one only for questions that none of them would ask. Nothing that tells who a single person is: no names, numbers or places.
- `user`: the number of an entry of your `users`, from 1.
- `type`: single_hop (one point), table (a cell, or the row with the most or least), multi_hop (two things put together), reasoning (a result that must be worked out), conditional (what holds under a condition), situational (what somebody in the situation they tell should do), double (two things at once), summary (an overview), conversational (leans on an earlier exchange), underspecified (fits several things), false_premise (takes something for true that seems wrong).
- `kind`: of single_hop: factoid, list, numeric, temporal, definition or procedure; of multi_hop: bridge, comparison or sequence; otherwise empty.
- `style`: web_search (a few key words), misspelt, formal, chat (casual), plain otherwise.
- One entry in your `questions` for each question, by its id.""",
    input=ClassesInput,
    output=ClassesOutput,
    examples=(
        Example(
            input=ClassesInput(
                questions=numbered_texts(
                    [
                        "ferry dog ticket price",
                        "How do I change a booking on the Orla ferry?",
                        "We are 14 and one of us uses a wheelchair, which crossing should we take?",
                    ]
                ),
            ),
            output=ClassesOutput(
                users=(
                    "A passenger who plans a crossing.",
                    "The organiser of a group with special needs.",
                ),
                questions=(
                    ClassWire(id=1, user=1, type="single_hop", kind="numeric", style="web_search"),
                    ClassWire(id=2, user=1, type="single_hop", kind="procedure", style="plain"),
                    ClassWire(id=3, user=2, type="situational", kind="", style="chat"),
                ),
            ),
        ),
    ),
)


class ClassesOf(Request[Classes]):
    """Who asks these questions, of which type and kind, in which style?"""

    prompt: ClassVar[Prompt[Any, Any] | None] = CLASSES

    questions: tuple[str, ...]
    users: tuple[str, ...] = ()

    def check(self, reply: Classes) -> None:
        """Check that each question has one entry, of a type that there is."""
        check_count("entries", len(reply.questions), "questions", len(self.questions))
        known = get_args(QuestionType)
        for entry in reply.questions:
            if entry.type not in known:
                raise ReplyError(f"type {entry.type!r} is none of {', '.join(known)}")

    def stand_in(self) -> Classes:
        """Take each for a plain question on one point."""
        one = Classified(user="Reader of the files.", type="single_hop", kind="factoid")
        return Classes(questions=(one,) * len(self.questions))

    def to_prompt(self) -> ClassesInput:
        """Return the questions, numbered from 1, and the people known so far."""
        return ClassesInput(questions=numbered_texts(self.questions), users=self.users)

    def from_prompt(self, output: ClassesOutput) -> Classes:
        """Return the entries in the order of the questions, each with its person in words."""
        given, users = output.questions, output.users[:MOST_USERS]
        places = places_in_order([row.id for row in given], len(self.questions), "entries")
        rows = [given[place] for place in places]
        check_range([row.user - 1 for row in rows], len(users), "user")
        return Classes(
            questions=tuple(
                Classified(
                    user=users[row.user - 1].strip(),
                    type=row.type,
                    kind=row.kind.strip(),
                    style=row.style.strip(),
                )
                for row in rows
            )
        )
