"""The server of `rag-eval ui`: pages about stored runs, on this machine alone.

Nothing of the runs is changed; labels of answers are added to a file of their own.

Charts are SVG that is drawn here, as in the report, rather than by a library in the browser: each
dot is a link with words, which the keyboard reaches, and a page of 200 runs is there at once.
"""

from collections.abc import Callable
from functools import lru_cache, partial, wraps
from pathlib import Path

from markupsafe import Markup
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from llamaindex_rag_eval._local_page import Guard, serve_locally
from llamaindex_rag_eval.decisions.compare import compare
from llamaindex_rag_eval.decisions.comparison import unique_names
from llamaindex_rag_eval.decisions.policy import DEFAULT_POLICY, Policy
from llamaindex_rag_eval.errors import InputError, RagEvalError
from llamaindex_rag_eval.report.html import html_report, script_hash
from llamaindex_rag_eval.report.lost import beside_runs
from llamaindex_rag_eval.report.templates import render, source
from llamaindex_rag_eval.runs.store.tables import StoredRun
from llamaindex_rag_eval.ui import overview
from llamaindex_rag_eval.ui.history import History, before
from llamaindex_rag_eval.ui.label_server import label_error, label_routes
from llamaindex_rag_eval.ui.labelling import LABELS, Labelling
from llamaindex_rag_eval.ui.questions import question_history

RUNS_SHOWN = 200
"""Newest runs on the first page, unless more are asked for."""

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; "
    f"frame-ancestors 'none'; script-src 'sha256-{script_hash('report.js')}' "
    f"'sha256-{script_hash('ui/ui.js')}' 'sha256-{script_hash('ui/label.js')}'; "
    "connect-src 'self'; img-src data:"
)
"""Only our own scripts run, whatever an answer contains."""


def ui_app(
    history: History,
    origin: str,
    *,
    labels: Path = LABELS,
    policy: Policy = DEFAULT_POLICY,
    token: str,
    port: int,
) -> ASGIApp:
    """Return the server's application.

    Args:
        history: The runs that it shows.
        origin: Where they are, in words.
        labels: The file that labels of answers go to.
        policy: What is decided by.
        token: What every address must begin with.
        port: The port it will be reached at.
    """
    pages = _Pages(history, origin, policy, labels.parent)
    names = ("run", "compare", "question")
    routes = [Route(f"/{name}", _answered(getattr(pages, name))) for name in names]
    routes.append(Route("/", _answered(pages.runs)))

    @lru_cache(maxsize=1)
    def labelling_of(run_id: str) -> Labelling:
        return Labelling(history.run(_stored(history.runs(), run_id)), labels)

    routes += label_routes(lambda r: labelling_of(r.query_params.get("id", "")), page="/label")
    app = Starlette(routes=routes, exception_handlers={RagEvalError: label_error})
    return Guard(app, token=token, port=port, policy=POLICY)


def serve_ui(
    history: History,
    origin: str,
    *,
    labels: Path = LABELS,
    policy: Policy = DEFAULT_POLICY,
    port: int,
    ready: Callable[[str], None],
) -> None:
    """Serve the pages until interrupted.

    Args:
        history: The runs that are shown.
        origin: Where they are, in words.
        labels: The file that labels of answers go to.
        policy: What is decided by.
        port: Where to listen; 0 takes any free port.
        ready: Called with the address when it can be opened.

    Raises:
        OutputError: The port is taken.
    """
    app = partial(ui_app, history, origin, labels=labels, policy=policy)
    serve_locally(app, port=port, ready=ready)


def _answered(page: Callable[[Request], str]) -> Callable[[Request], Response]:
    """Return a page's function with errors as pages; threads run it, so that others are served."""

    @wraps(page)
    def wrapper(request: Request) -> Response:
        try:
            return HTMLResponse(page(request))
        except RagEvalError as error:
            status = 404 if isinstance(error, InputError) else 500
            why = _page("problem", "Not to be shown", why=str(error))
            return HTMLResponse(why, status_code=status)

    return wrapper


