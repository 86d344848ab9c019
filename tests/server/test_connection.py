"""The HTTP of the loopback server, byte by byte."""

import json
import socket
import time
from collections.abc import Iterator
from http.client import HTTPConnection

import pytest

from tests.server import LoopbackServer

SCHEMA = {
    "type": "object",
    "properties": {"names": {"type": "array", "items": {"type": "string"}}},
    "required": ["names"],
}
BODY = json.dumps(
    {
        "model": "gpt-4o-mini",
        "messages": [{"role": "user", "content": "Names?"}],
        "response_format": {"type": "json_schema", "json_schema": {"name": "N", "schema": SCHEMA}},
    }
).encode()
POST = b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\ncontent-LENGTH: %d\r\n\r\n" % len(BODY)


@pytest.fixture(scope="module")
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer(latency=0.05) as running:
        yield running


def exchange(server: LoopbackServer, *parts: bytes) -> bytes:
    """Send the parts with pauses, and return all that comes back until the server hangs up."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=300) as client:
        for part in parts:
            client.sendall(part)
            time.sleep(0.02)
        received = b""
        while data := client.recv(65536):
            received += data
    return received


def post_closing() -> bytes:
    return POST.replace(b"Host: x", b"Host: x\r\nConnection: close")


def test_a_request_in_pieces_is_put_together(server: LoopbackServer) -> None:
    whole = post_closing() + BODY
    reply = exchange(server, whole[:10], whole[10:150], whole[150:])
    assert reply.startswith(b"HTTP/1.1 200 OK\r\n")
    assert reply.count(b"chat.completion") == 1


def test_requests_sent_ahead_are_answered_in_order(server: LoopbackServer) -> None:
    server.reset()
    reply = exchange(server, POST + BODY + POST + BODY + post_closing() + BODY)
    assert reply.count(b"HTTP/1.1 200 OK") == 3
    tally = server.stats()
    assert (tally.max_in_flight, tally.connections, tally.answered) == (1, 1, 3)


def test_one_connection_serves_many_calls(server: LoopbackServer) -> None:
    server.reset()
    client = HTTPConnection("127.0.0.1", server.port, timeout=300)
    for _ in range(3):
        client.request("POST", "/v1/chat/completions", BODY)
        assert client.getresponse().read()
    client.close()
    assert server.stats().connections == 1


def test_the_same_body_gets_the_same_bytes_from_another_process(server: LoopbackServer) -> None:
    with LoopbackServer() as other, LoopbackServer(seed=1) as third:
        first, again, differently = (
            exchange(each, post_closing() + BODY) for each in (server, other, third)
        )
    assert first == again
    assert first != differently


def test_a_client_that_hangs_up_is_counted() -> None:
    with LoopbackServer(latency=300) as server:
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            client.sendall(POST + BODY)
            while not server.stats().in_flight:
                time.sleep(0.01)
        while not server.stats().finished:
            time.sleep(0.01)
        tally = server.stats()
    assert (tally.by_outcome, tally.in_flight) == ({"abandoned": 1}, 0)


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nonsense\r\n\r\n", b"400"),
        (b"POST /v1/chat/completions HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", b"411"),
        (b"GET /nowhere HTTP/1.1\r\nConnection: close\r\n\r\n", b"404"),
        (
            b"POST /v1/embeddings HTTP/1.1\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]",
            b"400",
        ),
    ],
)
def test_what_it_does_not_serve_is_refused(
    server: LoopbackServer, sent: bytes, status: bytes
) -> None:
    assert exchange(server, sent).split()[1] == status
