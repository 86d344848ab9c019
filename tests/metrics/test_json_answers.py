import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.metrics.json_answers import JsonMatch, JsonValid


async def score(metric, response, reference=""):
    return (await metric.result(SingleTurnSample(response=response, reference=reference))).score


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


def test_a_schema_that_is_none_is_refused():
    with pytest.raises(InputError, match="no JSON Schema"):
        JsonValid(schema={"type": 7})
