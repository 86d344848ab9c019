"""The label page: one answer after another, by keyboard, on this machine alone."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from llamaindex_rag_eval._local_page import Guard, serve_locally
from llamaindex_rag_eval.errors import InputError, OutputError, RagEvalError
from llamaindex_rag_eval.report.html import script_hash
from llamaindex_rag_eval.report.templates import render, source
from llamaindex_rag_eval.report.view import metric_question
from llamaindex_rag_eval.ui.labelling import SOMEBODY, VERDICTS, Labelling

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    f"script-src 'sha256-{script_hash('ui/label.js')}'"
)
"""Only our own script runs, whatever an answer contains."""

LONGEST = 2000
"""Characters of a reason; names have a twentieth."""


class _Who(BaseModel):
    """What the page sends: who labels."""

    model_config = ConfigDict(extra="forbid")
    by: str = Field(default="", max_length=LONGEST // 20)

    @property
    def person(self) -> str:
        """The name; that of nobody known, if none is given."""
        return self.by.strip() or SOMEBODY


class _Label(_Who):
    """What the page sends: a label."""

    sample_id: str = Field(alias="id")
    verdict: str
    why: str = Field(default="", max_length=LONGEST)
    claims: list[bool | None] = []


_Sent = TypeVar("_Sent", bound=_Who)


def label_routes(labelling_of: Callable[[Request], Labelling], *, page: str = "/") -> list[Route]:
    """Return the routes of the page and of what it asks.

    Args:
        labelling_of: Returns what a request is about.
        page: The path of the page.
    """

    async def show(request: Request) -> Response:
        labelling = labelling_of(request)
        shown = render(
            "ui/label.html.j2",
            run=labelling.run.name,
            spec=labelling.info.spec,
            question=metric_question(labelling.info.spec),
            verdicts=list(VERDICTS),
            own_style=Markup(source("ui/label.css")),  # noqa: S704 - our own file
            script=Markup(source("ui/label.js")),  # noqa: S704 - our own file
        )
        return HTMLResponse(shown)

    async def following(request: Request) -> Response:
        labelling, by = labelling_of(request), (await _sent(_Who, request)).person
        return JSONResponse({"answer": labelling.next(by), "progress": labelling.progress()})

    async def label(request: Request) -> Response:
        sent = await _sent(_Label, request)
        judged = labelling_of(request).label(
            sent.sample_id,
            sent.verdict,
            by=sent.person,
            why=sent.why.strip(),
            claims=sent.claims,
        )
        return JSONResponse(judged)

    async def undo(request: Request) -> Response:
        labelling, by = labelling_of(request), (await _sent(_Who, request)).person
        return JSONResponse({"answer": labelling.undo(by), "progress": labelling.progress()})

    posts = {"next": following, "label": label, "undo": undo}
    routes = [Route(f"/api/{name}", post, methods=["POST"]) for name, post in posts.items()]
    return [Route(page, show), *routes]


def label_error(_: Request, error: Exception) -> Response:
    """Return an error of ours as the page reads it."""
    return JSONResponse({"error": str(error)}, 500 if isinstance(error, OutputError) else 400)


def label_app(labelling: Labelling, *, token: str, port: int) -> ASGIApp:
    """Return the server's application.

    Args:
        labelling: What is labelled.
        token: What every address must begin with.
        port: The port it will be reached at.
    """
    routes = label_routes(lambda _: labelling)
    app = Starlette(routes=routes, exception_handlers={RagEvalError: label_error})
    return Guard(app, token=token, port=port, policy=POLICY)


def serve_label(labelling: Labelling, *, port: int = 0, ready: Callable[[str], None]) -> None:
    """Serve the label page until interrupted.

    Args:
        labelling: What is labelled.
        port: Where to listen; 0 takes any free port.
        ready: Called with the page's address when it can be opened.

    Raises:
        OutputError: The port is taken.
    """
    serve_locally(partial(label_app, labelling), port=port, ready=ready)


async def _sent(kind: type[_Sent], request: Request) -> _Sent:
    try:
        return kind.model_validate_json(await request.body())
    except ValidationError as error:
        raise InputError(error.errors()[0]["msg"]) from error
