"""Steps of an agent: did it take the short way, and did each retrieval find what it looked for?

Source: ours. TruLens' agent metrics ask similar questions of a judge,
https://www.trulens.org/getting_started/core_concepts/.
"""

from collections.abc import Sequence

from llamaindex_rag_eval.data.trajectory import retrieval_steps
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.formulas.tool_calls import distinct_calls
from llamaindex_rag_eval.metrics.base import (
    BaseMetric,
    MultiTurnSample,
    Score,
    SingleTurnSample,
    setting,
)
from llamaindex_rag_eval.metrics.context_relevance import ContextRelevance
from llamaindex_rag_eval.metrics.conversation import ConversationMetric
from llamaindex_rag_eval.metrics.turns import TurnWise


def step_efficiency_score(needed: int, made: int) -> float | None:
    """Return the share of calls that were needed.

    Args:
        needed: How many calls suffice, 0 or more.
        made: How many were made, 0 or more.

    Returns:
        A share in [0, 1], higher is better; `None` if no call was made.

    Raises:
        InputError: A number is below 0.

    Example:
        >>> step_efficiency_score(2, 4), step_efficiency_score(3, 2), step_efficiency_score(1, 0)
        (0.5, 1.0, None)
    """
    if min(needed, made) < 0:
        raise InputError(f"expected numbers of calls, got {needed} and {made}")
    return min(needed, made) / made if made else None


class StepEfficiency(ConversationMetric):
    """Step efficiency: how many of the agent's calls of tools were needed?

        step_efficiency = min(calls needed, calls made) / calls made

    In [0, 1], higher is better. Needed are as many calls as the sample's `reference_tool_calls`, or
    where it has none, those that do not repeat an earlier one with the same arguments. Whether the
    calls were right is another question: `tool_call_accuracy`. No judge is asked.

    Limitations: Stopping early scores 1: fewer calls than needed are not punished. Without
    reference calls, useless calls with different arguments are taken as needed.
    """

    name = "step_efficiency"
    needs = frozenset({"messages"})
    undefined = "No tool was called."

    async def measure(self, sample: MultiTurnSample) -> Score:
        made = [call for message in sample.messages for call in message.tool_calls]
        distinct = distinct_calls(made)
        wanted = sample.reference_tool_calls
        needed = len(wanted if sample.has("reference_tool_calls") else distinct)
        evidence = {"needed": needed, "made": len(made), "repeated": len(made) - len(distinct)}
        return Score(step_efficiency_score(needed, len(made)), evidence)


class RetrievalPerStep(TurnWise):
    """Retrieval per step: did each retrieval of the agent find what it looked for?

        retrieval_per_step = sum of a metric over the steps that retrieved / their number

    Between the bounds of the metric, its direction is the metric's; by default that is
    `context_relevance`, in [0, 1], higher is better. A step is a tool's output with contexts; its
    question is the text among the arguments of the call, or else the user's last message. The
    evidence has the result of every step. Asks the judge what the metric asks, once a step.

    Limitations: A retrieval that returned nothing is no step here. The question of a step is the
    first text among the arguments, which may be a filter or an id.

    Args:
        judge: Who judges, if the metric has no judge of its own.
        metric: A metric over single turns that reads the question, the contexts and perhaps the
            reference.
        threshold: From which value on a result passes.

    Raises:
        InputError: The metric is one over conversations already.
    """

    name = "retrieval_per_step"
    needs = frozenset({"messages"})
    bounds = (0.0, 1.0)
    requests = ContextRelevance.requests
    undefined = "No step retrieved anything."

    metric: BaseMetric | None = setting(  # type: ignore[assignment]  # never kept as `None`
        default=None, convert=lambda metric: metric or ContextRelevance()
    )

    def parts_of(self, sample: MultiTurnSample) -> Sequence[SingleTurnSample]:
        """Return the steps that retrieved."""
        return retrieval_steps(sample)
