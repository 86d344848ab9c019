from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.judge import Grade, GradeOf, Judge
from llamaindex_rag_eval.metrics.answer_accuracy import AnswerAccuracy
from llamaindex_rag_eval.models import ScriptedOracle
from tests.scripted import asked_of

SAMPLE = SingleTurnSample(query="q", response="r", contexts=("c",), reference="g")


async def score(metric, sample=SAMPLE):
    return (await metric.result(sample)).score


async def test_answer_accuracy_swaps_the_roles():
    oracle = ScriptedOracle(
        by_request={GradeOf: lambda asked: Grade(level=2 if asked.response == "r" else 1)}
    )
    assert await score(AnswerAccuracy(Judge(oracle))) == 3 / 4  # (2/2 + 1/2) / 2
    assert [(request.response, request.reference) for request in asked_of(oracle, GradeOf)] == [
        ("r", "g"),
        ("g", "r"),
    ]
