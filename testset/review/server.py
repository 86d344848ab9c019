"""The review page's server: the page, its items, and decisions on them, on this machine alone."""

import secrets
import socket
from collections.abc import Callable, Mapping
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import Literal

import uvicorn
from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from llamaindex_rag_eval.errors import InputError, OutputError, RagEvalError
from testset.golden.item import GoldenItem
from testset.review.decisions import Decisions
from testset.review.evidence import evidence_of
from testset.review.guard import Guard

__all__ = ["review_app", "serve_review"]

HOST = "127.0.0.1"
STATIC = {"": "text/html", "page.js": "text/javascript", "page.css": "text/css"}


class _Said(BaseModel):
    """A decision as the page sends it."""

    model_config = ConfigDict(extra="forbid")

    id: str
    action: Literal["accept", "edit", "reject"]
    question: str | None = None
    reference: str | None = None


def review_app(decisions: Decisions, texts: Mapping[str, str], *, token: str, port: int) -> ASGIApp:
    """Return the server's application.

    Args:
        decisions: The golden set under review.
        texts: Document id -> text; documents that are not in it show the quotes alone.
        token: What every address must begin with.
        port: The port it will be reached at.
    """

    async def items(_: Request) -> Response:
        return JSONResponse([_row(item) for item in decisions.items])

    async def item(request: Request) -> Response:
        return JSONResponse(_whole(decisions.item(request.path_params["item_id"]), texts))

    async def decide(request: Request) -> Response:
        try:
            said = _Said.model_validate_json(await request.body())
        except ValidationError as error:
            raise InputError(error.errors()[0]["msg"]) from error
        changed = decisions.decide(
            said.id, said.action, question=said.question, reference=said.reference
        )
        return JSONResponse(_row(changed))

    async def undo(_: Request) -> Response:
        changed = decisions.undo()
        return JSONResponse(None if changed is None else _row(changed))

    routes = [
        *(Route(f"/{name}", _static(name or "page.html", kind)) for name, kind in STATIC.items()),
        Route("/api/items", items),
        Route("/api/items/{item_id}", item),
        Route("/api/decisions", decide, methods=["POST"]),
        Route("/api/undo", undo, methods=["POST"]),
    ]
    app = Starlette(routes=routes, exception_handlers={RagEvalError: _complaint})
    return Guard(app, token=token, port=port)


def serve_review(
    golden: Path,
    texts: Mapping[str, str],
    *,
    port: int = 0,
    ready: Callable[[str], None],
) -> None:
    """Serve the review page until interrupted.

    Args:
        golden: The golden set's file.
        texts: Document id -> text.
        port: Where to listen; 0 takes any free port.
        ready: Called with the page's address when it can be opened.

    Raises:
        DatasetError: The golden set or its decisions cannot be read.
        OutputError: The port is taken, or the golden set cannot be written.
    """
    decisions = Decisions(golden)
    decisions.fold()
    with socket.socket() as listening:
        try:
            listening.bind((HOST, port))
            listening.listen()
        except OSError as error:
            raise OutputError(f"cannot listen on port {port}: {error.strerror}") from error
        token, port = secrets.token_urlsafe(24), listening.getsockname()[1]
        app = review_app(decisions, texts, token=token, port=port)
        config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False)
        ready(f"http://{HOST}:{port}/{token}/")
        uvicorn.Server(config).run(sockets=[listening])


def _row(item: GoldenItem) -> dict[str, object]:
    """Return what the list shows of an item."""
    return {
        "id": item.id,
        "question": item.question,
        "type": item.type,
        "topic": item.topic,
        "status": item.status,
        "difficulty": item.difficulty,
        "documents": item.doc_ids,
        "doubts": [
            name for name, check in item.checks.items() if check.verdict in {"tagged", "rejected"}
        ],
    }


def _whole(item: GoldenItem, texts: Mapping[str, str]) -> dict[str, object]:
    """Return all of an item, and its evidence in its documents."""
    shown = [asdict(entry) for entry in evidence_of(item, texts)]
    return {**item.model_dump(mode="json"), "evidence": shown}


def _static(name: str, kind: str) -> Callable[[Request], Response]:
    content = files("testset.review").joinpath("static", name).read_bytes()

    def page(_: Request) -> Response:
        return Response(content, media_type=kind)

    return page


def _complaint(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 500 if isinstance(error, OutputError) else 400)
