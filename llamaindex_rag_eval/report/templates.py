"""Templates of the HTML pages, with the filters and figures that they use."""

from functools import lru_cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from llamaindex_rag_eval.data.keys import without_keys
from llamaindex_rag_eval.data.plain_text import plain_text
from llamaindex_rag_eval.report import figures, numbers
from llamaindex_rag_eval.stats.interval import signed


def render(template: str, **values: object) -> str:
    """Return a page: a template of this package with its style sheet, all values escaped.

    Keys are masked in it.
    """
    style = Markup(source("report.css"))  # noqa: S704 - our own file
    page = _environment().get_template(template).render(style=style, **values)
    # A lone surrogate, as broken input may hold, cannot be written as UTF-8.
    return without_keys(plain_text(page)).encode("utf-8", "replace").decode()


def source(name: str) -> str:
    """Return a style sheet or a script of this package."""
    return files("llamaindex_rag_eval.report").joinpath("templates", name).read_text("utf-8")


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
        "pair": lambda text: (text, text),
        "percent": numbers.percent,
        "shares": numbers.shares,
        "signed": signed,
    }
    environment.globals |= {
        "histogram": figures.histogram,
        "difference_histogram": figures.difference_histogram,
        "counted": numbers.counted,
        "interval": numbers.interval,
        "scale": figures.Scale,
    }
    return environment
