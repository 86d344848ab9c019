"""Logical coherence: does the response follow from itself, without gaps and contradictions?

    logical_coherence = (level - 1) / 4, levels 1 to 5

Source: Bedrock's `Builtin.LogicalCoherence`,
https://docs.aws.amazon.com/bedrock/latest/userguide/model-evaluation-metrics.html; the words of
the levels are ours.
"""

from llamaindex_rag_eval.metrics.shared.grading import ScaleMetric, levels_of

__all__ = ["LogicalCoherence"]


class LogicalCoherence(ScaleMetric):
    """Grade of the reasoning of the response, in [0, 1]; higher is better."""

    name = "logical_coherence"
    needs = frozenset({"query", "response"})
    aliases = ("Builtin.LogicalCoherence", "Builtin.Coherence")
    kin = {"Bedrock": "Builtin.Coherence"}
    definition = (
        "Whether the reasoning of the response holds together: no gap, no contradiction, nothing "
        "beside the point. What it says may still be untrue."
    )
    levels = levels_of(
        "It contradicts itself, or makes no sense.",
        "It has several gaps or contradictions that matter.",
        "It has one gap or contradiction that matters.",
        "It has small flaws that do not touch its conclusion.",
        "Each step follows, and nothing contradicts anything else.",
        start=1,
    )
