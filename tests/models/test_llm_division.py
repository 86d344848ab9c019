"""Inputs longer than the window are divided and put together again; contexts may be isolated."""

from typing import Any

import pytest

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge import ClaimsOf, CritiqueOf, EntitiesOf, RelevanceOf, SupportOf
from llamaindex_rag_eval.models import LLMOracle, Request
from tests.models.asking import RELEVANCE, SUPPORT, llm_at, oracle_at
from tests.models.responders import given_in
from tests.server import LoopbackServer

FILLER = " ".join(f"Nothing of note came to pass on day {day}." for day in range(300))

LONG: dict[str, Request[Any]] = {
    "claims": ClaimsOf(text=f"Ada is tall. {FILLER} Ben is old."),
    "one source": SupportOf(
        claims=("Ada is tall.", "Ben is old.", "Cleo is here."),
        sources=(f"Ada is tall. {FILLER} Never: Cleo is here. Ben is old.",),
    ),
    "sources": SupportOf(
        claims=("Ada is tall.", "Ben is old.", "Cleo is here."),
        sources=(
            "Ada is tall.",
            FILLER,
            f"Never: Cleo is here. {FILLER}",
            "Ada is tall. Ben is old.",
        ),
    ),
    "one context": RelevanceOf(question="q", contexts=(f"{FILLER} In Oslo.",), answer="Oslo"),
    "contexts": RelevanceOf(question="q", contexts=("Oslo.", FILLER, FILLER), answer="Oslo"),
    "one text": EntitiesOf(texts=(f"Ada met Ben. {FILLER} Cleo left.",)),
    "texts": EntitiesOf(texts=("Ada met Ben.", FILLER, "Oslo is cold.")),
}


@pytest.mark.parametrize("name", LONG)
async def test_parts_come_to_what_the_whole_does(name: str, server: LoopbackServer) -> None:
    whole = await LLMOracle(llm_at(server, "text", context_window=99_000)).ask(LONG[name])
    assert server.stats().calls == 1
    narrow = LLMOracle(llm_at(server, "text", context_window=3000))
    assert await narrow.ask(LONG[name]) == whole
    assert server.stats().calls > 2


async def test_no_part_is_longer_than_the_window(server: LoopbackServer) -> None:
    await LLMOracle(llm_at(server, "text", context_window=3000)).ask(LONG["one source"])
    sizes = [len(str(given_in(body)).encode()) for body in server.requests()]
    assert max(sizes) < 3000 * 3


async def test_chinese_is_counted_a_token_a_character(server: LoopbackServer) -> None:
    # 3,000 characters are some 3,000 tokens: three quarters of 3,000 are for the input.
    text = "北京很大。" * 600
    await LLMOracle(llm_at(server, "text", context_window=3000)).ask(ClaimsOf(text=text))
    assert server.stats().calls > 1


async def test_what_cannot_be_divided_is_an_error_and_nothing_is_cut(
    server: LoopbackServer,
) -> None:
    request = CritiqueOf(aspect="brief", definition="Is it brief?", response=FILLER)
    with pytest.raises(ReplyError, match="longer than the window of 'a-local-model'"):
        await LLMOracle(llm_at(server, "text", context_window=1000)).ask(request)
    assert server.stats().calls == 0


@pytest.mark.parametrize("request_", [SUPPORT, RELEVANCE], ids=["support", "relevance"])
async def test_isolated_contexts_are_asked_one_a_call(
    request_: Request[Any], server: LoopbackServer
) -> None:
    whole = await oracle_at(server).ask(request_)
    server.reset()
    assert await oracle_at(server, isolated=True).ask(request_) == whole
    shown = [given_in(body) for body in server.requests()]
    assert [len(s.get("sources") or s["contexts"]) for s in shown] == [1, 1, 1]


async def test_isolated_and_joint_judgements_are_cached_apart(server: LoopbackServer) -> None:
    joint, apart = oracle_at(server), oracle_at(server, isolated=True)
    assert joint.fingerprint(SupportOf) != apart.fingerprint(SupportOf)
