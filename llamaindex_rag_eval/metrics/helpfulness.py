"""Helpfulness: how much does the response help the person who asked?

    helpfulness = (level - 1) / 6, levels 1 to 7

Source: Bedrock's `Builtin.Helpfulness`,
https://docs.aws.amazon.com/bedrock/latest/userguide/model-evaluation-metrics.html; the words of
the levels are ours.
"""

from llamaindex_rag_eval.metrics.shared.grading import ScaleMetric, levels_of

__all__ = ["Helpfulness"]


class Helpfulness(ScaleMetric):
    """Grade of the use of the response to the person who asked, in [0, 1]; higher is better."""

    name = "helpfulness"
    needs = frozenset({"query", "response"})
    aliases = ("Builtin.Helpfulness",)
    kin = {"Bedrock": "Builtin.Helpfulness", "LangChain": "helpfulness"}
    definition = (
        "How useful the response is to the person who asked, who wants to get something done: "
        "whether it takes up what they are after, is clear, and leaves nothing to be asked again."
    )
    levels = levels_of(
        "It does harm: it misleads, or makes the matter worse.",
        "It is of no use, and would annoy the person.",
        "It is of little use; the person has to start again.",
        "It neither helps nor hinders.",
        "It helps in part; the person has to find out the rest.",
        "It helps; the person can go on with it.",
        "It could hardly be more helpful: it settles what the person was after.",
        start=1,
    )
