"""What every HTML page of ours is made with: templates that escape, numbers, small pictures."""

from functools import lru_cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from llamaindex_rag_eval.report import figures, numbers

__all__ = ["page_source", "template"]


def template(name: str) -> Template:
    """Return a template of this package; it escapes whatever it is given."""
    return _environment().get_template(name)


def page_source(name: str) -> str:
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
        "percent": numbers.percent,
        "signed": numbers.signed,
    }
    environment.globals |= {
        "bars_of": figures.bars_of,
        "gap_bars": figures.gap_bars,
        "counted": numbers.counted,
        "interval": numbers.interval,
    }
    return environment
