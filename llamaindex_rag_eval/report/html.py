"""HTML: the report of one run, or of two compared, as one file that needs nothing else.

The page asks for nothing from the network and runs no script but its own, which a content
security policy holds; every text of a document, a question or an answer is shown as text.
"""

import base64
import hashlib
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from llamaindex_rag_eval.two_runs import Comparison
from llamaindex_rag_eval.files import write_whole
from llamaindex_rag_eval.report import figures, numbers
from llamaindex_rag_eval.report.questions import embedded_json, question_data
from llamaindex_rag_eval.report.rows import difference_scale, rows_of
from llamaindex_rag_eval.run import Run

__all__ = ["html_report", "write_html"]


def html_report(subject: Run | Comparison) -> str:
    """Return the report of a run or of a comparison as a whole HTML page."""
    comparison = subject if isinstance(subject, Comparison) else None
    if isinstance(subject, Comparison):
        runs: tuple[Run, ...] = (subject.pairing.a, subject.pairing.b)
        names: tuple[str, ...] = subject.names
        metrics = subject.pairing.metrics
    else:
        runs, names, metrics = (subject,), (subject.name or "Run",), subject.metrics
    script = _source("report.js")
    data = question_data(runs, names, metrics)
    contrasts = () if comparison is None else comparison.contrasts
    page = (
        _environment()
        .get_template("report.html.j2")
        .render(
            comparison=comparison,
            runs=runs,
            names=names,
            rows=rows_of(runs, metrics, comparison),
            reach=difference_scale(contrasts),
            data=Markup(embedded_json(data)),  # noqa: S704 - escaped for its place
            style=Markup(_source("report.css")),  # noqa: S704 - our own file
            script=Markup(script),  # noqa: S704 - our own file
            script_hash=_hash(script),
        )
    )
    # A lone surrogate, as broken input may hold, has no place in UTF-8.
    return page.encode("utf-8", "replace").decode()


def write_html(subject: Run | Comparison, path: str | Path) -> Path:
    """Write the report to a file.

    Raises:
        OutputError: The file cannot be written.
    """
    return write_whole(path, [html_report(subject)])


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("llamaindex_rag_eval.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "chance": numbers.chance,
        "duration": numbers.duration,
        "number": numbers.number,
        "signed": numbers.signed,
    }
    environment.globals |= {
        "bars_of": figures.bars_of,
        "counted": numbers.counted,
        "interval": numbers.interval,
    }
    return environment


def _source(name: str) -> str:
    return files("llamaindex_rag_eval.report").joinpath("templates", name).read_text("utf-8")


def _hash(script: str) -> str:
    """Return the hash by which the page's policy lets this one script run."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
