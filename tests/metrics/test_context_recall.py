from fractions import Fraction

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.judge import (
    Claims,
    ClaimsOf,
    Entities,
    EntitiesOf,
    Entity,
    Judge,
    SupportOf,
)
from llamaindex_rag_eval.metrics.context_recall import (
    ContextEntityRecall,
    ContextRecall,
    context_entity_recall_score,
)
from llamaindex_rag_eval.models import ScriptedOracle
from tests.metrics.judges import supported

TAJ = ("Taj Mahal", "Yamuna", "Agra", "1631", "Shah Jahan", "Mumtaz Mahal")


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        (("Taj Mahal", "Agra", "Shah Jahan", "Mumtaz Mahal"), Fraction(4, 6)),
        (("Taj Mahal",), Fraction(1, 6)),
        ((), Fraction(0)),
    ],
)
async def test_context_entity_recall_is_the_share_of_the_references_entities(named, expected):
    entities = tuple(Entity(name=name, contexts=(0,) if name in named else ()) for name in TAJ)
    oracle = ScriptedOracle(Entities(entities=entities))
    metric = ContextEntityRecall(Judge(oracle))
    sample = SingleTurnSample(reference="ref", contexts=("c",))
    assert (await metric.result(sample)).score == pytest.approx(float(expected))
    assert oracle.asked == [EntitiesOf(reference="ref", contexts=("c",))]


def test_entities_are_sets_without_articles_case_and_width():
    assert context_entity_recall_score(["the TAJ MAHAL", "ａｇｒａ", "India"], TAJ) == 2 / 6


async def score(metric, **fields):
    return (await metric.result(SingleTurnSample(**fields))).score


@pytest.mark.parametrize(
    ("claims", "verdicts", "expected"),
    [
        (("France is in Western Europe.", "Its capital is Paris."), (True, False), Fraction(1, 2)),
        (tuple("abcde"), (True, False, True, True, False), Fraction(3, 5)),
    ],
)
async def test_context_recall_is_the_share_of_the_references_claims_in_the_contexts(
    claims, verdicts, expected
):
    oracle = ScriptedOracle(Claims(claims=claims), supported(*verdicts))
    sample = {"query": "q", "reference": "g", "contexts": ["c"]}
    assert await score(ContextRecall(Judge(oracle)), **sample) == float(expected)
    assert oracle.asked == [
        ClaimsOf(text="g", question="q"),
        SupportOf(claims=claims, sources=("c",), question="q"),
    ]
