"""Servers: one shared by the tests of a module and clean for each; one that keeps headers, too."""

from collections.abc import AsyncIterator, Iterator

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from tests.models.asking import serving
from tests.models.recording import Endpoint
from tests.server import LoopbackServer


@pytest.fixture(scope="module")
def shared_server() -> Iterator[LoopbackServer]:
    with serving(record=True) as server:
        yield server


@pytest.fixture
def server(shared_server: LoopbackServer) -> LoopbackServer:
    shared_server.reset()
    return shared_server


@pytest.fixture
async def endpoint() -> AsyncIterator[Endpoint]:
    made = Endpoint()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", made.answer)
    async with TestServer(app) as server:
        made.url = str(server.make_url("/v1"))
        yield made
