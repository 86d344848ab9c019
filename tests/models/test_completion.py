"""A model is asked in the strictest way it has, and an API key is shown nowhere."""

import json
import logging
import traceback
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from llamaindex_rag_eval import Run, SingleTurnSample, aevaluate
from llamaindex_rag_eval.cli.app import CHATTY
from llamaindex_rag_eval.errors import CallError, EndpointError, ReplyError
from llamaindex_rag_eval.judge import ClaimsOf, Judge, Support, SupportReply
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.models import CachedOracle, LLMOracle, Store, VotingOracle
from llamaindex_rag_eval.models.parameters import known_way
from tests.models.asking import (
    KEY,
    MODELS,
    RELEVANCE,
    REQUESTS,
    SUPPORT,
    failing,
    llm_at,
    oracle_at,
    serving,
)
from tests.server import FaultKind, LoopbackServer
from tests.server.asked import prompt_text


@pytest.mark.parametrize("way", MODELS)
def test_the_strictest_way_that_the_model_has_is_chosen(way: str, server: LoopbackServer) -> None:
    assert known_way(llm_at(server, way)) == (None if way == "text" else way)


@pytest.mark.parametrize("way", MODELS)
async def test_the_body_says_how_the_reply_is_wanted(way: str, server: LoopbackServer) -> None:
    await oracle_at(server, way).ask(SUPPORT)
    (body,) = server.requests()
    schema = body.get("response_format", {}).get("json_schema", {})
    tools = [tool["function"]["name"] for tool in body.get("tools", [])]
    shown = json.dumps(SUPPORT.prompt.schema_of_output, separators=(",", ":"))  # type: ignore[union-attr]  # has one
    assert (schema.get("name"), schema.get("strict")) == (
        ("support", True) if way == "schema" else (None, None)
    )
    assert tools == (["support"] if way == "tool" else [])
    assert (shown in prompt_text(body)) == (way == "text")


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
                quote="Ada is tall and Ben is old.",
            ),
            Support(
                claim="Ben is old.",
                verdict="supported",
                sources=(0,),
                quote="Ada is tall and Ben is old.",
            ),
            Support(
                claim="Cleo is here.",
                verdict="contradicted",
                contradicted_by=(1,),
                quote="Never: Cleo is here.",
                reason="the words",
            ),
        )
    )


@pytest.mark.parametrize("way", MODELS)
async def test_an_invalid_reply_is_asked_again_once_with_what_is_wrong(way: str) -> None:
    with failing("extra_item", mode="permanent", record=True) as server:
        with pytest.raises(ReplyError, match=r"4 verdicts for 3.*got ids \[1, 2, 3, 3\]") as caught:
            await oracle_at(server, way).ask(SUPPORT)
        first, second, third = server.requests()
    assert json.loads(caught.value.raw)["verdicts"][1]["claim"] == 2
    assert second["messages"][:2] == first["messages"]
    # A correction that fails too is given up, and the question asked afresh, with another seed.
    assert {**third, "seed": None, "temperature": None} == {
        **first,
        "seed": None,
        "temperature": None,
    }
    assert third["seed"] != first.get("seed")
    said, wrong = second["messages"][2:]
    assert (said["role"], wrong["role"]) == ("assistant", "user")
    assert len(json.loads(said["content"])["verdicts"]) == 4
    assert "4 verdicts for 3" in wrong["content"]


@pytest.mark.parametrize("kind", ["extra_item", "malformed_json"])
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
        json.dumps(
            {k: v for k, v in body.items() if k not in ("messages", "max_tokens")}, sort_keys=True
        )
        for body in bodies
    }
    assert (len(systems), len(rest)) == (1, 1)


ODD_KEY = "org-9f8e7d6c5b4a39281706"
"""A key without the prefix by which keys are known."""

SAMPLES = [SingleTurnSample(query="q", response="Ada is tall.", contexts=("Ada is tall.",))]


@pytest.mark.parametrize("key", [KEY, ODD_KEY])
@pytest.mark.parametrize("kind", [None, "unauthorized", "malformed_json", "server_error"])
async def test_a_key_is_in_no_log_file_or_table(
    kind: str | None, key: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("", *CHATTY):  # the command line makes these silent
        caplog.set_level(logging.DEBUG, name)
    mode = "transient" if kind == "server_error" else "permanent"
    server = serving() if kind is None else failing(kind, mode=mode)  # type: ignore[arg-type]  # one of them
    store = Store(tmp_path / "cache.db")
    with server:
        oracle = LLMOracle(llm_at(server, api_key=key))
        judge = Judge(CachedOracle(oracle, store))
        ended = pytest.raises(EndpointError) if kind == "unauthorized" else nullcontext()
        with ended as caught:
            await aevaluate(
                SAMPLES, metrics=[Faithfulness()], judge=judge, out=tmp_path / "run.jsonl"
            )
    run = Run.read(tmp_path / "run.jsonl")
    run.to_csv(tmp_path / "run.csv")
    store.close()
    assert [row.status == "failed" for row in run.rows] == (
        [] if kind == "unauthorized" else [kind == "malformed_json"]
    )
    assert caplog.text
    assert key not in str(caught)
    assert key not in caplog.text
    written = [path.read_bytes() for path in tmp_path.iterdir()]  # noqa: ASYNC240 - at the end
    assert len(written) >= 3
    assert not any(key.encode() in content for content in written)
    assert key not in repr(run) + repr(judge)


@pytest.mark.parametrize("key", [KEY, ODD_KEY])
async def test_a_key_is_in_no_exception(key: str) -> None:
    failed = pytest.raises(CallError, match="Incorrect API key")
    with failing("unauthorized", mode="permanent") as server, failed as caught:
        await LLMOracle(llm_at(server, api_key=key)).ask(SUPPORT)
    shown = "".join(traceback.format_exception(caught.value)) + repr(caught.value)
    assert key not in shown
    assert key[:5] not in shown or key == ODD_KEY  # the server itself shows the first five


def test_a_key_is_in_no_repr(server: LoopbackServer) -> None:
    oracle = oracle_at(server)
    for shown in (
        oracle,
        CachedOracle(oracle),
        VotingOracle(oracle),
    ):
        assert KEY not in repr(shown)
        assert KEY not in shown.fingerprint(type(SUPPORT))
