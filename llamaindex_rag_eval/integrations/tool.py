"""The tools that runs and datasets are published to, by name."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from llamaindex_rag_eval.errors import InputError, OutputError

if TYPE_CHECKING:
    from datetime import datetime

    from llamaindex_rag_eval.data.dataset import EvaluationDataset
    from llamaindex_rag_eval.data.sample import Sample
    from llamaindex_rag_eval.runs.run import Run

CLASSES: Mapping[str, str] = {
    "mlflow": "MLflow",
    "phoenix": "Phoenix",
    "langsmith": "LangSmith",
    "langfuse": "Langfuse",
}
"""Module of this package -> the class in it."""

TOOLS = tuple(CLASSES)

LONGEST = 300
"""Characters of a tool's own error that are shown."""


@dataclass(frozen=True, slots=True)
class Published:
    """What was written, and where to look at it.

    Attributes:
        url: Where to look.
        lines: What was written, in sentences.
        data: The same for scripts.
    """

    url: str
    lines: tuple[str, ...]
    data: Mapping[str, Any] = field(default_factory=dict)


class Tool:
    """A tool of experiments: runs and datasets go to it, datasets and traces come from it.

    A tool overrides what it has a place for. All methods raise `InputError` where there is none for
    what is asked, and `OutputError` if the tool is away or refuses.
    """

    def log_run(self, run: "Run", *, dataset: str = "", link: str = "") -> Published:
        """Write a run; `link` is where its report can be read."""
        del dataset, link
        raise self._no_place(f"run {run.name!r}")

    def log_dataset(self, samples: "Sequence[Sample]", name: str) -> Published:
        """Write questions and references."""
        del samples
        raise self._no_place(f"dataset {name!r}")

    def read_dataset(self, name: str) -> "EvaluationDataset":
        """Return questions and references."""
        raise self._no_place(f"dataset {name!r}")

    def read_spans(self, since: "datetime") -> Sequence[Mapping[str, Any]]:
        """Return the spans since a time, as `read_traces` takes them."""
        raise self._no_place(f"traces since {since:%Y-%m-%d}")

    def _no_place(self, what: str) -> InputError:
        own = ", ".join(name for name in vars(Tool) if name[0] != "_" and name in vars(type(self)))
        return InputError(f"{type(self).__name__!r} has no place for {what}; expected {own}")


def tool_at(name: str, *, url: str = "", project: str = "") -> Tool:
    """Return the tool of a name.

    Args:
        name: One of `TOOLS`.
        url: Where it is; by default as its own environment variables say.
        project: Its project, or what it calls so.

    Raises:
        InputError: There is no such tool, its package is not installed, or its key is not set.
    """
    if name not in TOOLS:
        raise InputError(f"{name!r} is no tool to publish to; expected {', '.join(TOOLS)}")
    module = import_module(f"{__package__}.{name}")
    tool: Tool = getattr(module, CLASSES[name])(url, project)
    return tool


def import_extra(module: str, extra: str) -> ModuleType:
    """Return a module of an extra.

    Raises:
        InputError: It is not installed; says how to.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise InputError(
            f"{module!r} cannot be imported ({error}): pip install 'llamaindex-rag-eval[{extra}]'"
        ) from None


@contextmanager
def reaching(tool: str, url: str, settings: str, *errors: type[Exception]) -> Iterator[None]:
    """Turn errors of a tool's client into one line that says what to look at.

    Raises:
        OutputError: The tool is away or refuses.
    """
    try:
        yield
    except ImportError as error:
        raise OutputError(
            f"{tool} at {url} needs {error.name!r}, which its client lacks: install all of {tool}, "
            "or start its server"
        ) from None
    except errors as error:
        said = " ".join(str(error).split())[:LONGEST]
        raise OutputError(
            f"{tool} does not answer at {url}, or refuses this ({type(error).__name__}: {said}); "
            f"is it running there? {settings} say where it is"
        ) from None
