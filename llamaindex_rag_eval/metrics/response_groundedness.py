"""Response groundedness: does the response rest on the retrieved contexts?

    response_groundedness = level / 2, levels 0 to 2

Source: "groundedness" of the RAG triad of TruLens,
https://www.trulens.org/getting_started/core_concepts/rag_triad/; NVIDIA's scale of three levels,
https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/nvidia_metrics/; the words of
the levels are ours. `faithfulness` asks the same claim by claim.
"""

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.metrics.score import Score
from llamaindex_rag_eval.metrics.shared.grading import ScaleMetric, levels_of

__all__ = ["ResponseGroundedness"]


class ResponseGroundedness(ScaleMetric):
    """Grade of the response against the contexts, in [0, 1]; higher is better.

    0 if nothing was retrieved, and nothing is asked.
    """

    name = "response_groundedness"
    needs = frozenset({"query", "response", "contexts"})
    aliases = ("groundedness", "nv_response_groundedness")
    kin = {"ragas": "ResponseGroundedness", "TruLens": "groundedness"}
    definition = "Whether the contexts bear out what the response says."
    levels = levels_of(
        "The contexts bear out nothing of what it says, or contradict it.",
        "The contexts bear out a part of what it says.",
        "The contexts bear out everything it says.",
    )

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        if not sample.contexts:
            return Score(0.0, note="Nothing was retrieved.")
        return await super().measure(sample)
