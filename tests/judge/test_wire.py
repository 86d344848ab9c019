"""What judgements share: one entry for each id, in order, and parts that come to the whole."""

from typing import Any

import pytest

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge import (
    ClaimsOf,
    EntitiesOf,
    RelevanceOf,
    RelevantSentencesOf,
    SupportOf,
)
from llamaindex_rag_eval.models import Reply, Request
from tests.judge.replies import output_of, reply_to
from tests.models.asking import RELEVANCE, REQUESTS, SUPPORT

LISTS = {
    "support": ("verdicts", "claim"),
    "relevance": ("verdicts", "context"),
}


@pytest.mark.parametrize("name", REQUESTS)
def test_a_good_output_is_a_reply_that_keeps_the_contract(name: str) -> None:
    request = REQUESTS[name]
    assert isinstance(reply_to(request, output_of(request)), request.reply)


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("fault", ["missing", "extra", "twice", "zero", "beyond", "none"])
def test_exactly_one_entry_for_each_id_is_taken(name: str, fault: str) -> None:
    request, (field, number) = REQUESTS[name], LISTS[name]
    output = output_of(request)
    entries = output[field]
    count = len(entries)
    if fault == "missing":
        entries.pop(0)
    elif fault == "extra":
        entries.append({**entries[0], number: count + 1})
    elif fault == "twice":
        entries[0] = {**entries[0], number: 2}
    elif fault == "none":
        entries.clear()
    else:
        entries[0][number] = 0 if fault == "zero" else count + 1
    with pytest.raises(ReplyError, match=rf"expected exactly one for each id from 1 to {count}"):
        reply_to(request, output)


@pytest.mark.parametrize("name", LISTS)
def test_entries_out_of_order_are_put_in_order(name: str) -> None:
    request, (field, _) = REQUESTS[name], LISTS[name]
    output = output_of(request)
    expected = reply_to(request, output)
    output[field].reverse()
    assert reply_to(request, output) == expected


def whole_and_parts(request: Request[Any], parts: tuple[Request[Any], ...]) -> tuple[Reply, Reply]:
    whole = reply_to(request, output_of(request))
    joined = request.join(parts, [reply_to(part, output_of(part)) for part in parts])
    request.check(joined)
    return whole, joined


DIVISIBLE: tuple[Request[Any], ...] = (
    ClaimsOf(text="Ada is tall. Ben is old. Cleo is here."),
    SUPPORT,
    SupportOf(claims=SUPPORT.claims, sources=("Ada is tall. Never: Cleo is here. Ben is old.",)),
    RELEVANCE,
    RelevanceOf(question="q", contexts=("It rains. It is in Oslo.",), answer="Oslo"),
    EntitiesOf(reference="Ada met Ben.", contexts=("Ada sang.", "Oslo is cold.", "Ben left.")),
    EntitiesOf(reference="Ada met Ben.", contexts=("Oslo is cold. Then Cleo met Ada.",)),
    RelevantSentencesOf(question="q", sentences=("one", "two", "three", "four", "five")),
)


@pytest.mark.parametrize("request_", DIVISIBLE, ids=range(len(DIVISIBLE)))
def test_halves_come_to_what_the_whole_does(request_: Request[Any]) -> None:
    parts = request_.halves()
    assert len(parts) == 2
    whole, joined = whole_and_parts(request_, parts)
    assert joined == whole


@pytest.mark.parametrize("name", ["questions", "critique", "grade", "preference"])
def test_what_is_about_the_whole_is_not_divided(name: str) -> None:
    assert REQUESTS[name].halves() == ()
