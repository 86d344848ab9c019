"""Relevance: does the response keep to the question?

    relevance = (level - 1) / 4, levels 1 to 5

Source: Bedrock's `Builtin.Relevance`,
https://docs.aws.amazon.com/bedrock/latest/userguide/model-evaluation-metrics.html; the words of
the levels are ours.
"""

from llamaindex_rag_eval.metrics.shared.grading import ScaleMetric, levels_of

__all__ = ["Relevance"]


class Relevance(ScaleMetric):
    """Grade of how much of the response is on the question, in [0, 1]; higher is better."""

    name = "relevance"
    needs = frozenset({"query", "response"})
    aliases = ("Builtin.Relevance",)
    kin = {"Bedrock": "Builtin.Relevance", "LangChain": "relevance"}
    definition = "How much of the response has to do with what was asked."
    levels = levels_of(
        "None of it has to do with the question.",
        "Little of it has to do with the question.",
        "About half of it has to do with the question.",
        "Most of it has to do with the question.",
        "All of it has to do with the question.",
        start=1,
    )
