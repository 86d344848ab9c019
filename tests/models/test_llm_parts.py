"""Long lists are asked in groups, cut replies in parts, and incomplete ones again."""

import json

import pytest

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge import ClaimsOf, SupportOf
from llamaindex_rag_eval.models import LLMOracle
from tests.models.asking import failing, llm_at, oracle_at, serving
from tests.models.responders import given_in
from tests.server import LoopbackServer

SOURCES = ("Ada 1 is tall. Ada 7 is tall.", "Ada 13 is tall. Never: Ada 2 is tall.")


def claims(count: int) -> SupportOf:
    """Return a request of so many claims."""
    return SupportOf(claims=tuple(f"Ada {n} is tall." for n in range(count)), sources=SOURCES)


def asked_in(server: LoopbackServer) -> list[list[str]]:
    """Return the claims of each call."""
    return [list(given_in(body)["claims"].values()) for body in server.requests()]


async def test_claims_are_asked_in_groups_over_the_same_sources(server: LoopbackServer) -> None:
    whole = await oracle_at(server, claims_at_once=99).ask(claims(30))
    server.reset()
    assert await oracle_at(server).ask(claims(30)) == whole
    groups = asked_in(server)
    assert sorted(map(len, groups)) == [10, 10, 10]
    assert {text for group in groups for text in group} == set(claims(30).claims)
    before = [body["messages"][1]["content"].split('"claims"')[0] for body in server.requests()]
    assert len(set(before)) == 1
    assert "Ada 13" in before[0]


async def test_the_size_of_groups_is_part_of_the_cache_key(server: LoopbackServer) -> None:
    one, other = oracle_at(server), oracle_at(server, claims_at_once=4)
    assert one.fingerprint(SupportOf) != other.fingerprint(SupportOf)


async def test_a_wrong_count_is_never_padded_and_asked_again(server: LoopbackServer) -> None:
    expected = await oracle_at(server).ask(claims(8))
    with failing("missing_item", record=True) as faulty:
        # The first reply leaves out the last claim, and so does its correction.
        assert await oracle_at(faulty).ask(claims(8)) == expected
        assert [len(group) for group in asked_in(faulty)] == [8, 8, 8]
        first, second, third = faulty.requests()
    assert [len(body["messages"]) for body in (first, second, third)] == [2, 4, 2]
    assert (first.get("seed"), second.get("seed")) == (None, None)
    assert third["seed"] is not None


async def test_a_reply_that_is_cut_off_is_asked_in_parts(server: LoopbackServer) -> None:
    expected = await oracle_at(server).ask(claims(8))
    with serving(record=True) as cutting:
        # 8 verdicts of some 15 tokens: 8 and 4 are cut, 2 are not.
        reply = await oracle_at(cutting, reply_limit=50).ask(claims(8))
        assert reply == expected
        assert sorted(len(group) for group in asked_in(cutting)) == [2, 2, 2, 2, 4, 4, 8]


async def test_a_cut_reply_that_cannot_be_divided_is_never_taken() -> None:
    request = ClaimsOf(text="Ada is tall")
    with failing("truncated_json", mode="permanent", record=True) as server:
        with pytest.raises(ReplyError, match="cut off at its limit") as caught:
            await oracle_at(server).ask(request)
        first, second = server.requests()
    assert (first.get("seed"), second["seed"] is None) == (None, False)
    assert caught.value.raw
    with pytest.raises(ValueError, match=r".+"):
        json.loads(caught.value.raw)


async def test_a_reply_in_a_loop_gets_no_more_room_and_another_seed_once() -> None:
    looping = "tests.models.responders:LOOPING"
    with serving(record=True, responders=looping) as server:
        with pytest.raises(ReplyError, match="repeats itself"):
            await oracle_at(server).ask(ClaimsOf(text="Ada is tall"))
        first, second = server.requests()
    assert first["max_tokens"] == second["max_tokens"]
    assert first["messages"] == second["messages"]
    assert second["seed"] != first.get("seed")


async def test_a_text_that_is_cut_off_is_divided_between_sentences(server: LoopbackServer) -> None:
    request = ClaimsOf(text="Ada is tall. Ben is old.")
    expected = await oracle_at(server).ask(request)
    with failing("truncated_json", record=True) as faulty:
        assert await oracle_at(faulty).ask(request) == expected
        texts = {given_in(body)["text"] for body in faulty.requests()}
    assert texts == {request.text, "Ada is tall.", "Ben is old."}


async def test_a_limit_fits_what_is_asked_and_the_window(server: LoopbackServer) -> None:
    await oracle_at(server).ask(claims(2))
    await oracle_at(server).ask(claims(12))
    small = LLMOracle(llm_at(server, "text", context_window=1600), way="text")
    await small.ask(claims(12))
    few, many, fitting = (body["max_tokens"] for body in server.requests())
    assert few < many
    assert fitting < 1600 - len(json.dumps(server.requests()[-1]["messages"])) / 4
    assert fitting < many
