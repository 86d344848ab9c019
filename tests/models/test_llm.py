"""Faults of models and connections, inputs longer than the window, and hostile texts as data."""

import asyncio
import json
import re
from typing import Any

import pytest

from llamaindex_rag_eval.errors import CallError, EndpointError, ReplyError
from llamaindex_rag_eval.judge import (
    ClaimsOf,
    CritiqueOf,
    EntitiesOf,
    Judge,
    RelevanceOf,
    SupportOf,
)
from llamaindex_rag_eval.judge.grade import ContextRelevanceOf
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.models import EmbeddedOracle, Limit, LLMOracle, Request
from llamaindex_rag_eval.models.prompt import FRAME, INPUT
from llamaindex_rag_eval.models.request import input_of
from tests.models.asking import MODELS, RELEVANCE, SUPPORT, failing, llm_at, oracle_at, serving
from tests.models.hostile import HOSTILE
from tests.models.responders import given_in
from tests.server import Fault, FaultKind, LoopbackServer

HARMLESS: tuple[FaultKind, ...] = ("prose_around", "code_fence", "trailing_comma")
BROKEN: tuple[FaultKind, ...] = (
    "malformed_json",
    "missing_item",
    "extra_item",
    "out_of_range",
    "empty_reply",
    "refusal",
    "refusal_text",
)
TRANSIENT: tuple[FaultKind, ...] = (
    "rate_limited",
    "server_error",
    "unavailable",
    "dropped",
    "dropped_mid_body",
    "wrong_content_type",
)
SAMPLE: dict[str, Any] = {
    "query": "Who?",
    "response": "Ada is tall. Ben is old.",
    "contexts": ["Ada is tall.", "It rains."],
}


@pytest.mark.parametrize("way", MODELS)
@pytest.mark.parametrize("kind", HARMLESS)
async def test_a_blemish_around_the_json_costs_no_further_call(
    kind: FaultKind, way: str, server: LoopbackServer
) -> None:
    expected = await oracle_at(server, way).ask(SUPPORT)
    with failing(kind, mode="permanent") as faulty:
        assert await oracle_at(faulty, way).ask(SUPPORT) == expected
        assert faulty.stats().calls == 1


@pytest.mark.parametrize("way", MODELS)
@pytest.mark.parametrize("kind", BROKEN)
async def test_what_is_broken_once_is_asked_again_and_answered_as_if_it_never_was(
    kind: FaultKind, way: str, server: LoopbackServer
) -> None:
    expected = await oracle_at(server, way).ask(SUPPORT)
    with failing(kind) as faulty:
        assert await oracle_at(faulty, way).ask(SUPPORT) == expected
        # The question and its correction are two bodies, each spoilt once; then the question again.
        assert faulty.stats().by_outcome == {kind: 2, "answered": 1}


@pytest.mark.parametrize("kind", BROKEN)
async def test_most_of_what_is_broken_is_mended_by_the_correction(kind: FaultKind) -> None:
    requests = [SUPPORT.model_copy(update={"claims": (f"Ada {n}.", "Ben.")}) for n in range(30)]
    with serving(Fault(kind=kind, rate=1 / 3, mode="permanent"), fault_seed=1) as faulty:
        oracle = oracle_at(faulty)
        replies = await asyncio.gather(*map(oracle.ask, requests), return_exceptions=True)
        outcome = faulty.stats().by_outcome
    lost = sum(isinstance(reply, ReplyError) for reply in replies)
    # A lost one is spoilt three times; the others that were spoilt, once.
    assert outcome[kind] > 3 * lost
    assert outcome["answered"] == len(requests) - lost


@pytest.mark.parametrize("kind", BROKEN)
async def test_what_is_always_broken_is_a_failed_judgement_with_reason_and_raw_text(
    kind: FaultKind,
) -> None:
    with failing(kind, mode="permanent", on=("support",)) as faulty:
        oracle = oracle_at(faulty)
        with pytest.raises(ReplyError) as caught:
            await oracle.ask(SUPPORT)
        assert faulty.stats().calls == 3
        result = await Faithfulness(Judge(oracle)).aevaluate(**SAMPLE)
    assert bool(caught.value.raw) == (kind != "empty_reply")
    assert str(caught.value)
    assert (result.status, result.score, result.error_type) == ("failed", None, "ReplyError")
    assert "Error" not in result.reason


@pytest.mark.parametrize("kind", TRANSIENT)
async def test_what_the_wire_does_once_is_tried_again(
    kind: FaultKind, server: LoopbackServer
) -> None:
    expected = await oracle_at(server).ask(SUPPORT)
    with failing(kind, retry_after=0.01) as faulty:
        assert await oracle_at(faulty).ask(SUPPORT) == expected
        assert faulty.stats().by_outcome == {kind: 1, "answered": 1}


@pytest.mark.parametrize(("kind", "status"), [("bad_request", 400), ("unauthorized", 401)])
async def test_what_cannot_succeed_is_called_exactly_once(kind: FaultKind, status: int) -> None:
    with failing(kind, mode="permanent") as faulty:
        with pytest.raises(CallError) as caught:
            await oracle_at(faulty).ask(SUPPORT)
        assert faulty.stats().calls == 1
    assert (caught.value.status, caught.value.transient) == (status, False)


