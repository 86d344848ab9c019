"""Conversation completeness: did the user get everything they wanted?

    conversation_completeness = intentions of the user that were met / intentions of the user

Source: https://deepeval.com/docs/metrics-conversation-completeness.
"""

from llamaindex_rag_eval.data.sample import MultiTurnSample
from llamaindex_rag_eval.judge.intentions import Intentions, IntentionsOf, lines_of
from llamaindex_rag_eval.metrics.base import ConversationMetric
from llamaindex_rag_eval.metrics.score import Score
from llamaindex_rag_eval.metrics.shared.claims import share

__all__ = ["ConversationCompleteness"]


class ConversationCompleteness(ConversationMetric):
    """Share of the user's intentions that the assistant met, in [0, 1]; higher is better.

    Asks the judge once for the whole conversation.
    """

    name = "conversation_completeness"
    needs = frozenset({"messages"})
    requests = (IntentionsOf,)
    undefined = "The user wants nothing."
    kin = {"DeepEval": "ConversationCompletenessMetric"}

    async def measure(self, sample: MultiTurnSample) -> Score:
        """Score one conversation."""
        if not any(m.role == "user" and m.content.strip() for m in sample.messages):
            return Score(None)
        request = IntentionsOf(conversation=lines_of(sample.messages))
        reply: Intentions = await self.judge.ask(request)
        return Score(share(entry.met for entry in reply.intentions), evidence=reply.intentions)
