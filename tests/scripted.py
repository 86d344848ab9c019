"""What a scripted oracle was asked, by the type of the requests."""

from typing import Any, TypeVar

from llamaindex_rag_eval.models import Oracle, Request, ScriptedOracle

RequestT = TypeVar("RequestT", bound=Request[Any])


def asked_of(oracle: Oracle, kind: type[RequestT]) -> list[RequestT]:
    """Return what the oracle was asked, which must be requests of this type alone."""
    assert isinstance(oracle, ScriptedOracle)
    asked: list[Any] = list(oracle.asked)
    assert {type(request) for request in asked} <= {kind}
    return asked
