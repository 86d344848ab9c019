"""Workers that start quickly, for tests of what they do: how they usually start has its own."""

from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from typing import Any

import pytest
from joblib.externals.loky import backend

_FORKING = get_context("forkserver")
_FORKING.set_forkserver_preload(["llamaindex_rag_eval.runs.processes", "openai.resources"])


class _Starter:
    """Starts a process as a copy of one that has the package imported."""

    def Process(
        self, target: Callable[..., None], args: Any, env: Any, daemon: bool
    ) -> BaseProcess:
        return _FORKING.Process(target=target, args=args, daemon=daemon)


@pytest.fixture
def quick_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start workers as copies of a process, not as programs."""
    monkeypatch.setattr(backend, "get_context", lambda _: _Starter())
