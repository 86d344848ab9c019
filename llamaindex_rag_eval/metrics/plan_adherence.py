"""Plan adherence: did the agent do what its plan says?

    plan_adherence = level / 3, levels 0 to 3

The plan is the sample's own, as `metadata["plan"]`, a text or a list of steps; without one it is
what the assistant says that it will do.

Source: the question is DeepEval's, https://deepeval.com/docs/metrics-plan-adherence; the words of
the levels are ours.
"""

from llamaindex_rag_eval.data.trajectory import PLAN
from llamaindex_rag_eval.judge import CritiqueOf, GradeOf
from llamaindex_rag_eval.metrics.base import MultiTurnSample, Score
from llamaindex_rag_eval.metrics.conversation import (
    ConversationMetric,
    in_conversation,
    transcript,
)
from llamaindex_rag_eval.metrics.shared.criteria import CRITERIA, level_share


class PlanAdherence(ConversationMetric):
    """Level that the steps of an agent reach against its plan, in [0, 1]; higher is better.

    Asks the judge once; without a plan in the metadata once more, whether the assistant states one.
    Rules cannot judge this: without an LLM the metric is an error before anything is asked.

    Limitations: Following a bad plan scores 1, and a good answer by another way 0: read it beside
    `agent_goal_accuracy`. Four levels are coarse: one step left out of three and one of ten are
    both 2/3. An agent that never says what it will do has no value: give the plan to compare it.
    """

    name = "plan_adherence"
    needs = frozenset({"messages"})
    requests = (CritiqueOf, GradeOf)
    undefined = "No plan is given, and the assistant states none."

    async def measure(self, sample: MultiTurnSample) -> Score:
        if not any(message.role == "assistant" for message in sample.messages):
            return Score(None, note="The conversation has no messages of an assistant.")
        steps, plan = transcript(sample.messages), _plan(sample)
        if not plan:
            request = CritiqueOf(
                aspect="states a plan", definition=in_conversation("states_a_plan"), response=steps
            )
            stated = await self.judge.critique(request)
            if not stated.verdict:
                return Score(None, evidence=stated)
        grade = await self.judge.grade(
            GradeOf(
                criterion=self.name,
                definition=in_conversation(self.name),
                levels=CRITERIA[self.name].levels,
                response=steps,
                reference=plan,
            )
        )
        value = level_share(grade.level, CRITERIA[self.name].levels)
        return Score(value, {"plan": plan or "the assistant's own", "grade": grade}, grade.reason)


def _plan(sample: MultiTurnSample) -> str:
    """Return the plan that came with the sample, a step a line; empty without one."""
    given = sample.metadata.get(PLAN) or ""
    return "\n".join(map(str, given)) if isinstance(given, list | tuple) else str(given).strip()
