"""Tool calls: did the agent call the tools it should, with the right arguments?

Source: the tool metrics of
https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/agents/. There, one call out of
order makes the accuracy 0, as `order=strict` does here; by default it costs that call.
"""

from collections.abc import Sequence
from typing import Literal

from llamaindex_rag_eval.data.sample import ToolCall
from llamaindex_rag_eval.formulas.tool_calls import (
    ArgumentMatch,
    Compare,
    Order,
    distinct_calls,
    paired_matches,
    same_value,
    tool_call_accuracy,
    tool_call_f1,
)
from llamaindex_rag_eval.metrics.base import MultiTurnSample, Score, setting
from llamaindex_rag_eval.metrics.conversation import ConversationMetric

Duplicates = Literal["count", "ignore"]

COMPARE = setting(
    default=None,
    valid=callable,
    expected="a function of two values",
    shown=lambda compare: getattr(compare, "__qualname__", type(compare).__name__),
)


class _ToolCalls(ConversationMetric):
    """A metric over the calls made, paired with the calls that were wanted.

    Limitations: Another way to the same goal is scored as wrong, and so are arguments in other
    words, as a search for the same thing; `compare` can be told to accept them. What the tools
    gave, and what the agent made of it, is not judged.
    """

    needs = frozenset({"messages", "reference_tool_calls"})
    undefined = "No call was wanted, and none was made."

    order: Order = "ordered"
    arguments: ArgumentMatch = "exact"
    compare: Compare | None = COMPARE

    async def measure(self, sample: MultiTurnSample) -> Score:
        wanted = self.counted(sample.reference_tool_calls)
        made = self.counted([call for message in sample.messages for call in message.tool_calls])
        pairs = paired_matches(
            wanted,
            made,
            order=self.order,
            arguments=self.arguments,
            compare=self.compare or same_value,
        )
        value = self.compute([match for _, _, match in pairs], len(wanted), len(made))
        evidence = {
            "wanted": wanted,
            "made": made,
            "pairs": [{"wanted": i, "made": j, "match": match} for i, j, match in pairs],
        }
        return Score(value, evidence)

    def counted(self, calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
        """Return the calls that count: all of them."""
        return tuple(calls)


class ToolCallAccuracy(_ToolCalls):
    """Tool call accuracy: did the agent make exactly the calls that were wanted?

        tool_call_accuracy = sum of the matches of paired calls / max(calls wanted, calls made)

    In [0, 1], higher is better; 0 if calls were made where none was wanted. Calls are paired with
    calls of the same tool so that they match best. No judge is asked.

    Args:
        judge: Not asked; here so that all metrics are made alike.
        order: `ordered` pairs do not cross: a call out of its place counts nothing. `unordered`
            pairs may. `strict`: nothing counts unless the tools were called exactly as wanted, as
            in ragas.
        arguments: `exact`: a pair matches if all its arguments are equal, else not at all.
            `nested`: a pair matches by the share of its values that are equal, at any depth.
            `ignore`: a pair matches, whatever its arguments.
        compare: How alike two values are, in [0, 1]; equal JSON values if not given.
        threshold: From which value on a result passes.

    Raises:
        InputError: A setting is none of these.
    """

    name = "tool_call_accuracy"
    formula = tool_call_accuracy


class ToolCallF1(_ToolCalls):
    """Tool call F1: how far do the calls made and the calls wanted overlap?

        tool_call_f1 = 2 · sum of the matches of paired calls / (calls wanted + calls made)

    In [0, 1], higher is better; 0 if calls were made where none was wanted. No judge is asked.

    Limitations: Order does not count by default, also where one call needs what another returned.

    Args:
        judge: Not asked; here so that all metrics are made alike.
        order: `unordered` pairs may cross: only which calls were made counts.
        arguments: As for `tool_call_accuracy`.
        compare: As for `tool_call_accuracy`.
        duplicates: `count`: a call that is made again counts again, as one too many. `ignore`:
            equal calls are one, as in ragas.
        threshold: From which value on a result passes.

    Raises:
        InputError: A setting is none of these.
    """

    name = "tool_call_f1"
    formula = tool_call_f1

    order: Order = "unordered"
    arguments: ArgumentMatch = "exact"
    compare: Compare | None = COMPARE
    duplicates: Duplicates = "count"

    def counted(self, calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
        """Return the calls that count: each, or each distinct one."""
        return distinct_calls(calls) if self.duplicates == "ignore" else tuple(calls)
