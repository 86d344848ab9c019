import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.metrics.string_match import (
    ExactMatch,
    RegexMatch,
    StringPresence,
    StringSimilarity,
)


@pytest.mark.parametrize(
    ("metric", "response", "reference", "expected"),
    [
        (ExactMatch(), "The Seine.", "seine", 1),
        (ExactMatch(), "Rhine", "Seine", 0),
        (StringSimilarity(), "Seine", "Seinem", 5 / 6),  # one edit of six
        (StringSimilarity(algorithm="hamming"), "abcd", "abxx", 1 / 2),
        (StringPresence(), "It is on the Seine.", "the Seine", 1),
        (StringPresence(), "It is on the Seine.", "The seine", 0),
        (RegexMatch(pattern=r"\d+ km"), "6650 km long", "", 1),
        (RegexMatch(pattern=r"^\d+$"), "6650 km long", "", 0),
        (RegexMatch(pattern="paris"), "In Paris.", "", 0),
        (RegexMatch(pattern="paris", ignore_case=True), "In Paris.", "", 1),
    ],
)
async def test_texts_are_compared_without_a_judge(metric, response, reference, expected):
    sample = SingleTurnSample(response=response, reference=reference)
    value = (await metric.result(sample)).score
    assert value == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize(
    ("kind", "settings"),
    [(StringSimilarity, {"algorithm": "guess"}), (RegexMatch, {"pattern": "("})],
)
def test_settings_that_do_not_exist_are_refused(kind, settings):
    with pytest.raises(InputError):
        kind(**settings)
