from fractions import Fraction

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.judge import (
    Judge,
    Questions,
    QuestionsOf,
    RelevantSentences,
    Similarities,
    SimilaritiesOf,
)
from llamaindex_rag_eval.metrics.answer_relevancy import AnswerRelevancy
from llamaindex_rag_eval.metrics.context_relevance import ContextRelevancy
from llamaindex_rag_eval.models import ScriptedOracle


async def score(metric, **fields):
    return (await metric.result(SingleTurnSample(**fields))).score


@pytest.mark.parametrize(
    ("similarities", "expected"),
    [
        ((0.95, 0.90), Fraction(925, 1000)),  # (.95 + .90) / 2
        ((0.8, 0.7, 0.9), Fraction(8, 10)),  # (.8 + .7 + .9) / 3
    ],
)
async def test_answer_relevancy_is_the_mean_similarity_of_the_questions_asked_back(
    similarities, expected
):
    asked_back = tuple(f"q{number}?" for number in range(len(similarities)))
    oracle = ScriptedOracle(Questions(questions=asked_back), Similarities(values=similarities))
    metric = AnswerRelevancy(Judge(oracle), n=len(similarities))
    assert await score(metric, query="q", response="r") == pytest.approx(float(expected))
    assert oracle.asked == [
        QuestionsOf(text="r", n=len(similarities)),
        SimilaritiesOf(text="q", others=asked_back),
    ]


async def test_an_evasive_answer_has_no_relevancy():
    oracle = ScriptedOracle(Questions(questions=(), noncommittal=True))
    assert await score(AnswerRelevancy(oracle), query="q", response="I do not know.") == 0


async def test_an_empty_answer_has_no_relevancy_and_nothing_is_asked():
    oracle = ScriptedOracle()
    assert await score(AnswerRelevancy(oracle), query="q", response=" ") == 0
    assert oracle.asked == []


async def test_contexts_that_do_not_suffice_have_no_relevancy():
    oracle = ScriptedOracle(RelevantSentences(sentences=()))
    sample = SingleTurnSample(query="q", contexts=("It rains.",))
    result = await ContextRelevancy(oracle).result(sample)
    assert result.score == 0
    assert "do not suffice" in result.feedback
