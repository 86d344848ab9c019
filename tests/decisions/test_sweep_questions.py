import pytest

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.decisions.sweep_questions import Schedule
from llamaindex_rag_eval.errors import InputError
from tests.decisions.engines import golden


def test_questions_on_one_document_are_asked_together() -> None:
    schedule = Schedule.of(EvaluationDataset(golden(60, per_document=4)), first=10)
    assert schedule.looks[0] == 12
    assert schedule.looks[-1] == 60
    for look in schedule.looks:
        first, rest = schedule.ids[:look], schedule.ids[look:]
        assert not {schedule.clusters[x] for x in first} & {schedule.clusters[x] for x in rest}


def test_the_order_of_questions_changes_nothing_and_the_seed_does() -> None:
    questions = golden(40, per_document=2)
    one = Schedule.of(EvaluationDataset(questions))
    other = Schedule.of(EvaluationDataset(questions[::-1]))
    assert (one.ids, one.looks) == (other.ids, other.looks)
    assert Schedule.of(EvaluationDataset(questions), seed=1).ids != one.ids


def test_no_questions_and_no_first_batch_are_refused() -> None:
    with pytest.raises(InputError, match="at least one question"):
        Schedule.of(EvaluationDataset())
    with pytest.raises(InputError, match="first is 0"):
        Schedule.of(EvaluationDataset(golden(3)), first=0)