async def test_a_page_that_is_not_there_is_called_exactly_once(server: LoopbackServer) -> None:
    oracle = oracle_at(server)
    oracle.llm.api_base = server.url.replace("/v1", "/v2")  # type: ignore[attr-defined]  # an OpenAI
    with pytest.raises(CallError) as caught:
        await oracle.ask(SUPPORT)
    assert (caught.value.status, caught.value.transient) == (404, False)


async def test_a_stalled_body_is_given_up_after_the_timeout_and_asked_again() -> None:
    with failing("stalled", stall=30) as faulty:
        oracle = oracle_at(faulty, limit=Limit(4, timeout=1.0, retries=8))
        assert len((await oracle.ask(SUPPORT)).verdicts) == 3
        assert faulty.stats().by_outcome["stalled"] == 1


async def test_what_always_stalls_is_an_error_that_names_the_timeout() -> None:
    with failing("stalled", stall=30, mode="permanent") as faulty:
        oracle = oracle_at(faulty, limit=Limit(4, timeout=0.5, retries=1))
        with pytest.raises(CallError, match=r"no answer within 0.5 s"):
            await oracle.ask(SUPPORT)
        assert faulty.stats().calls == 2


async def test_no_server_at_all_is_an_error_after_the_retries(server: LoopbackServer) -> None:
    oracle = oracle_at(server, limit=Limit(1, retries=1, patience=0.2))
    oracle.llm.api_base = "http://127.0.0.1:9/v1"  # type: ignore[attr-defined]  # an OpenAI
    with pytest.raises(CallError, match=r"connection to 127\.0\.0\.1:9 was refused") as caught:
        await oracle.ask(SUPPORT)
    assert isinstance(caught.value, EndpointError)


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
    "one text": EntitiesOf(reference="Ada met Cleo.", contexts=(f"Ada. {FILLER} Cleo left.",)),
    "texts": EntitiesOf(reference="Ada in Oslo.", contexts=("Ada met Ben.", FILLER, "Oslo.")),
}


@pytest.mark.parametrize("name", LONG)
async def test_parts_come_to_what_the_whole_does(name: str, server: LoopbackServer) -> None:
    whole = await LLMOracle(llm_at(server, "text", context_window=99_000), way="text").ask(
        LONG[name]
    )
    assert server.stats().calls == 1
    narrow = LLMOracle(llm_at(server, "text", context_window=3000), way="text")
    assert await narrow.ask(LONG[name]) == whole
    assert server.stats().calls > 2


async def test_no_part_is_longer_than_the_window(server: LoopbackServer) -> None:
    await LLMOracle(llm_at(server, "text", context_window=3000), way="text").ask(LONG["one source"])
    sizes = [len(str(given_in(body)).encode()) for body in server.requests()]
    assert max(sizes) < 3000 * 3


async def test_chinese_is_counted_a_token_a_character(server: LoopbackServer) -> None:
    # 3,000 characters are some 3,000 tokens: three quarters of 3,000 are for the input.
    text = "北京很大。" * 600
    await LLMOracle(llm_at(server, "text", context_window=3000), way="text").ask(
        ClaimsOf(text=text)
    )
    assert server.stats().calls > 1


async def test_what_cannot_be_divided_is_an_error_and_nothing_is_cut(
    server: LoopbackServer,
) -> None:
    request = CritiqueOf(aspect="brief", definition="Is it brief?", response=FILLER)
    with pytest.raises(ReplyError, match="longer than the window of 'a-local-model'"):
        await LLMOracle(llm_at(server, "text", context_window=1000), way="text").ask(request)
    assert server.stats().calls == 0


@pytest.mark.parametrize("request_", [SUPPORT, RELEVANCE], ids=["support", "relevance"])
async def test_isolated_contexts_are_asked_one_a_call(
    request_: Request[Any], server: LoopbackServer
) -> None:
    whole = await oracle_at(server).ask(request_)
    server.reset()
    assert await oracle_at(server, isolated=True).ask(request_) == whole
    shown = [given_in(body) for body in server.requests()]
    assert [len(each["contexts"]) for each in shown] == [1, 1, 1]


async def test_judgements_on_the_same_contexts_begin_alike_up_to_the_instruction(
    server: LoopbackServer,
) -> None:
    contexts = ("Ada met Ben. #3 Ben is old.", "", "Oslo is cold.")
    requests: tuple[Request[Any], ...] = (
        SupportOf(claims=("Ada met Ben.",), sources=contexts),
        SupportOf(claims=("Oslo is cold.",), sources=contexts, question="Where?"),
        RelevanceOf(question="Where?", contexts=contexts, answer="Oslo"),
        EntitiesOf(reference="Ada met Ben in Oslo.", contexts=contexts),
        CritiqueOf(aspect="brief", definition="Is it brief?", response="Yes.", contexts=contexts),
    )
    for request in requests:
        await oracle_at(server).ask(request)
    bodies = server.requests()
    assert {body["messages"][0]["content"] for body in bodies} == {FRAME}
    shown = {body["messages"][1]["content"].partition("\n\n")[0] for body in bodies}
    first = "#1 Ada met Ben. #2 # 3 Ben is old."
    assert [json.loads(text) for text in shown] == [
        {"contexts": {"1": first, "2": "", "3": "#3 Oslo is cold."}}
    ]
    for body in bodies:
        _, instruction, *_, given = body["messages"][1]["content"].split("\n\n")
        assert instruction.startswith(("For each", "List the entities", "Does `definition`"))
        assert "contexts" not in json.loads(given.removeprefix(INPUT))


