"""Topics: which topics do the questions of a conversation belong to, and which were declined?"""

from llamaindex_rag_eval.judge.wire import (
    NumberedTexts,
    Wire,
    check_count,
    check_range,
    from_zero,
    in_order,
)
from llamaindex_rag_eval.models.request import Reply, Request, written


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

    topics: NumberedTexts
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


class TopicsOf(Request[Topics]):
    """Which of these topics does each turn belong to?

    Attributes:
        turns: Pairs of a question and its answer.
        topics: The topics the assistant should keep to.
    """

    prompt = written("topics", TopicsInput, TopicsOutput)

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
        turns = [
            TopicTurn(id=number, question=question, answer=answer)
            for number, (question, answer) in enumerate(self.turns, start=1)
        ]
        return TopicsInput.model_validate({"topics": self.topics, "turns": turns})

    def from_prompt(self, output: TopicsOutput) -> Topics:
        """Return the verdicts in the order of the turns."""
        verdicts = in_order(output.verdicts, "turn", len(self.turns), "verdicts")
        return Topics(
            turns=tuple(
                TurnTopics(
                    topics=from_zero(entry.topics, len(self.topics), "topic"),
                    declined=entry.declined,
                    reason=entry.reason,
                )
                for entry in verdicts
            )
        )
