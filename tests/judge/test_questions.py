"""Questions: as many as were asked for, unless the text evades."""

import pytest

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge import QuestionsOf
from tests.judge.replies import output_of, reply_to
from tests.models.asking import REQUESTS


@pytest.mark.parametrize("questions", [["One?"], ["1?", "2?", "3?"]])
def test_another_number_of_questions_is_refused(questions: list[str]) -> None:
    request = REQUESTS["questions"]
    with pytest.raises(ReplyError, match=f"^{len(questions)} questions for 2 asked for"):
        reply_to(request, {**output_of(request), "questions": questions})


def test_an_evasive_text_may_have_no_questions() -> None:
    request = QuestionsOf(text="I do not know.", n=2)
    reply_to(request, {"noncommittal": True, "questions": []})