def _page(template: str, title: str, **values: object) -> str:
    """Return a page: its template, filled."""
    return render(
        f"ui/{template}.html.j2",
        title=title,
        here=template,
        own_style=Markup(source("ui/ui.css")),  # noqa: S704 - our own file
        script=Markup(source("ui/ui.js")),  # noqa: S704 - our own file
        title_of=overview.title_of,
        when=overview.when,
        **values,
    )


class _Pages:
    """One method a page, given what is asked for in its address."""

    def __init__(self, history: History, origin: str, policy: Policy, folder: Path) -> None:
        self.history = history
        self.origin = origin
        self.policy = policy
        self.folder = folder

    def runs(self, request: Request) -> str:
        query = request.query_params
        name, tag = query.get("name", ""), query.get("tag", "")
        last = _runs_shown(query.get("last"))
        every = self.history.runs()
        chosen = [r for r in every if name in ("", r.name) and (not tag or tag in r.tags)]
        shown = chosen[-last:]
        metrics = overview.metrics_of(shown)
        newest = every[-1] if every else None
        earlier = None if newest is None else before(newest, every)
        return _page(
            "runs",
            "Runs",
            place=self.origin,
            problems=self.history.problems,
            runs=shown,
            total=len(every),
            name=name,
            names=_names(every),
            tag=tag,
            tags=sorted({tag for run in every for tag in run.tags}),
            last=last,
            series=overview.name_series(shown),
            panels=overview.metric_panels(shown),
            metrics=metrics,
            rows=overview.run_rows(shown, every, list(metrics)),
            choices=[(run.id, overview.title_of(run)) for run in reversed(every)],
            first=(earlier or every[-2 if len(every) > 1 else -1]).id if every else "",
            second=newest.id if newest is not None else "",
        )

    def run(self, request: Request) -> str:
        every = self.history.runs()
        stored = _stored(every, request.query_params.get("id", ""))
        earlier = before(stored, every)
        run = self.history.run(stored).named(overview.title_of(stored))
        return html_report(
            run,
            before=None if earlier is None else self.history.run(earlier),
            policy=self.policy,
            home="./",
            **beside_runs([(run, self.folder)]),
        )

    def compare(self, request: Request) -> str:
        query, every = request.query_params, self.history.runs()
        both = [_stored(every, query.get(side, "")) for side in ("a", "b")]
        if both[0].id == both[1].id:
            raise InputError("a run is compared with itself; expected two different runs")
        names = unique_names([overview.title_of(run) for run in both])
        runs = {name: self.history.run(run) for name, run in zip(names, both, strict=True)}
        beside = beside_runs((run, self.folder) for run in runs.values())
        compared = compare(runs, primary=self.policy.primary)
        return html_report(compared, policy=self.policy, home="./", **beside)

    def question(self, request: Request) -> str:
        runs = self.history.runs()
        history = question_history(self.history, runs, request.query_params.get("id", ""))
        return _page(
            "question",
            history["wording"][:80],
            one=history,
            series=overview.name_series([run for run, _ in reversed(history["rows"])]),
            answered=sum(len(answer["runs"]) for answer in history["answers"]),
        )


def _stored(runs: tuple[StoredRun, ...], run_id: str) -> StoredRun:
    match = next((run for run in runs if run.id == run_id), None)
    if match is None:
        raise InputError(f"there is no run {run_id!r} (any more)")
    return match


def _names(runs: tuple[StoredRun, ...]) -> list[str]:
    return sorted({run.name for run in runs if run.name})


def _runs_shown(text: str | None) -> int:
    """Return how many runs an address asks for, or as many as are shown without a number."""
    return max(2, int(text)) if text and text.isdecimal() and len(text) < 9 else RUNS_SHOWN
