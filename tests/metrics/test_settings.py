"""Settings are declared once, by an annotated attribute or by an `__init__` of one's own."""

import inspect
from typing import Any, ClassVar, Literal

import pytest

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.result import Score
from llamaindex_rag_eval.metrics.settings import setting


class Base(Metric):
    unit: ClassVar[str] = "words"
    exact: bool = False

    async def measure(self, sample):
        return Score(1.0)


class Ranked(Base):
    name = "ranked"
    k: int = setting(default=10, valid=lambda k: k >= 1, expected="at least 1", convert=int)
    gain: Literal["linear", "exponential"] = "linear"
    query: str = setting()


class Fixed(Ranked):
    def __init__(self, judge=None, *, boost=1.0):
        super().__init__(judge, query="q", k=3)
        self.boost = boost


def test_a_declared_setting_is_an_argument_its_own_before_inherited_ones():
    signature = inspect.signature(Ranked)
    assert list(signature.parameters) == ["judge", "k", "gain", "query", "exact", "threshold"]
    kinds = {parameter.kind for parameter in list(signature.parameters.values())[1:]}
    assert kinds == {inspect.Parameter.KEYWORD_ONLY}
    assert signature.parameters["k"].default == 10


def test_settings_are_kept_shown_and_checked():
    metric = Ranked(k=5, query="q", threshold=0.7)
    assert (metric.k, metric.gain, metric.exact) == (5, "linear", False)
    assert metric.settings() == {"k": 5, "query": "q", "threshold": 0.7}
    assert metric.spec == "ranked@5(query=q)"
    assert repr(Ranked(query="q", exact=True)) == "Ranked(query='q', exact=True)"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"k": 0}, "k must be at least 1, got 0"),
        ({"k": "many"}, "k must be at least 1, got 'many'"),
        ({"gain": "log"}, r"gain must be one of \('linear', 'exponential'\), got 'log'"),
        ({"exact": 1}, "exact must be True or False, got 1"),
    ],
)
def test_a_value_that_does_not_fit_is_an_error_that_says_what_fits(settings, message):
    with pytest.raises(InputError, match=message):
        Ranked(query="q", **settings)


def test_a_setting_that_is_missing_or_unknown_is_a_type_error():
    unchecked: Any = Ranked
    with pytest.raises(TypeError, match="needs 'query'"):
        unchecked()
    with pytest.raises(TypeError, match="no setting 'depth'"):
        unchecked(query="q", depth=1)


def test_an_annotation_without_a_value_or_of_a_class_variable_is_no_setting():
    annotations = {"name": str, "words": tuple, "k": int}
    body = {"__annotations__": annotations, "name": "mine", "k": 1}
    assert list(inspect.signature(type("Mine", (Base,), body)).parameters) == [
        "judge",
        "k",
        "exact",
        "threshold",
    ]


def test_an_init_of_ones_own_says_what_the_settings_are():
    metric = Fixed(boost=2.0)
    assert list(inspect.signature(Fixed).parameters) == ["judge", "boost"]
    assert (metric.k, metric.query, metric.threshold) == (3, "q", None)
    assert metric.spec == "ranked(boost=2.0)"