@pytest.mark.parametrize(
    "request_",
    [
        SupportOf(claims=("Ada is tall.",), sources=("Ada is tall.",), answers=True),
        ContextRelevanceOf(query="Where?", contexts=("Oslo.",)),
        CritiqueOf(aspect="brief", definition="Is it brief?", response="Yes."),
    ],
    ids=["a response", "one context", "no context"],
)
async def test_what_no_other_judgement_shows_follows_the_instruction(
    request_: Request[Any], server: LoopbackServer
) -> None:
    await oracle_at(server).ask(request_)
    system, user = (message["content"] for message in server.requests()[0]["messages"])
    prompt = request_.prompt
    assert prompt is not None
    assert system == prompt.system
    assert json.loads(user) == json.loads(input_of(request_))


async def test_isolated_and_joint_judgements_are_cached_apart(server: LoopbackServer) -> None:
    joint, apart = oracle_at(server), oracle_at(server, isolated=True)
    assert joint.fingerprint(SupportOf) != apart.fingerprint(SupportOf)


CLAIMS = ("The Orla ferry carries 120 passengers.", "The Orla ferry was built in Norway.")
SOURCES = ("The Orla ferry carries 120 passengers and 14 cars.", "It rained all day in Bergen.")


def requests_with(text: str) -> dict[str, Request[Any]]:
    return {
        "source": SupportOf(claims=CLAIMS, sources=(*SOURCES, text)),
        "claim": SupportOf(claims=(*CLAIMS, text), sources=SOURCES),
        "context": RelevanceOf(question="Where?", contexts=(*SOURCES, text), answer="Oslo"),
        "answer": ClaimsOf(text=text, question="Where?"),
    }


def shape_of(value: object) -> object:
    """Return a value with every text that is data replaced by its type."""
    if isinstance(value, dict):
        return {key: shape_of(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [shape_of(entry) for entry in value]
    return "text" if isinstance(value, str) else value


def texts_in(value: object) -> list[str]:
    if isinstance(value, dict):
        return [text for entry in value.values() for text in texts_in(entry)]
    if isinstance(value, list):
        return [text for entry in value for text in texts_in(entry)]
    return [value] if isinstance(value, str) else []


def divided(message: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the data of a user's message, and the lines of words between contexts and input."""
    first, *words = message["content"].split("\n")
    last = words.pop() if words else "{}"
    return {**json.loads(first), **json.loads(last.removeprefix(INPUT))}, words


def test_there_are_at_least_thirty() -> None:
    assert len(set(HOSTILE)) >= 30


@pytest.mark.parametrize("way", MODELS)
@pytest.mark.parametrize("place", requests_with(""))
async def test_hostile_texts_change_no_shape(place: str, way: str, server: LoopbackServer) -> None:
    oracle = oracle_at(server, way)
    await oracle.ask(requests_with("A harmless text.")[place])
    for text in HOSTILE:
        await oracle.ask(requests_with(text)[place])
    harmless, *bodies = server.requests()
    assert len(bodies) == len(HOSTILE)
    data, words = divided(harmless["messages"][1])
    for text, body in zip(HOSTILE, bodies, strict=True):
        system, user = body["messages"]
        assert system == harmless["messages"][0]
        assert user["role"] == "user"
        given, between = divided(user)
        assert between == words
        # The same keys, the same ids, as many entries; and the text whole, as one string.
        assert shape_of(given) == shape_of(data)
        if place in ("source", "context"):  # its sentences are numbered
            last = re.sub(r"(?:^| )#\d+\b", "", given["contexts"]["3"])
            assert last.split() == re.sub(r"#(?=\d)", "# ", text).split()
        else:
            assert text in texts_in(given)
        sized = ("messages", "max_tokens")  # the limit follows from the length of the text
        others = {k: v for k, v in body.items() if k not in sized}
        assert others == {k: v for k, v in harmless.items() if k not in sized}


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
async def test_embedded_verdicts_on_other_claims_do_not_change(text: str) -> None:
    oracle = EmbeddedOracle()
    plain = await oracle.ask(SupportOf(claims=CLAIMS, sources=SOURCES))
    for request in (requests_with(text)["source"], requests_with(text)["claim"]):
        reply = await oracle.ask(request)
        assert [(v.verdict, v.sources) for v in reply.verdicts[:2]] == [
            (v.verdict, v.sources) for v in plain.verdicts
        ]
