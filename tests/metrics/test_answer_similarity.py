import math

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Judge, Similarities
from llamaindex_rag_eval.judge.similarity import Vectors, VectorsOf
from llamaindex_rag_eval.metrics.answer_similarity import AnswerSimilarity, EmbeddingDistance
from llamaindex_rag_eval.models import EmbeddedOracle, ScriptedOracle


async def score(metric, response, reference):
    return (await metric.result(SingleTurnSample(response=response, reference=reference))).score


@pytest.mark.parametrize(
    ("distance", "expected"),
    [
        ("cosine", 1 - 24 / 25),
        ("euclidean", math.sqrt(2)),
        ("manhattan", 2),
        ("chebyshev", 1),
        ("hamming", 1),
    ],
)
async def test_embeddings_are_as_far_apart_as_the_distance_says(distance, expected):
    oracle = ScriptedOracle(Vectors(rows=((3.0, 4.0), (4.0, 3.0))))
    metric = EmbeddingDistance(Judge(oracle), distance=distance)
    assert await score(metric, "r", "g") == pytest.approx(expected)
    assert oracle.asked == [VectorsOf(texts=("r", "g"))]


def test_a_distance_that_does_not_exist_is_refused():
    with pytest.raises(InputError, match="distance"):
        EmbeddingDistance(distance="far")  # type: ignore[arg-type]  # what is refused


async def test_the_same_text_is_at_no_distance_by_the_embedded_vectors():
    metric = EmbeddingDistance(EmbeddedOracle())
    assert await score(metric, "The Nile.", "The Nile.") == pytest.approx(0, abs=1e-6)
    assert await score(metric, "", "The Nile.") is None


async def test_answer_similarity_is_the_cosine_and_its_threshold_only_judges_it():
    for threshold, passing in ((None, True), (0.5, True), (0.9, False)):
        oracle = ScriptedOracle(Similarities(values=(0.75,)))
        metric = AnswerSimilarity(oracle, threshold=threshold)
        result = await metric.result(SingleTurnSample(response="r", reference="g"))
        assert (result.score, result.passing) == (0.75, passing)
        assert metric.spec == "answer_similarity"
