"""Items that a model answers by heart are tagged."""

import pytest

from llamaindex_rag_eval.judge.answer_verdict import AnswerVerdict
from tests.scripted import asked_of
from tests.testset.checks.examples import ferry_draft, requests_to, writer
from testset import Check
from testset.checks import closed_book
from testset.requests.closed_book import Answered, ClosedBookOf


async def test_closed_book_tags_what_is_answered_twice_without_documents():
    known = writer(Answered(answer="120 people."), Answered(answer="120 people."))
    assert (await closed_book.by_model(ferry_draft(), known)).verdict == "tagged"
    assert [request.vote for request in asked_of(known.oracle.inner, ClosedBookOf)] == [0, 1]


@pytest.mark.parametrize(
    "replies",
    [
        [Answered(answer="")],
        [Answered(answer="90 people."), AnswerVerdict(verdict="wrong")],
        [Answered(answer="120 people."), Answered(answer="")],
    ],
)
async def test_closed_book_passes_what_is_not_known_or_only_guessed_once(replies):
    assert (await closed_book.by_model(ferry_draft(), writer(*replies))).verdict == "passed"


def test_an_item_is_known_by_heart_if_its_check_tagged_it():
    known, unknown = (Check(verdict=v) for v in ("tagged", "passed"))
    assert closed_book.is_known({"closed_book": known})
    assert not closed_book.is_known({"closed_book": unknown, "round_trip": known})
    assert not closed_book.is_known({})


async def test_closed_book_asks_nothing_unless_it_is_wanted():
    silent = writer()
    found = await closed_book.by_model(ferry_draft(), silent, by_heart=False)
    assert (found.verdict, found.evidence, requests_to(silent)) == ("passed", "not asked", [])
