"""Answer similarity and embedding distance: how near in meaning are response and reference?"""

import asyncio
import threading
from functools import lru_cache

from llamaindex_rag_eval.errors import CallError
from llamaindex_rag_eval.formulas.vectors import Distance, embedding_distance
from llamaindex_rag_eval.judge import SimilaritiesOf
from llamaindex_rag_eval.judge.answerers import CROSS_ENCODER, count_judgement
from llamaindex_rag_eval.judge.fact_check.classifier import CrossEncoderLike
from llamaindex_rag_eval.judge.similarity import VectorsOf
from llamaindex_rag_eval.metrics.base import Metric, Score, SingleTurnSample, setting


class AnswerSimilarity(Metric):
    """Answer similarity: how near in meaning is the response to the reference?

        answer_similarity = cos(e(response), e(reference)), or what a cross-encoder says of the two

    Cosine of the embeddings of response and reference, in [-1, 1]; higher is better.

    Asks the judge once; with a cross-encoder, which reads both texts together, not at all. An
    empty response scores 0, as it points nowhere; without a reference there is nothing to be
    near to.

    Limitations: It cannot see a negation or a wrong number: "It is not red" is very near to "It is
    red", and a right short answer is far from a long reference. `answer_verdict` says whether an
    answer is right.

    Source: Risch et al. (2021), "Semantic Answer Similarity for Evaluating Question Answering
    Models", https://arxiv.org/abs/2108.06130.

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

    cross_encoder: str | CrossEncoderLike | None = setting(
        default=None,
        valid=lambda encoder: isinstance(encoder, str | CrossEncoderLike),
        expected="a model's name or a cross-encoder",
        shown=lambda encoder: _name_of(encoder),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cross_encoder is not None:  # then no judge is asked
            self.__dict__["requests"] = ()

    async def measure(self, sample: SingleTurnSample) -> Score:
        if not sample.reference.strip():
            return Score(None)
        if not sample.response.strip():
            return Score(0.0, note="The response is empty.")
        if self.cross_encoder is None:
            (value,) = await self.judge.similarity(sample.reference, [sample.response])
        else:
            value = await cross_encoder_score(self.cross_encoder, sample.reference, sample.response)
            count_judgement("CrossEncoder", f"{CROSS_ENCODER}{_name_of(self.cross_encoder)}")
        return Score(value)


class EmbeddingDistance(Metric):
    """Embedding distance: how far apart in meaning are response and reference?

        embedding_distance = distance of e(response) and e(reference)

    Distance of the two embeddings, from 0 up; lower is better.

    Asks the judge for both embeddings at once. `cosine` ends at 2, `hamming` at 1, the others
    have no end.

    Limitations: It cannot see a negation or a wrong number. Distances of two embedding models, or
    of two measures, cannot be compared.

    Source: LangChain's `embedding_distance` evaluator.

    Args:
        judge: Who embeds.
        distance: `cosine`, `euclidean`, `manhattan`, `chebyshev` or `hamming`.
        threshold: Up to which value a result passes.

    Raises:
        InputError: No such distance.
    """

    name = "embedding_distance"
    needs = frozenset({"response", "reference"})
    requests = (VectorsOf,)
    bounds = (0.0, float("inf"))
    default_threshold = None
    direction = "lower"
    undefined = "The response or the reference is empty."

    distance: Distance = "cosine"

    async def measure(self, sample: SingleTurnSample) -> Score:
        if not sample.response.strip() or not sample.reference.strip():
            return Score(None)
        reply = await self.judge.ask(VectorsOf(texts=(sample.response, sample.reference)))
        return Score(embedding_distance(reply.rows[0], reply.rows[1], measure=self.distance))


_MODEL_LOCK = threading.Lock()
"""Tokenizers of transformers may not be used by two threads at once."""


async def cross_encoder_score(encoder: str | CrossEncoderLike, first: str, second: str) -> float:
    """Return the score of a cross-encoder for two texts, computed in another thread.

    Args:
        encoder: The encoder, or the name or folder of a HuggingFace model, loaded once.
        first: A text.
        second: A text.

    Returns:
        The score of the model: most models with one output give a share in [0, 1].

    Raises:
        CallError: The model cannot be loaded, or does not give one number a pair.
    """
    return await asyncio.to_thread(_score, encoder, first, second)


def _name_of(encoder: str | CrossEncoderLike) -> str:
    """Return the name of a cross-encoder's model, or else of its class."""
    if isinstance(encoder, str):
        return encoder
    config = getattr(encoder, "config", None)
    return str(getattr(config, "_name_or_path", "") or type(encoder).__name__)


def _score(encoder: str | CrossEncoderLike, first: str, second: str) -> float:
    with _MODEL_LOCK:
        try:
            model = _load(encoder) if isinstance(encoder, str) else encoder
            (score,) = model.predict([(first, second)])
            return float(score)
        except Exception as error:  # a model may raise any exception
            raise CallError(
                f"the cross-encoder {encoder!r} gave no number: {type(error).__name__}: {error}"
            ) from error


@lru_cache(maxsize=4)
def _load(name: str) -> CrossEncoderLike:
    from sentence_transformers import CrossEncoder

    model: CrossEncoderLike = CrossEncoder(name)
    return model
