"""Classes: what each question of a log is, in the order of the questions, by people told apart."""

import pytest

from llamaindex_rag_eval.errors import ReplyError
from testset.requests.classes import Classes, ClassesOf, ClassesOutput, Classified, ClassWire

ASKED = ClassesOf(questions=("price of dogs", "Why is it late?"))
FIRST = ClassWire(id=1, user=2, type="single_hop", kind="numeric", style="web_search")
SECOND = ClassWire(id=2, user=1, type="reasoning", kind="", style="plain")


def test_entries_come_in_the_order_of_the_questions_with_their_people_in_words():
    reply = ASKED.from_prompt(
        ClassesOutput(users=("A passenger.", "A farmer."), questions=(SECOND, FIRST))
    )
    assert reply.questions == (
        Classified(user="A farmer.", type="single_hop", kind="numeric", style="web_search"),
        Classified(user="A passenger.", type="reasoning"),
    )
    ASKED.check(reply)


@pytest.mark.parametrize(
    ("users", "rows", "fault"),
    [
        (("A.", "B."), (FIRST,), "expected exactly one for each id"),
        (("A.",), (FIRST, SECOND), "user 1 does not exist"),
        (("A.", "B."), (FIRST, FIRST), "expected exactly one for each id"),
    ],
)
def test_a_reply_that_leaves_out_a_question_or_a_person_is_asked_again(users, rows, fault):
    with pytest.raises(ReplyError, match=fault):
        ASKED.from_prompt(ClassesOutput(users=users, questions=rows))


def test_a_type_that_there_is_not_is_asked_again():
    odd = Classified(user="A.", type="riddle")
    with pytest.raises(ReplyError, match="type 'riddle' is none of"):
        ASKED.check(Classes(questions=(odd, odd)))
