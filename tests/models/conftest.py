"""A server without faults, shared by the tests of a module and clean for each."""

from collections.abc import Iterator

import pytest

from tests.models.asking import serving
from tests.server import LoopbackServer


@pytest.fixture(scope="module")
def shared_server() -> Iterator[LoopbackServer]:
    with serving(record=True) as server:
        yield server


@pytest.fixture
def server(shared_server: LoopbackServer) -> LoopbackServer:
    shared_server.reset()
    return shared_server
