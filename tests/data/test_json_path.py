import pytest

from llamaindex_rag_eval.data.json_path import JsonPath
from llamaindex_rag_eval.errors import InputError

DOCUMENT = {
    "answer": "5 l",
    "sources": [{"text": "a", "score": 0.5}, {"text": "b"}, "c"],
    "a b": {"x.y": 1},
    "groups": {"one": {"text": "d"}, "two": {"text": "e"}},
    "none": None,
}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("$", [DOCUMENT]),
        ("$.answer", ["5 l"]),
        ("$.sources[*].text", ["a", "b"]),
        ("$.sources[0].score", [0.5]),
        ("$.sources[-1]", ["c"]),
        ("$.sources[3]", []),
        ("$['a b'][\"x.y\"]", [1]),
        ("$.groups.*.text", ["d", "e"]),
        ("$.answer.text", []),
        ("$.none", [None]),
    ],
)
def test_a_path_finds_what_stands_there(path: str, found: list[object]):
    assert JsonPath(path).find(DOCUMENT) == found


@pytest.mark.parametrize(
    "path", ["", "answer", "$.", "$answer", "$..text", "$.a[?(@.b)]", "$.a[1:2]", "$.a b", "$[x]"]
)
def test_a_path_of_another_kind_is_refused(path: str):
    with pytest.raises(InputError, match="no JSON path"):
        JsonPath(path)
