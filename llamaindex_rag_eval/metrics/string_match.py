"""String similarity: how alike are response and reference, character by character?

    string_similarity = 1 - edits / largest number of edits possible

Source: https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/traditional/; computed
by rapidfuzz, https://rapidfuzz.github.io/RapidFuzz/.
"""

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.formulas import StringMeasure, string_similarity
from llamaindex_rag_eval.judge import JudgeLike
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.score import Score

__all__ = ["StringSimilarity"]


class StringSimilarity(Metric):
    """Likeness of the two strings, in [0, 1]; higher is better.

    1 for the same string, and for two empty ones. No judge is asked. LangChain's string distance
    is 1 minus this.

    Args:
        judge: Not asked; here so that all metrics are made alike.
        algorithm: `levenshtein`, `damerau_levenshtein`, `optimal_alignment`, `indel`, `hamming`,
            `jaro` or `jaro_winkler`.
        threshold: From which value on a result passes.

    Raises:
        InputError: No such algorithm.
    """

    name = "string_similarity"
    needs = frozenset({"response", "reference"})
    aliases = ("non_llm_string_similarity", "string_distance")
    kin = {"ragas": "NonLLMStringSimilarity", "LangChain": "string_distance"}

    def __init__(
        self,
        judge: JudgeLike | None = None,
        *,
        algorithm: StringMeasure = "levenshtein",
        threshold: float | None = None,
    ) -> None:
        super().__init__(judge, threshold=threshold)
        string_similarity("", "", measure=algorithm)  # an unknown one is refused here
        self.algorithm: StringMeasure = algorithm

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        value = string_similarity(sample.response, sample.reference, measure=self.algorithm)
        return Score(value)
