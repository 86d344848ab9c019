"""Items that a model answers by heart are tagged."""

import pytest

from llamaindex_rag_eval.judge.answer_verdict import AnswerVerdict
from tests.scripted import asked_of
from tests.testset.checks.examples import ferry_draft, requests_to, writer
from testset import Check, GoldenItem
from testset.checks import closed_book
from testset.requests.closed_book import Answered, ClosedBookOf


async def test_closed_book_tags_what_is_answered_twice_without_documents():
    known = writer(Answered(answer="120 people."), Answered(answer="120 people."))
    assert (await closed_book.by_model(ferry_draft(), known)).verdict == "tagged"
    assert [request.vote for request in asked_of(known.oracle, ClosedBookOf)] == [0, 1]


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


def test_which_items_fall_to_the_quota_does_not_depend_on_their_order():
    known, unknown = (Check(verdict=v) for v in ("tagged", "passed"))
    items = [
        GoldenItem(id=name, question="?", reference="", checks={"closed_book": check})
        for name, check in (("c", known), ("b", unknown), ("a", known), ("d", known))
    ]
    # A third of 3 is one.
    kept = [closed_book.within_quota(order, 0.34, size=3) for order in (items, items[::-1])]
    assert [{item.id for item in each} for each in kept] == [{"a", "b"}] * 2
    assert closed_book.within_quota(items, None, size=3) == items


async def test_closed_book_asks_nothing_unless_it_is_wanted():
    silent = writer()
    found = await closed_book.by_model(ferry_draft(), silent, by_heart=False)
    assert (found.verdict, found.evidence, requests_to(silent)) == ("passed", "not asked", [])
