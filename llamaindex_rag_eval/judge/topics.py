"""Topics: which topics do the questions of a conversation belong to, and which were declined?"""

from typing import Any, ClassVar

from llamaindex_rag_eval.judge.contract import in_range, same_count
from llamaindex_rag_eval.judge.prompts.parts import from_zero, in_order, numbered
from llamaindex_rag_eval.judge.prompts.topics import TOPICS, TopicsInput, TopicsOutput, TopicTurn
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.request import Reply, Request

__all__ = ["Topics", "TopicsOf", "TurnTopics"]


class TurnTopics(Reply):
    """What one turn is about.

    Attributes:
        topics: The numbers, from 0, of the topics that the question belongs to.
        declined: Whether the answer turned the question away.
        reason: In words.
    """

    topics: tuple[int, ...] = ()
    declined: bool
    reason: str = ""


class Topics(Reply):
    """One verdict a turn, in the order of the turns."""

    turns: tuple[TurnTopics, ...]


class TopicsOf(Request[Topics]):
    """Which of these topics does each turn belong to?

    Attributes:
        turns: Pairs of a question and its answer.
        topics: The topics the assistant should keep to.
    """

    reply: ClassVar[type[Reply]] = Topics
    prompt: ClassVar[Prompt[Any, Any] | None] = TOPICS

    turns: tuple[tuple[str, str], ...]
    topics: tuple[str, ...]

    def check(self, reply: Topics) -> None:
        """Hold the reply to one verdict per turn and to topics that exist."""
        same_count("verdicts", len(reply.turns), "turns", len(self.turns))
        for entry in reply.turns:
            in_range(entry.topics, len(self.topics), "topic")

    def stand_in(self) -> Topics:
        """Return some reply of the right form."""
        return Topics(turns=tuple(TurnTopics(topics=(0,), declined=False) for _ in self.turns))

    def to_prompt(self) -> TopicsInput:
        """Return topics and turns numbered from 1."""
        turns = tuple(
            TopicTurn(id=number, question=question, answer=answer)
            for number, (question, answer) in enumerate(self.turns, start=1)
        )
        return TopicsInput(topics=numbered(self.topics), turns=turns)

    def from_prompt(self, output: TopicsOutput) -> Topics:
        """Return the verdicts in the order of the turns."""
        given = output.verdicts
        places = in_order([entry.turn for entry in given], len(self.turns), "verdicts")
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
