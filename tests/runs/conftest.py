"""Workers that start quickly, for tests of what they do: how they usually start has its own."""

import signal
import sys
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from types import SimpleNamespace
from typing import Any

import pytest
from joblib.externals.loky import backend

from tests import prepared

SERVES = f"""
import os
from multiprocessing import connection, process
from llamaindex_rag_eval.runs.processes import work
process._parent_process = process.current_process()  # says that another one has started it
work(connection.Connection(int(os.environ[{prepared.GIVEN!r}])))
"""


class _Worker:
    """A worker that is a copy of a process that has the packages imported."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe

    def start(self) -> None:
        """Start it."""
        command = [sys.executable, "-c", SERVES]
        self._process = prepared.Process(command, given=self._pipe.fileno())

    def join(self, timeout: float | None = None) -> None:
        """Wait for its end, for some seconds at the most."""
        self._process.wait(timeout)

    def terminate(self) -> None:
        """End it."""
        self._process.send_signal(signal.SIGTERM)


@pytest.fixture
def quick_workers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Start workers as copies of a process, not as programs."""
    workers: list[_Worker] = []

    def made(target: Callable[..., None], args: tuple[Connection], **_: Any) -> _Worker:
        workers.append(_Worker(*args))
        return workers[-1]

    monkeypatch.setattr(backend, "get_context", lambda _: SimpleNamespace(Process=made))
    yield
    for worker in workers:
        worker.join()
