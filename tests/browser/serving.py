"""A page of ours, served on a thread while a test looks at it."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from llamaindex_rag_eval.ui.history import History
from llamaindex_rag_eval.ui.server import ui_app


@contextmanager
def served(app_at: Callable[[str, int], ASGIApp]) -> Iterator[str]:
    """Serve an application, made from a token and a port, on any free port; yields its address."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        port = listening.getsockname()[1]
        server = uvicorn.Server(uvicorn.Config(app_at("key", port), log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{port}/key/"
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def served_ui(history: History, place: str = "demo-output") -> Iterator[str]:
    """Serve the pages of `rag-eval ui`; yields their address."""
    with served(lambda token, port: ui_app(history, place, token=token, port=port)) as address:
        yield address
