"""Topics: which topics do the questions of a conversation belong to, and which were declined?"""

from collections.abc import Mapping
from typing import Any, ClassVar

from llamaindex_rag_eval.judge.wire import (
    Numbered,
    Wire,
    check_count,
    check_range,
    from_zero,
    numbered_texts,
    one_each,
    places_in_order,
    some_of,
)
from llamaindex_rag_eval.models.prompt import Example, Prompt
from llamaindex_rag_eval.models.request import Reply, Request


class TurnTopics(Reply):
    """What one turn is about.

    Attributes:
        topics: The numbers, from 0, of the topics that the question belongs to.
        declined: Whether the answer turned the question away.
        reason: What the question is about, in a few words.
    """

    topics: tuple[int, ...] = ()
    declined: bool
    reason: str = ""


class Topics(Reply):
    """One verdict a turn, in the order of the turns."""

    turns: tuple[TurnTopics, ...]


class TopicTurn(Wire):
    """A question and what was answered."""

    id: int
    question: str
    answer: str


class TopicsInput(Wire):
    """The topics that are allowed, then the turns."""

    topics: tuple[Numbered, ...]
    turns: tuple[TopicTurn, ...]


class TopicVerdict(Wire):
    """The verdict on one turn."""

    turn: int
    reason: str
    topics: tuple[int, ...]
    declined: bool


class TopicsOutput(Wire):
    """One verdict for each turn."""

    verdicts: tuple[TopicVerdict, ...]


TOPICS = Prompt[TopicsInput, TopicsOutput](
    name="topics",
    instruction="""\
For each of `turns`, decide which of `topics` its `question` belongs to, and whether its `answer` declines.
- `reason` first, in at most 6 words: what the question is about, in view of the turns before.
- `topics` lists the ids of the topics that this belongs to; it is empty if it belongs to none.
- declined is true if the answer turns the question away or says that it is not what the assistant is there for; false if it answers, rightly or not, or only in part.
- Give exactly one verdict for each turn, in order of their ids.""",
    input=TopicsInput,
    output=TopicsOutput,
    examples=(
        Example(
            input=TopicsInput(
                topics=(
                    Numbered(id=1, text="bicycle repair"),
                    Numbered(id=2, text="bicycle routes"),
                ),
                turns=(
                    TopicTurn(
                        id=1,
                        question="How do I mend a flat tyre?",
                        answer="Take the wheel off, find the hole and patch the tube.",
                    ),
                    TopicTurn(
                        id=2,
                        question="And who will win the election?",
                        answer="I can only help with bicycles.",
                    ),
                ),
            ),
            output=TopicsOutput(
                verdicts=(
                    TopicVerdict(turn=1, reason="mending a tyre", topics=(1,), declined=False),
                    TopicVerdict(turn=2, reason="an election", topics=(), declined=True),
                )
            ),
        ),
    ),
)


class TopicsOf(Request[Topics]):
    """Which of these topics does each turn belong to?

    Attributes:
        turns: Pairs of a question and its answer.
        topics: The topics the assistant should keep to.
    """

    prompt: ClassVar[Prompt[Any, Any] | None] = TOPICS

    turns: tuple[tuple[str, str], ...]
    topics: tuple[str, ...]

    def check(self, reply: Topics) -> None:
        """Check that there is one verdict per turn, and that its topics exist."""
        check_count("verdicts", len(reply.turns), "turns", len(self.turns))
        for entry in reply.turns:
            check_range(entry.topics, len(self.topics), "topic")

    def stand_in(self) -> Topics:
        """Return a reply of the right form, for a dry run without a model."""
        return Topics(turns=tuple(TurnTopics(topics=(0,), declined=False) for _ in self.turns))

    def to_prompt(self) -> TopicsInput:
        """Return topics and turns numbered from 1."""
        turns = tuple(
            TopicTurn(id=number, question=question, answer=answer)
            for number, (question, answer) in enumerate(self.turns, start=1)
        )
        return TopicsInput(topics=numbered_texts(self.topics), turns=turns)

    @property
    def bounds(self) -> Mapping[str, Mapping[str, Any]]:
        """One verdict for each turn, with topics that exist."""
        return {
            **super().bounds,
            "verdicts": one_each("turn", len(self.turns)),
            "topics": some_of(len(self.topics)),
        }

    def from_prompt(self, output: TopicsOutput) -> Topics:
        """Return the verdicts in the order of the turns."""
        given = output.verdicts
        places = places_in_order([entry.turn for entry in given], len(self.turns), "verdicts")
        return Topics(
            turns=tuple(
                TurnTopics(
                    topics=from_zero(given[place].topics, len(self.topics), "topic"),
                    declined=given[place].declined,
                    reason=given[place].reason,
                )
                for place in places
            )
        )
