"""Completeness: does the response answer every part of the question?

    completeness = (level - 1) / 4, levels 1 to 5

Source: Bedrock's `Builtin.Completeness`,
https://docs.aws.amazon.com/bedrock/latest/userguide/model-evaluation-metrics.html; the words of
the levels are ours.
"""

from llamaindex_rag_eval.metrics.shared.grading import ScaleMetric, levels_of

__all__ = ["Completeness"]


class Completeness(ScaleMetric):
    """Grade of how much of what was asked is answered, in [0, 1]; higher is better."""

    name = "completeness"
    needs = frozenset({"query", "response"})
    aliases = ("Builtin.Completeness",)
    kin = {"Bedrock": "Builtin.Completeness"}
    definition = (
        "Whether the response deals with everything that the question asks for, whether or not "
        "what it says is true."
    )
    levels = levels_of(
        "It deals with nothing of what was asked.",
        "It deals with a small part of what was asked.",
        "It deals with about half of what was asked.",
        "It deals with most of what was asked; something minor is left out.",
        "It deals with everything that was asked.",
        start=1,
    )
