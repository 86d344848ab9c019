"""Agent goal accuracy: did the agent achieve what the user wanted?

    agent_goal_accuracy = 1 if it did, else 0

Source: https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/agents/, agent goal
accuracy.
"""

from typing import ClassVar

from llamaindex_rag_eval.data.sample import MultiTurnSample
from llamaindex_rag_eval.judge import CritiqueOf
from llamaindex_rag_eval.judge.intentions import lines_of
from llamaindex_rag_eval.metrics.base import ConversationMetric
from llamaindex_rag_eval.metrics.score import Score

__all__ = ["AgentGoalAccuracy", "AgentGoalAccuracyWithoutReference"]

TALK = (
    "`response` is a conversation, one message a line, with the calls of tools and what they gave."
)


class _GoalAccuracy(ConversationMetric):
    """What both metrics share: one critique of the whole conversation."""

    requests = (CritiqueOf,)
    undefined = "The conversation has no messages of an assistant."
    definition: ClassVar[str]

    async def measure(self, sample: MultiTurnSample) -> Score:
        """Score one conversation."""
        if not any(message.role == "assistant" for message in sample.messages):
            return Score(None)
        verdict = await self.judge.critique(
            CritiqueOf(
                aspect="goal achieved",
                definition=f"{TALK} {self.definition}",
                response="\n".join(line.model_dump_json() for line in lines_of(sample.messages)),
                reference=sample.reference if "reference" in self.needs else "",
            )
        )
        return Score(float(verdict.verdict), evidence=verdict, note=verdict.reason)


class AgentGoalAccuracy(_GoalAccuracy):
    """Agent goal accuracy: did the agent reach the outcome that the reference describes?

    0 or 1; higher is better. Asks the judge once.
    """

    name = "agent_goal_accuracy"
    needs = frozenset({"messages", "reference"})
    aliases = ("agent_goal_accuracy_with_reference",)
    kin = {"ragas": "AgentGoalAccuracyWithReference", "DeepEval": "TaskCompletionMetric"}
    definition = (
        "Was the outcome that `reference` describes reached by the end of the conversation? What "
        "was promised or only tried was not reached."
    )


class AgentGoalAccuracyWithoutReference(_GoalAccuracy):
    """Agent goal accuracy without reference: did the agent achieve what the user asked for?

    0 or 1; higher is better. The judge works the goal out from what the user says. Asks the
    judge once.
    """

    name = "agent_goal_accuracy_without_reference"
    needs = frozenset({"messages"})
    kin = {"ragas": "AgentGoalAccuracyWithoutReference"}
    definition = (
        "Work out from the user's messages what the user wanted. Was all of it achieved by the end "
        "of the conversation? What was promised or only tried was not achieved."
    )
