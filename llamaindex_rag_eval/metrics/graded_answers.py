"""Correctness: does the response say what the reference says, on a described scale?

    correctness = (level - 1) / 4, levels 1 to 5

Source: Bedrock's `Builtin.Correctness`,
https://docs.aws.amazon.com/bedrock/latest/userguide/model-evaluation-metrics.html, and
LlamaIndex's `CorrectnessEvaluator`; the words of the levels are ours.
"""

from llamaindex_rag_eval.metrics.shared.grading import ScaleMetric, levels_of

__all__ = ["Correctness"]


class Correctness(ScaleMetric):
    """Grade of the response against the reference, in [0, 1]; higher is better."""

    name = "correctness"
    needs = frozenset({"query", "response", "reference"})
    aliases = ("Builtin.Correctness",)
    kin = {
        "Bedrock": "Builtin.Correctness",
        "LlamaIndex": "CorrectnessEvaluator",
        "LangChain": "correctness",
    }
    definition = (
        "Whether what the response says in answer to the question agrees with the reference. "
        "Wording, order and length do not count; further statements count only if they are wrong."
    )
    levels = levels_of(
        "It contradicts the reference, or does not answer the question.",
        "Its main statement is wrong, though some of what it says agrees with the reference.",
        "About half of what the reference says is there, or a serious mistake stands beside it.",
        "Its main statement is right; a detail is missing or wrong.",
        "It agrees with the reference in everything that matters to the question.",
        start=1,
    )
