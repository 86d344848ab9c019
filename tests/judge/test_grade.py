"""Grade: a level of the scale."""

import pytest

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge import Grade
from llamaindex_rag_eval.judge.grade import ContextRelevanceOf
from tests.judge.replies import output_of, reply_to
from tests.models.asking import REQUESTS

REQUEST = REQUESTS["grade"]


def test_a_level_between_those_of_the_scale_is_refused() -> None:
    with pytest.raises(ReplyError, match=r"level 2 is not on the scale \[1, 3\]"):
        reply_to(REQUEST, {**output_of(REQUEST), "level": 2})


def test_the_majority_of_grades_is_the_most_frequent_one() -> None:
    votes = [Grade(level=level) for level in (1, 3, 3)]
    assert REQUEST.majority(votes) == Grade(level=3)


@pytest.mark.parametrize(
    ("context", "level"),
    [("Ito built the lock.", 2), ("The lock is red.", 1), ("Tea is green.", 0), ("", 0)],
)
def test_rules_grade_a_context_by_the_words_of_the_question(context: str, level: int) -> None:
    request = ContextRelevanceOf(query="Who built the lock?", contexts=(context,))
    assert request.by_rule().level == level
