from fractions import Fraction

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.judge import Claims, ClaimsOf, Entities, EntitiesOf, Judge, SupportOf
from llamaindex_rag_eval.metrics.context_recall import ContextEntityRecall, ContextRecall
from llamaindex_rag_eval.models import ScriptedOracle
from tests.metrics.judges import supported

TAJ = ("Taj Mahal", "Yamuna", "Agra", "1631", "Shah Jahan", "Mumtaz Mahal")


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        (("Taj Mahal", "Agra", "Shah Jahan", "Mumtaz Mahal", "India"), Fraction(4, 6)),
        (("Taj Mahal", "UNESCO", "India"), Fraction(1, 6)),
        (("the TAJ MAHAL", "ａｇｒａ"), Fraction(2, 6)),  # article, case and width do not count
        ((), Fraction(0)),
    ],
)
async def test_context_entity_recall_is_the_share_of_the_references_entities(named, expected):
    oracle = ScriptedOracle(Entities(entities=(TAJ, named)))
    metric = ContextEntityRecall(Judge(oracle))
    sample = SingleTurnSample(reference="ref", contexts=("c",))
    assert (await metric.result(sample)).score == pytest.approx(float(expected))
    assert oracle.asked == [EntitiesOf(texts=("ref", "c"))]


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
