"""The base of metrics over conversations."""

from abc import abstractmethod
from collections.abc import Sequence

from llamaindex_rag_eval.data.sample import Message
from llamaindex_rag_eval.data.trajectory import conversation_of
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.intentions import lines_of
from llamaindex_rag_eval.metrics.base import BaseMetric, MultiTurnSample, Sample, Score
from llamaindex_rag_eval.metrics.shared.criteria import CRITERIA


def in_conversation(name: str) -> str:
    """Return what is judged of a transcript, as the table of criteria says."""
    return f"{CRITERIA['conversation'].definition} {CRITERIA[name].definition}"


def transcript(messages: Sequence[Message]) -> str:
    """Return a conversation as a judge reads it: a message a line, as JSON."""
    return "\n".join(line.model_dump_json() for line in lines_of(messages))


class ConversationMetric(BaseMetric):
    """A metric over a whole conversation, or over what an agent did for one answer."""

    _sample_type = MultiTurnSample

    def missing(self, sample: Sample) -> str | None:
        """Return the field that the conversation lacks; see `BaseMetric.missing`."""
        return super().missing(conversation_of(sample))

    async def score(self, sample: Sample) -> Score:
        """Return the score of a conversation; a single turn without a trajectory is refused."""
        talk = conversation_of(sample)
        if not isinstance(talk, MultiTurnSample):
            raise InputError(f"{self.spec!r} measures conversations (a sample with 'messages')")
        return await self.measure(talk)

    @abstractmethod
    async def measure(self, sample: MultiTurnSample) -> Score:
        """Return the score of a conversation."""
