"""The reason why no server was reached is named, whatever the client's error says."""

import errno
import socket
import ssl
import struct
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import httpx
import pytest
from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval import Faithfulness, Judge, Limit, LLMOracle, SingleTurnSample, evaluate
from llamaindex_rag_eval.errors import EndpointError
from llamaindex_rag_eval.models import wire
from llamaindex_rag_eval.models.failures import call_error, failure_of, failure_with


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
        waiting = most = 0
        while waiting <= most:  # until its queue, which nobody takes from, is full
            sockets.enter_context(socket.create_connection(server.getsockname()))
            before = waiting
            while waiting == before:  # the kernel may count a connection after it came about
                info = server.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 32)
                waiting, most = struct.unpack_from("II", info, 24)
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


def wrapped(error: Exception) -> Exception:
    """Return what a client makes of an error."""
    made = RuntimeError("Request timed out.")
    made.__cause__ = error
    return made


@pytest.mark.parametrize(
    ("error", "sentence", "action", "later"),
    [
        (ConnectionRefusedError(111, "Connect call failed"), "was refused", "wait", None),
        (OSError("Multiple exceptions: [Errno 111] Connect call failed"), "refused", "wait", None),
        (OSError(errno.ENETUNREACH, "Network is unreachable"), "no network", "wait", None),
        (socket.gaierror(-2, "Name or service not known"), "is not known", "end", "wait"),
        (ssl.SSLError(1, "unknown"), "does not speak https", "end", "wait"),
        (ssl.SSLError(1, "WRONG_VERSION_NUMBER"), "speaks plain http", "end", "wait"),
        (ssl.SSLCertVerificationError(1, "failed"), "is not trusted", "end", "wait"),
        (TimeoutError(errno.ETIMEDOUT, "timed out"), "no connection came about", "wait", None),
        (httpx.ConnectTimeout("timed out"), "no connection came about", "wait", None),
        (httpx.UnsupportedProtocol("no scheme"), "address of the API", "end", None),
        (httpx.ProxyError("407"), "the proxy", "wait", None),
        (TimeoutError(), "no answer came in time", "retry", None),
        (ConnectionResetError(), "was lost", "retry", None),
        (httpx.RemoteProtocolError("disconnected"), "was lost", "retry", None),
        (KeyError("choices"), "the call failed", "fail", None),
    ],
)
def test_every_cause_has_its_own_words_and_action(
    error: Exception, sentence: str, action: str, later: str | None
) -> None:
    failure = call_error(wrapped(error), "")
    row = failure_of(failure)
    assert sentence in str(failure)
    assert (row.action, row.later) == (action, later)
    assert failure.transient == (action in ("wait", "retry") or later == "wait")


@pytest.mark.parametrize(
    ("status", "action"),
    [
        (302, "end"),
        (400, "fail"),
        (401, "end"),
        (402, "end"),
        (404, "end"),
        (407, "end"),
        (408, "retry"),
        (422, "fail"),
        (429, "retry"),
        (500, "retry"),
        (503, "wait"),
        (529, "wait"),
    ],
)
def test_a_status_says_what_is_done(status: int, action: str) -> None:
    row = failure_with(status)
    assert row is not None
    assert row.action == action


@pytest.mark.parametrize(
    ("status", "said", "action"),
    [
        (429, "'code': 'insufficient_quota'", "end"),
        (400, "Your credit balance is too low to access the API", "end"),
        (400, "'code': 'content_filter'", "fail"),
        (500, "response_format is not supported", "fail"),
    ],
)
def test_what_the_server_says_counts_before_its_status(status: int, said: str, action: str) -> None:
    row = failure_with(status, said)
    assert row is not None
    assert row.action == action


def test_a_refusal_that_a_client_calls_a_time_out_is_a_refusal() -> None:
    error = httpx.ConnectTimeout("timed out")
    error.__cause__ = ConnectionRefusedError(errno.ECONNREFUSED, "Connect call failed")
    assert "was refused" in str(call_error(error, ""))
