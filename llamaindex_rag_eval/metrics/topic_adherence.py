"""Topic adherence: does the assistant keep to the topics it is there for?

    precision = questions answered that belong to a topic / questions answered
    recall    = questions answered that belong to a topic / questions that belong to a topic
    topic_adherence = precision, recall, or their harmonic mean

Source: https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/agents/, topic
adherence. A conversation in which everything was rightly declined has no precision here.
"""

from typing import Literal

from llamaindex_rag_eval.formulas.means import f_measure
from llamaindex_rag_eval.judge.topics import Topics, TopicsOf, TurnTopics
from llamaindex_rag_eval.metrics.base import MultiTurnSample, Score
from llamaindex_rag_eval.metrics.conversation import ConversationMetric
from llamaindex_rag_eval.metrics.shared.claims import share

TopicMode = Literal["precision", "recall", "f1"]


def topic_adherence_score(turns: tuple[TurnTopics, ...], *, mode: TopicMode = "f1") -> float | None:
    """Return precision, recall or F1 of the questions answered, by whether they are on topic.

    Returns:
        A share in [0, 1], higher is better; None if nothing was answered (precision), nothing
        belongs to a topic (recall), or either (f1).

    Example:
        >>> turns = (
        ...     TurnTopics(topics=(0,), declined=False),
        ...     TurnTopics(topics=(1,), declined=True),
        ...     TurnTopics(topics=(), declined=False),
        ...     TurnTopics(topics=(), declined=True),
        ... )
        >>> [topic_adherence_score(turns, mode=mode) for mode in ("precision", "recall", "f1")]
        [0.5, 0.5, 0.5]
    """
    precision = share(bool(turn.topics) for turn in turns if not turn.declined)
    recall = share(not turn.declined for turn in turns if turn.topics)
    return {"precision": precision, "recall": recall, "f1": f_measure(precision, recall)}[mode]


class TopicAdherence(ConversationMetric):
    """How far the assistant answers what belongs to its topics, and nothing else, in [0, 1].

    Higher is better. Asks the judge once for the whole conversation.

    Limitations: What is answered is not judged: a wrong answer on topic adheres. It is undefined
    for a conversation in which everything was rightly declined.

    Args:
        judge: Who judges.
        mode: `precision` looks for answers beside the topics, `recall` for questions declined
            that should have been answered, `f1` for both.
        threshold: From which value on a result passes.

    Raises:
        InputError: The mode is none of these.
    """

    name = "topic_adherence"
    needs = frozenset({"messages", "reference_topics"})
    requests = (TopicsOf,)
    undefined = "Nothing was answered, or nothing that was asked belongs to a topic."

    mode: TopicMode = "f1"

    async def measure(self, sample: MultiTurnSample) -> Score:
        pairs = tuple((turn.query, turn.response) for turn in sample.turns())
        if not pairs or not sample.reference_topics:
            return Score(None)
        request = TopicsOf(turns=pairs, topics=sample.reference_topics)
        reply: Topics = await self.judge.ask(request)
        return Score(topic_adherence_score(reply.turns, mode=self.mode), evidence=reply.turns)
