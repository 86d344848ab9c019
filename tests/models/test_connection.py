"""The reason why no server was reached is named, whatever the client's error says."""

import errno
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import httpx
import pytest
from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval import Faithfulness, Judge, Limit, LLMOracle, SingleTurnSample, evaluate
from llamaindex_rag_eval.errors import EndpointError, FailureScope
from llamaindex_rag_eval.models import wire
from llamaindex_rag_eval.models.connection import connection_fault, scope_of


def closed_port() -> int:
    """Return a port at which nothing listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    return port


def reason_over(url: str, patience: float = 0) -> str:
    """Return why nothing can be judged over an address."""
    llm = OpenAI(model="gpt-4o-mini", api_base=url, api_key="sk-test-0000000000", timeout=10)
    judge = Judge(LLMOracle(llm, limit=Limit(retries=0, patience=patience)))
    sample = SingleTurnSample(query="Colour?", response="It is blue.", contexts=("Blue.",))
    with pytest.raises(EndpointError) as caught:
        evaluate([sample], metrics=[Faithfulness()], judge=judge)
    return str(caught.value)


def test_a_refused_connection_is_not_called_a_time_out() -> None:
    port = closed_port()
    reason = reason_over(f"http://127.0.0.1:{port}/v1")
    assert f"the connection to 127.0.0.1:{port} was refused" in reason
    assert "timed out" not in reason


@contextmanager
def silent_port() -> Iterator[int]:
    """Yield a port that answers no attempt at a connection, as behind a firewall that drops it."""
    with ExitStack() as sockets:
        server = sockets.enter_context(socket.socket())
        server.bind(("127.0.0.1", 0))
        server.listen(0)
        for _ in range(4):  # so many that its queue, which nobody takes from, is full
            client = sockets.enter_context(socket.socket())
            client.setblocking(False)
            client.connect_ex(server.getsockname())
        yield server.getsockname()[1]


@pytest.mark.parametrize("patience", [0, 1])
def test_an_address_that_drops_packets_is_named_and_under_the_patience(
    patience: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "CONNECT_SECONDS", 0.3)
    with silent_port() as port:
        reason = reason_over(f"http://127.0.0.1:{port}/v1", patience)
    assert f"no connection came about to 127.0.0.1:{port}" in reason
    assert "has not answered once for" in reason


def test_an_unknown_host_is_named() -> None:
    reason = reason_over("http://no-such-host.invalid/v1")
    assert "the host 'no-such-host.invalid' is not known" in reason


def test_a_certificate_that_is_not_trusted_is_named() -> None:
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_message = "self-signed certificate"
    wrapped = RuntimeError("no connection")
    wrapped.__cause__ = error
    assert "is not trusted: self-signed certificate" in connection_fault(wrapped)


@pytest.mark.parametrize(
    ("error", "fault", "scope"),
    [
        (ConnectionRefusedError(111, "Connect call failed"), "was refused", "unreached"),
        (OSError("Multiple exceptions: [Errno 111] Connect call failed"), "refused", "unreached"),
        (OSError(errno.ENETUNREACH, "Network is unreachable"), "no network", "unreached"),
        (socket.gaierror(-2, "Name or service not known"), "is not known", "refused"),
        (ssl.SSLError(1, "wrong version number"), "does not speak https", "refused"),
        (TimeoutError(errno.ETIMEDOUT, "timed out"), "no connection came about", "unreached"),
        (httpx.ConnectTimeout("timed out"), "no connection came about", "unreached"),
        (TimeoutError(), "", "late"),
        (ConnectionResetError(), "", "call"),
    ],
)
def test_every_cause_has_its_own_words_and_scope(
    error: Exception, fault: str, scope: FailureScope
) -> None:
    wrapped = RuntimeError("Request timed out.")
    wrapped.__cause__ = error
    assert fault in connection_fault(wrapped)
    assert bool(fault) == bool(connection_fault(wrapped))
    assert scope_of(wrapped, None) == scope


@pytest.mark.parametrize(
    ("status", "scope"),
    [
        (400, "call"),
        (401, "refused"),
        (404, "refused"),
        (429, "call"),
        (500, "call"),
        (503, "away"),
    ],
)
def test_a_status_says_whether_others_would_fare_better(status: int, scope: FailureScope) -> None:
    assert scope_of(RuntimeError(), status) == scope


def test_an_account_without_money_is_no_rate_limit() -> None:
    assert scope_of(RuntimeError("'code': 'insufficient_quota'"), 429) == "refused"


def test_a_refusal_that_a_client_calls_a_time_out_is_a_refusal() -> None:
    wrapped = httpx.ConnectTimeout("timed out")
    wrapped.__cause__ = ConnectionRefusedError(errno.ECONNREFUSED, "Connect call failed")
    assert "was refused" in connection_fault(wrapped)
