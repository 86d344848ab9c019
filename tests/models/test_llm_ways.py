"""A model is asked in the strictest way it has, and every way leads to the same replies."""

import json
from typing import Any

import pytest

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge import ClaimsOf, Support, SupportReply
from llamaindex_rag_eval.models.completion import way_of
from tests.models.asking import (
    MODELS,
    RELEVANCE,
    REQUESTS,
    SUPPORT,
    failing,
    llm_at,
    oracle_at,
)
from tests.server import FaultKind, LoopbackServer


@pytest.mark.parametrize("way", MODELS)
def test_the_strictest_way_that_the_model_has_is_chosen(way: str, server: LoopbackServer) -> None:
    assert way_of(llm_at(server, way)) == way


@pytest.mark.parametrize("way", MODELS)
async def test_the_body_says_how_the_reply_is_wanted(way: str, server: LoopbackServer) -> None:
    await oracle_at(server, way).ask(SUPPORT)
    (body,) = server.requests()
    schema = body.get("response_format", {}).get("json_schema", {})
    tools = [tool["function"]["name"] for tool in body.get("tools", [])]
    system = body["messages"][0]["content"]
    shown = json.dumps(SUPPORT.prompt.schema_of_output, separators=(",", ":"))  # type: ignore[union-attr]  # has one
    assert (schema.get("name"), schema.get("strict")) == (
        ("support", True) if way == "schema" else (None, None)
    )
    assert tools == (["support"] if way == "tool" else [])
    assert (shown in system) == (way == "text")


@pytest.mark.parametrize("way", MODELS)
@pytest.mark.parametrize("name", REQUESTS)
async def test_every_request_is_answered_in_one_call(
    name: str, way: str, server: LoopbackServer
) -> None:
    request = REQUESTS[name]
    reply = await oracle_at(server, way).ask(request)
    schema = await oracle_at(server, "schema").ask(request)
    assert reply == schema
    assert server.stats().calls == 2


async def test_the_verdicts_are_those_of_the_model(server: LoopbackServer) -> None:
    reply = await oracle_at(server).ask(SUPPORT)
    assert reply == SupportReply(
        verdicts=(
            Support(
                claim="Ada is tall.",
                verdict="supported",
                sources=(0, 2),
                quote="Ada is tall",
                reason="the words",
            ),
            Support(
                claim="Ben is old.",
                verdict="supported",
                sources=(0,),
                quote="Ben is old",
                reason="the words",
            ),
            Support(
                claim="Cleo is here.",
                verdict="contradicted",
                contradicted_by=(1,),
                reason="the words",
            ),
        )
    )


@pytest.mark.parametrize("way", MODELS)
async def test_an_invalid_reply_is_asked_again_once_with_what_is_wrong(way: str) -> None:
    with failing("missing_item", mode="permanent", record=True) as server:
        with pytest.raises(ReplyError, match=r"2 verdicts for 3.*\[3\] is missing") as caught:
            await oracle_at(server, way).ask(SUPPORT)
        first, second, third = server.requests()
    assert json.loads(caught.value.raw)["verdicts"][1]["claim"] == 2
    assert second["messages"][:2] == first["messages"]
    assert third == first  # a correction that fails too is given up, and the question asked afresh
    said, wrong = second["messages"][2:]
    assert (said["role"], wrong["role"]) == ("assistant", "user")
    assert len(json.loads(said["content"])["verdicts"]) == 2
    assert "2 verdicts for 3" in wrong["content"]


@pytest.mark.parametrize("kind", ["out_of_range", "malformed_json", "missing_item"])
async def test_a_repair_does_not_repeat_what_the_texts_say_outside_of_the_data(
    kind: FaultKind,
) -> None:
    # The text of a claim may be hostile: it must not stand in a message of ours.
    with failing(kind, mode="permanent", record=True) as server:
        with pytest.raises(ReplyError):
            await oracle_at(server).ask(SUPPORT)
        wrong = server.requests()[1]["messages"][3]["content"]
    assert "Ada" not in wrong
    assert "Cleo" not in wrong


async def test_the_raw_text_of_a_reply_that_is_not_json_is_kept() -> None:
    with failing("malformed_json", mode="permanent") as server:
        with pytest.raises(ReplyError) as caught:
            await oracle_at(server).ask(RELEVANCE)
        assert server.stats().calls == 3
    assert caught.value.raw == "verdict: supported; sources: the first and the third"


async def test_a_truncated_tool_call_is_not_completed() -> None:
    # LlamaIndex's own reader of tool calls closes the brackets: claims would be lost silently.
    request = ClaimsOf(text="Ada is tall. Ben is old. Cleo is here.")
    with failing("truncated_json", mode="permanent") as server, pytest.raises(ReplyError):
        await oracle_at(server, "tool").ask(request)


async def test_the_static_part_is_the_same_for_all_requests_of_a_type(
    server: LoopbackServer,
) -> None:
    oracle = oracle_at(server)
    for text in ("Ada is tall.", "Ben is old.", "x " * 500):
        await oracle.ask(ClaimsOf(text=text))
    bodies: list[dict[str, Any]] = server.requests()
    systems = {body["messages"][0]["content"] for body in bodies}
    rest = {
        json.dumps({k: v for k, v in body.items() if k != "messages"}, sort_keys=True)
        for body in bodies
    }
    assert (len(systems), len(rest)) == (1, 1)
