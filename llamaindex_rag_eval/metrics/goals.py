"""Goals: did the user get what they wanted from the conversation?

Either all of it or nothing (agent goal accuracy), or intention by intention (completeness).
"""

from llamaindex_rag_eval.judge import CritiqueOf
from llamaindex_rag_eval.judge.intentions import Intentions, IntentionsOf, lines_of
from llamaindex_rag_eval.metrics.base import MultiTurnSample, Score
from llamaindex_rag_eval.metrics.conversation import (
    ConversationMetric,
    in_conversation,
    transcript,
)
from llamaindex_rag_eval.metrics.shared.claims import share
from llamaindex_rag_eval.metrics.shared.criteria import Worded


class _GoalAccuracy(Worded, ConversationMetric):
    """A metric that is one critique of the whole conversation.

    Limitations: All or nothing: nine of ten things done score 0. The judge sees only the
    transcript, so that a success which is only claimed can pass for one.
    """

    requests = (CritiqueOf,)
    undefined = "The conversation has no messages of an assistant."

    async def measure(self, sample: MultiTurnSample) -> Score:
        if not any(message.role == "assistant" for message in sample.messages):
            return Score(None)
        verdict = await self.judge.critique(
            CritiqueOf(
                aspect="goal achieved",
                definition=in_conversation(self.name),
                response=transcript(sample.messages),
                reference=sample.reference if "reference" in self.needs else "",
            )
        )
        return Score(float(verdict.verdict), evidence=verdict, note=verdict.reason)


class AgentGoalAccuracy(_GoalAccuracy):
    """Agent goal accuracy: did the agent reach the outcome that the reference describes?

        agent_goal_accuracy = 1 if it did, else 0

    0 or 1; higher is better. Asks the judge once.

    Source: https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/agents/, agent goal
    accuracy.
    """

    name = "agent_goal_accuracy"
    needs = frozenset({"messages", "reference"})


class AgentGoalAccuracyWithoutReference(_GoalAccuracy):
    """Agent goal accuracy without reference: did the agent achieve what the user asked for?

        agent_goal_accuracy = 1 if it did, else 0

    0 or 1; higher is better. The judge works the goal out from what the user says. Asks the
    judge once.

    Limitations: What the user wanted is the judge's reading of the messages; a goal that it
    misreads is not noticed.

    Source: https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/agents/, agent goal
    accuracy.
    """

    name = "agent_goal_accuracy_without_reference"
    needs = frozenset({"messages"})


class ConversationCompleteness(ConversationMetric):
    """Conversation completeness: did the user get everything they wanted?

        conversation_completeness = intentions of the user that were met / intentions of the user

    Share of the user's intentions that the assistant met, in [0, 1]; higher is better.

    Asks the judge once for the whole conversation.

    Limitations: The judge decides what the intentions are, and a small wish weighs as much as the
    main one. That something was answered does not mean that the answer was true.

    Source: https://deepeval.com/docs/metrics-conversation-completeness.
    """

    name = "conversation_completeness"
    needs = frozenset({"messages"})
    requests = (IntentionsOf,)
    undefined = "The user wants nothing."

    async def measure(self, sample: MultiTurnSample) -> Score:
        if not any(m.role == "user" and m.content.strip() for m in sample.messages):
            return Score(None)
        request = IntentionsOf(conversation=lines_of(sample.messages))
        reply: Intentions = await self.judge.ask(request)
        return Score(share(entry.met for entry in reply.intentions), evidence=reply.intentions)
