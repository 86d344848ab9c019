"""Answer similarity: how near in meaning is the response to the reference?

    answer_similarity = cos(e(response), e(reference)), or what a cross-encoder says of the two

Source: Risch et al. (2021), "Semantic Answer Similarity for Evaluating Question Answering
Models", https://arxiv.org/abs/2108.06130.
"""

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import JudgeLike, SimilaritiesOf
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.cross_encoder import CrossEncoderLike, cross_encoder_score
from llamaindex_rag_eval.metrics.score import Score

__all__ = ["AnswerSimilarity"]


class AnswerSimilarity(Metric):
    """Cosine of the embeddings of response and reference, in [-1, 1]; higher is better.

    Asks the judge once; with a cross-encoder, which reads both texts together, not at all. An
    empty response scores 0, as it points nowhere; without a reference there is nothing to be
    near to.

    Args:
        judge: Whose embeddings are compared.
        cross_encoder: A HuggingFace cross-encoder in their place: the name or folder of a model,
            or a `sentence_transformers.CrossEncoder`. It must give one number a pair in [-1, 1].
        threshold: From which value on a result passes.

    Raises:
        InputError: `cross_encoder` is neither.
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

    def __init__(
        self,
        judge: JudgeLike | None = None,
        *,
        cross_encoder: str | CrossEncoderLike | None = None,
        threshold: float | None = None,
    ) -> None:
        super().__init__(judge, threshold=threshold)
        if not isinstance(cross_encoder, str | CrossEncoderLike | None):
            raise InputError(f"expected a model's name or a cross-encoder, got {cross_encoder!r}")
        self.cross_encoder = cross_encoder

    def settings(self) -> dict[str, object]:
        """Return the settings, a cross-encoder by its name."""
        given = super().settings()
        if self.cross_encoder is not None and not isinstance(self.cross_encoder, str):
            config = getattr(self.cross_encoder, "config", None)
            name = getattr(config, "_name_or_path", "") or type(self.cross_encoder).__name__
            given["cross_encoder"] = str(name)
        return given

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        if not sample.reference.strip():
            return Score(None)
        if not sample.response.strip():
            return Score(0.0, note="The response is empty.")
        if self.cross_encoder is None:
            (value,) = await self.judge.similarity(sample.reference, [sample.response])
        else:
            value = await cross_encoder_score(self.cross_encoder, sample.reference, sample.response)
        return Score(value)
