"""Responders as a test or a benchmark declares them: a mapping from names to functions."""

from collections.abc import Mapping

from tests.server.responder import JsonObject, Responder


def _verdicts(asked: JsonObject, body: JsonObject) -> JsonObject:
    """Support every claim by the first source."""
    del body
    return {
        "verdicts": [
            {"claim": claim, "supported": True, "sources": [0]} for claim in asked["claims"]
        ]
    }


def _echo(asked: JsonObject, body: JsonObject) -> str:
    """Answer in words."""
    return f"{body['model']} was asked for {sorted(asked)}."


def _failing(asked: JsonObject, body: JsonObject) -> JsonObject:
    """Fail, as a responder with a mistake in it does."""
    del body
    return {"missing": asked["missing"]}


RESPONDERS: Mapping[str, Responder] = {"Verdicts": _verdicts, "ECHO": _echo, "Failing": _failing}
