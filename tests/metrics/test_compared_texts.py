import math

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.judge.similarity import Vectors, VectorsOf
from llamaindex_rag_eval.metrics.answer_similarity import EmbeddingDistance
from llamaindex_rag_eval.metrics.json_answers import JsonMatch, JsonValid
from llamaindex_rag_eval.metrics.non_llm_contexts import NonLlmContextPrecision, NonLlmContextRecall
from llamaindex_rag_eval.metrics.string_match import (
    ExactMatch,
    RegexMatch,
    StringPresence,
    StringSimilarity,
)
from llamaindex_rag_eval.metrics.text_overlap import Bleu, Chrf, Rouge, TokenF1
from llamaindex_rag_eval.models import EmbeddedOracle, ScriptedOracle


async def score(metric, response="", reference="", **fields):
    sample = SingleTurnSample(response=response, reference=reference, **fields)
    return (await metric.result(sample)).score


@pytest.mark.parametrize(
    ("metric", "response", "reference", "expected"),
    [
        (ExactMatch(), "The Seine.", "seine", 1),
        (ExactMatch(), "Rhine", "Seine", 0),
        (TokenF1(), "on the Seine", "Seine", 2 / 3),  # 2 · 1 / (2 + 1), the article is left out
        (Bleu(), "It rains. It pours.", "It rains. It pours.", 1),
        (Bleu(), "", "It rains.", 0),
        (Bleu(), "It rains.", "", None),
        (Chrf(), "東京です", "東京です", 1),
        (Rouge(), "the cat sat", "the cat ran", 2 / 3),  # "the cat": 2 of 3 words on both sides
        (Rouge(type="rouge2"), "the cat sat", "the cat ran", 1 / 2),  # 1 of 2 pairs
        (Rouge(type="rouge1", mode="recall"), "cat", "the cat", 1 / 2),
        (StringSimilarity(), "Seine", "Seinem", 5 / 6),  # one edit of six
        (StringSimilarity(algorithm="hamming"), "abcd", "abxx", 1 / 2),
        (StringPresence(), "It is on the Seine.", "the Seine", 1),
        (StringPresence(), "It is on the Seine.", "The seine", 0),
        (RegexMatch(pattern=r"\d+ km"), "6650 km long", "", 1),
        (RegexMatch(pattern=r"^\d+$"), "6650 km long", "", 0),
    ],
)
async def test_texts_are_compared_without_a_judge(metric, response, reference, expected):
    value = await score(metric, response, reference)
    assert value == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize(
    ("response", "schema", "expected"),
    [
        ('{"a": 1}', None, 1),
        ("[1, 2", None, 0),
        ("NaN", None, 0),
        ("[" * 100_000, None, 0),
        ("", None, 0),
        ('{"a": 1}', {"type": "object", "required": ["a"]}, 1),
        ('{"a": "x"}', {"properties": {"a": {"type": "integer"}}}, 0),
        ("[]", {"type": "object"}, 0),
    ],
)
async def test_json_is_valid_when_it_parses_and_fits_the_schema(response, schema, expected):
    assert await score(JsonValid(schema=schema), response) == expected


@pytest.mark.parametrize(
    ("response", "reference", "expected"),
    [
        ('{"a": 1, "b": [2]}', '{ "b": [2], "a": 1 }', 1),
        ("[1, 2]", "[2, 1]", 0),
        ("1", "true", 0),
        ("no JSON", "1", 0),
        ("1", "no JSON", None),
    ],
)
async def test_json_matches_when_the_data_is_the_same(response, reference, expected):
    assert await score(JsonMatch(), response, reference) == expected


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


async def test_the_same_text_is_at_no_distance_by_the_embedded_vectors():
    metric = EmbeddingDistance(EmbeddedOracle())
    assert await score(metric, "The Nile.", "The Nile.") == pytest.approx(0, abs=1e-6)
    assert await score(metric, "", "The Nile.") is None


async def test_contexts_are_the_same_from_the_cutoff_on():
    fields = {"contexts": ("Rain.", "Seinem", "Po"), "reference_contexts": ("Seine", "Elbe")}
    assert await score(NonLlmContextPrecision(), **fields) == 1 / 2  # at rank 2: 1/2
    assert await score(NonLlmContextRecall(), **fields) == 1 / 2  # one of two
    strict = {"cutoff": 0.9}  # Seine and Seinem: 5/6
    assert await score(NonLlmContextPrecision(**strict), **fields) == 0
    assert await score(NonLlmContextRecall(**strict), **fields) == 0


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        (Rouge, {"type": "rouge9"}),
        (Rouge, {"mode": "mean"}),
        (StringSimilarity, {"algorithm": "guess"}),
        (NonLlmContextRecall, {"algorithm": "guess"}),
        (NonLlmContextRecall, {"cutoff": 2.0}),
        (EmbeddingDistance, {"distance": "far"}),
        (RegexMatch, {"pattern": "("}),
        (JsonValid, {"schema": {"type": 7}}),
    ],
)
def test_settings_that_do_not_exist_are_refused_when_the_metric_is_made(kind, settings):
    with pytest.raises(InputError):
        kind(**settings)
