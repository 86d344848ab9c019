"""The review page's server: the page, its items, and decisions on them, on this machine alone."""

from collections.abc import Callable, Mapping
from functools import partial
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from llamaindex_rag_eval._local_page import Guard, serve_locally
from llamaindex_rag_eval.errors import InputError, OutputError, RagEvalError
from testset.corpus.documents import SourceDocument
from testset.golden.item import GoldenItem, GoldSpan, QuestionType
from testset.golden.spans import cut_span, locate
from testset.review.decisions import Action, ChangedMeanwhileError, Decisions
from testset.review.view import detail_of, summary_of

STATIC = {"": "text/html", "page.js": "text/javascript", "page.css": "text/css"}


TYPES = list(get_args(QuestionType))
LONGEST_NAME = 100
"""Characters of a reviewer's name."""


class _Sent(BaseModel):
    """What the page sends."""

    model_config = ConfigDict(extra="forbid")


_Kind = TypeVar("_Kind", bound=_Sent)


class _SentQuote(_Sent):
    """A quote of a document as the page sends it."""

    doc_id: str
    quote: str


class _SentUndo(_Sent):
    """Whose last decision is to be undone."""

    reviewer: str = Field(default="", max_length=LONGEST_NAME)


class _SentDecision(_Sent):
    """A decision as the page sends it."""

    item_id: str = Field(alias="id")
    action: Action
    question: str | None = None
    reference: str | None = None
    type_: QuestionType | None = Field(default=None, alias="type")
    gold: list[list[_SentQuote]] | None = None
    reviewer: str = Field(default="", max_length=LONGEST_NAME)
    reason: str = ""
    seen: int | None = None


def review_app(decisions: Decisions, texts: Mapping[str, str], *, token: str, port: int) -> ASGIApp:
    """Return the server's application.

    Args:
        decisions: The golden set under review.
        texts: Document id -> text; documents that are not in it show the quotes alone.
        token: What every address must begin with.
        port: The port it will be reached at.
    """
    api = _Api(decisions, texts)
    routes = [
        *(Route(f"/{name}", _static(name or "page.html", kind)) for name, kind in STATIC.items()),
        Route("/api/items", api.items),
        Route("/api/items/{item_id}", api.item),
        Route("/api/decisions", api.decide, methods=["POST"]),
        Route("/api/undo", api.undo, methods=["POST"]),
    ]
    app = Starlette(routes=routes, exception_handlers={RagEvalError: _error_response})
    return Guard(app, token=token, port=port)


class _Api:
    """What the page asks the server, one method a route."""

    def __init__(self, decisions: Decisions, texts: Mapping[str, str]) -> None:
        self.decisions, self.texts = decisions, texts

    async def items(self, _: Request) -> Response:
        self.decisions.catch_up()
        return JSONResponse([self._summary(item) for item in self.decisions.items])

    async def item(self, request: Request) -> Response:
        self.decisions.catch_up()
        item = self.decisions.item(request.path_params["item_id"])
        shown = {"action", "reviewer", "reason"}
        history = [entry.model_dump(include=shown) for entry in self.decisions.history(item.id)]
        return JSONResponse({**detail_of(item, self.texts), "history": history, "types": TYPES})

    async def decide(self, request: Request) -> Response:
        sent = _parsed(_SentDecision, await request.body())
        gold = None if sent.gold is None else self._spans(sent.item_id, sent.gold)
        fields = {**dict(sent), "gold": gold, "reviewer": sent.reviewer.strip()}
        changed = self.decisions.decide(**fields)
        return JSONResponse(self._summary(changed))

    async def undo(self, request: Request) -> Response:
        sent = _parsed(_SentUndo, await request.body())
        changed = self.decisions.undo(sent.reviewer.strip())
        return JSONResponse(None if changed is None else self._summary(changed))

    def _summary(self, item: GoldenItem) -> dict[str, object]:
        return {**summary_of(item), "decisions": len(self.decisions.history(item.id))}

    def _spans(
        self, item_id: str, gold: list[list[_SentQuote]]
    ) -> tuple[tuple[GoldSpan, ...], ...]:
        spans = chain.from_iterable(self.decisions.item(item_id).gold)
        old = {(span.doc_id, span.quote): span for span in spans}
        groups = (
            tuple(old.get((sent.doc_id, sent.quote)) or self._span(sent) for sent in group)
            for group in gold
        )
        return tuple(group for group in groups if group)

    def _span(self, sent: _SentQuote) -> GoldSpan:
        """Return where a quote stands in its document.

        Raises:
            InputError: It stands nowhere.
        """
        text = self.texts.get(sent.doc_id)
        match = None if text is None else locate(sent.quote, text)
        if text is None or match is None:
            raise InputError(f"{sent.doc_id!r} does not hold {sent.quote[:80]!r}")
        return cut_span(SourceDocument(sent.doc_id, text), match.start, match.end)


def _parsed(kind: type[_Kind], body: bytes) -> _Kind:
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        raise InputError(error.errors()[0]["msg"]) from error


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
    serve_locally(partial(review_app, decisions, texts), port=port, ready=ready)


def _static(name: str, kind: str) -> Callable[[Request], Response]:
    content = files("testset.review").joinpath("static", name).read_bytes()

    def page(_: Request) -> Response:
        return Response(content, media_type=kind)

    return page


def _error_response(_: Request, error: Exception) -> Response:
    changed = isinstance(error, ChangedMeanwhileError)
    status = 409 if changed else 500 if isinstance(error, OutputError) else 400
    return JSONResponse({"error": str(error)}, status)
