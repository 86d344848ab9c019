"""What documents and answers say reaches the model as data, and changes no shape of a request."""

import json
from typing import Any

import pytest

from llamaindex_rag_eval.judge import ClaimsOf, RelevanceOf, SupportOf
from llamaindex_rag_eval.models import EmbeddedOracle, Request
from tests.models.asking import MODELS, oracle_at
from tests.models.hostile import HOSTILE
from tests.server import LoopbackServer

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
    data = json.loads(harmless["messages"][1]["content"])
    for text, body in zip(HOSTILE, bodies, strict=True):
        system, user = body["messages"]
        assert system == harmless["messages"][0]
        assert user["role"] == "user"
        given = json.loads(user["content"])
        # The same keys, the same ids, as many entries; and the text whole, as one string.
        assert shape_of(given) == shape_of(data)
        assert text in texts_in(given)
        others = {k: v for k, v in body.items() if k != "messages"}
        assert others == {k: v for k, v in harmless.items() if k != "messages"}


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
async def test_embedded_verdicts_on_other_claims_do_not_change(text: str) -> None:
    oracle = EmbeddedOracle()
    plain = await oracle.ask(SupportOf(claims=CLAIMS, sources=SOURCES))
    for request in (requests_with(text)["source"], requests_with(text)["claim"]):
        reply = await oracle.ask(request)
        assert [(v.verdict, v.sources) for v in reply.verdicts[:2]] == [
            (v.verdict, v.sources) for v in plain.verdicts
        ]
