"""The server: which request goes where, and when its reply is sent."""

import asyncio
import json
import re
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from weakref import WeakSet

from tests.server.answering import CHAT, EMBEDDINGS, Answering, Call, ServerOptions
from tests.server.batches import Batches
from tests.server.connection import Connection, HttpRequest
from tests.server.delivery import Delivery
from tests.server.faults import Faults
from tests.server.message_batches import MessageBatches
from tests.server.messages import MESSAGES
from tests.server.stats import Stats
from tests.server.wire import error_response, http_response


class Server:
    """Answers requests: a model call after the latency, anything else at once."""

    def __init__(self, options: ServerOptions) -> None:
        self._options = options
        self._connections = WeakSet[Connection]()
        self._reset()

    def connect(self) -> Connection:
        """Return the protocol of a new connection."""
        connection = Connection(self._handle)
        self._connections.add(connection)
        return connection

    def hang_up(self) -> None:
        """Close all connections, whatever waits for a reply."""
        for connection in list(self._connections):
            connection.abort()

    def _reset(self) -> None:
        self._stats = Stats()
        self._answering = Answering(self._options)
        self._batches = Batches(self._options.batches, self._answer_at_once)
        self._message_batches = MessageBatches(self._options.batches, self._answer_at_once)

    def _handle(self, request: HttpRequest, connection: Connection) -> None:
        request = _without_azure(request)
        if request.method == "POST" and request.path in (CHAT, EMBEDDINGS, MESSAGES):
            self._model_call(request, connection)
        elif self._message_batches.handles(request):
            connection.finish(self._message_batches.respond(request))
        elif self._batches.handles(request):
            connection.finish(self._batches.respond(request))
        else:
            connection.finish(self._control(request))

    def _answer_at_once(self, request: HttpRequest) -> bytes:
        """Return the reply to one request of a batch, counted like any other."""
        digest = _digest(request)
        attempt = self._stats.start(digest, endpoint=request.path.removeprefix("/v1/"))
        delivery = self._answering.answer(Call(self._stats, digest, attempt, request))
        self._stats.finish(digest, delivery.outcome)
        return delivery.wire

    def _control(self, request: HttpRequest) -> bytes:
        match (request.method, request.path):
            case ("GET", "/stats"):
                return http_response(200, json.dumps(self._stats.report()).encode())
            case ("GET", "/requests"):
                return http_response(200, json.dumps(self._answering.recorded).encode())
            case ("POST", "/reset"):
                self._reset()
                return http_response(200, b"{}")
            case ("POST", "/faults"):
                self._answering.faults = Faults.from_json(request.body.decode())
                return http_response(200, b"{}")
        return error_response(404, f"Unknown request: {request.method} {request.path}")

    def _model_call(self, request: HttpRequest, connection: Connection) -> None:
        loop = asyncio.get_running_loop()
        due = loop.time() + self._options.latency
        digest = _digest(request)
        if connection.served == 0:
            self._stats.connections += 1
        connection.served += 1
        attempt = self._stats.start(digest, endpoint=request.path.removeprefix("/v1/"))
        call = Call(self._stats, digest, attempt, request)
        delivery = self._answering.answer(call)
        timer = loop.call_at(due, _deliver, connection, call, delivery)
        connection.when_lost = partial(_abandon, call, timer, "abandoned")


def _without_azure(request: HttpRequest) -> HttpRequest:
    """Return a request of Azure's at the path that it has at OpenAI."""
    found = re.match(r"/openai/(?:deployments/[^/]+/)?([^?]*)", request.path)
    return request if found is None else replace(request, path=f"/v1/{found[1]}")


def _digest(request: HttpRequest) -> bytes:
    return blake2b(request.body, digest_size=16, key=request.path.encode()).digest()


def _deliver(connection: Connection, call: Call, delivery: Delivery) -> None:
    if delivery.ending == "whole":
        _finish(connection, call, delivery.outcome, delivery.wire)
        return
    if delivery.cut:
        connection.send(delivery.wire[: delivery.cut])
    if delivery.ending == "drop":
        connection.drop()
        call.stats.finish(call.digest, delivery.outcome)
        return
    rest = delivery.wire[delivery.cut :]
    loop = asyncio.get_running_loop()
    timer = loop.call_later(delivery.stall, _finish, connection, call, delivery.outcome, rest)
    connection.when_lost = partial(_abandon, call, timer, delivery.outcome)


def _finish(connection: Connection, call: Call, outcome: str, wire: bytes) -> None:
    call.stats.finish(call.digest, outcome)
    connection.finish(wire)


def _abandon(call: Call, timer: asyncio.TimerHandle, outcome: str) -> None:
    """Count a call whose client hung up before the reply was complete."""
    timer.cancel()
    call.stats.finish(call.digest, outcome)
