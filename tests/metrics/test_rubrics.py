import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Grade, GradeOf
from llamaindex_rag_eval.metrics.rubrics import InstanceRubric, Rubric
from llamaindex_rag_eval.metrics.shared.criteria import rubric_levels
from llamaindex_rag_eval.models import ScriptedOracle

SAMPLE = SingleTurnSample(query="q", response="r", contexts=("c",), reference="g")


async def score(metric, sample=SAMPLE):
    return (await metric.result(sample)).score


def graded(level):
    return ScriptedOracle(by_request={GradeOf: Grade(level=level, reason="Because.")})


async def test_a_rubric_grades_between_its_lowest_and_its_highest_level():
    levels = {1: "Bad.", 2: "Fair.", 5: "Good."}
    assert await score(Rubric(graded(2), levels=levels)) == 1 / 4  # (2 - 1) / (5 - 1)
    sample = SAMPLE.model_copy(update={"rubrics": {"score1_description": "a", "score3": "b"}})
    own = SingleTurnSample.model_validate(sample.model_dump())
    assert await score(InstanceRubric(graded(3)), own) == 1


@pytest.mark.parametrize("rubric", [{}, {1: "one"}, {"bad": "a", "good": "b"}])
def test_what_is_no_rubric_is_refused(rubric):
    with pytest.raises(InputError, match="rubric"):
        rubric_levels(rubric)
