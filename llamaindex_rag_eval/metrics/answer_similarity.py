"""Answer similarity: how near in meaning is the response to the reference?

    answer_similarity = cos(e(response), e(reference))

Source: Risch et al. (2021), "Semantic Answer Similarity for Evaluating Question Answering
Models", https://arxiv.org/abs/2108.06130.
"""

from llamaindex_rag_eval.judge import SimilaritiesOf
from llamaindex_rag_eval.metric import Metric
from llamaindex_rag_eval.sample import SingleTurnSample
from llamaindex_rag_eval.score import Score

__all__ = ["AnswerSimilarity"]


class AnswerSimilarity(Metric):
    """Cosine of the embeddings of response and reference, in [-1, 1]; higher is better.

    Asks the judge once. An empty response scores 0, as it points nowhere; without a reference
    there is nothing to be near to.
    """

    name = "answer_similarity"
    needs = frozenset({"response", "reference"})
    requests = (SimilaritiesOf,)
    bounds = (-1.0, 1.0)
    undefined = "The reference is empty."
    aliases = ("semantic_similarity", "answer_semantic_similarity")
    kin = {
        "ragas": "SemanticSimilarity",
        "LlamaIndex": "SemanticSimilarityEvaluator",
        "Haystack": "SASEvaluator",
    }

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        if not sample.reference.strip():
            return Score(None)
        if not sample.response.strip():
            return Score(0.0, note="The response is empty.")
        (cosine,) = await self.judge.similarity(sample.reference, [sample.response])
        return Score(cosine)
