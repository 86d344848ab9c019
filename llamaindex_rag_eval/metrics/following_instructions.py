"""Following instructions: does the response do what it was told, as it was told?

    following_instructions = level / 2, levels 0 to 2

Source: Bedrock's `Builtin.FollowingInstructions`,
https://docs.aws.amazon.com/bedrock/latest/userguide/model-evaluation-metrics.html; the words of
the levels are ours.
"""

from llamaindex_rag_eval.metrics.shared.grading import ScaleMetric, levels_of

__all__ = ["FollowingInstructions"]


class FollowingInstructions(ScaleMetric):
    """Grade of how the response keeps to what was asked for, in [0, 1]; higher is better."""

    name = "following_instructions"
    needs = frozenset({"query", "response"})
    aliases = ("Builtin.FollowingInstructions",)
    kin = {"Bedrock": "Builtin.FollowingInstructions", "DeepEval": "PromptAlignmentMetric"}
    definition = (
        "Whether the response keeps to every explicit instruction of the question: form, length, "
        "language, what to name and what to leave out. Where there is none, answering is enough."
    )
    levels = levels_of(
        "It keeps to no instruction, or breaks the most important one.",
        "It keeps to some instructions and breaks others.",
        "It keeps to all instructions.",
    )
