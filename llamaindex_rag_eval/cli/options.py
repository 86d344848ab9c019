"""Options that several commands have: a group is a frozen dataclass, a field's docstring its help.

Single options, as `Out`, are types.
"""

import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, dataclass_transform

from cyclopts import Group, Parameter
from cyclopts.types import ExistingFile, PositiveInt
from cyclopts.validators import Number

import llamaindex_rag_eval as rag
import testset
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.inputs import names_in
from llamaindex_rag_eval.errors import InputError

T = TypeVar("T")

SERVICE = Group("A service as the engine", sort_key=0)
MODEL = Group("Model", sort_key=1)
LIMITS = Group("Cost", sort_key=2)
VOICES = Group("Who asks, and how", sort_key=3)
USER = Group("A simulated user", sort_key=3)
STORE = Group("Store", sort_key=4)
CALLS = Group("Calls of the LLM", sort_key=5)
BATCH = Group("Batch files", sort_key=6)
WORK = Group("Where the work is done", sort_key=7)
"""Groups of options in the order of help, below those without a group: the frequent ones first."""


@dataclass_transform(kw_only_default=True, frozen_default=True)
def options(*, group: Group | None = None) -> Callable[[type[T]], type[T]]:
    """Make a class a group of options, under a title in help if it has one."""
    about = Parameter(name="*") if group is None else Parameter(name="*", group=group)
    return lambda kind: about(dataclass(frozen=True, kw_only=True)(kind))


@options()
class ToolOptions:
    """Another tool: where it is."""

    project: str = ""
    """The experiment of MLflow that a run goes to; the name of that in Phoenix and LangSmith."""
    url: str = ""
    """Where the tool is; by default what MLFLOW_TRACKING_URI, PHOENIX_ENDPOINT, LANGSMITH_ENDPOINT
    or LANGFUSE_HOST says."""

    def tool(self, name: str) -> "library.Tool":
        """Return the tool of this name."""
        return library.tool_at(name, url=self.url, project=self.project)


@options()
class Page:
    """Where a page of this machine is shown."""

    port: Annotated[int, Parameter(validator=Number(gte=0, lte=65535))] = 0
    """The port to listen on; 0 is any free one."""
    open: bool = False
    """Open the page in a browser."""

    def server(self, name: str, *, extra: str = "") -> Callable[..., None]:
        """Return the server of the pages of this name, at this port.

        Args:
            name: `serve_` before it is what serves them.
            extra: The extra that brings what they need; by default of the same name.

        Raises:
            InputError: The extra is not installed.
        """
        try:
            serve = getattr(library, f"serve_{name}")
        except ImportError as error:
            raise InputError(
                f"the pages need {error.name}; install it: "
                f"pip install 'llamaindex-rag-eval[{extra or name}]'"
            ) from error
        return partial(serve, port=self.port)

    def ready(self, note: str) -> Callable[[str], None]:
        """Return what prints the address, which holds the key to the pages, and may open it."""

        def ready(address: str) -> None:
            sys.stdout.write(f"{address}\n")
            sys.stdout.flush()
            if self.open:
                import webbrowser

                webbrowser.open(address)
            printer.note(note)

        return ready


Encoding = Annotated[
    str | None,
    Parameter(
        metavar="NAME",
        help="The encoding of documents in plain text that is not UTF-8 and names none, as "
        "'cp1250'; without it such a file is left out by name.",
    ),
]


@options()
class GoldenDocuments:
    """The documents that a golden set is about."""

    docs: Path | None = None
    """The documents of the golden set, to locate its gold spans."""
    encoding: Encoding = None

    def corpus(self) -> "testset.Corpus | None":
        """Return the documents, if they are named."""
        return None if self.docs is None else testset.Corpus.read(self.docs, encoding=self.encoding)


@options()
class Clustered:
    """What is not independent."""

    clusters: Literal["documents", "none"] = "documents"
    """Which questions depend on each other: those that share a document, or none."""


@options()
class Labelled:
    """What people said of answers."""

    labels: ExistingFile | None = None
    """Labels by people, as `rag-eval label` writes them: with 20 labels of each run the metric that
    decides is compared as people would score it; means of other labelled metrics are shown, too."""


Bounds = Annotated[tuple[str, ...], Parameter(metavar="METRIC=X")]
_HIDDEN = Parameter(show=False)


@options(group=Group("Decision", sort_key=1))
class DecidedBy:
    """What is decided by; the section [gate] of rag-eval.toml has the same keys."""

    primary: Annotated[str | None, Parameter(metavar="METRIC")] = None
    """The metric that decides; answer_verdict, or else the first. Others stop a pipeline only where
    it is shown to be worse, and by more than a fifth of their margin."""
    margin: Annotated[list[str] | None, Parameter(metavar="[METRIC=]X")] = None
    """The accepted fall of a mean, by default a twentieth of its range: X for all metrics, or
    METRIC=X for one; repeatable."""
    floor: float | None = None
    """The lowest accepted mean of the metric that decides."""
    max_latency: Annotated[float | None, Parameter(metavar="TIMES")] = None
    """The longest accepted time of an answer, as a multiple of the baseline's."""
    max_cost: Annotated[float | None, Parameter(metavar="TIMES")] = None
    """The highest accepted cost of an answer, as a multiple of the baseline's."""
    questions: Annotated[int, Parameter(name="--min-questions")] = 20
    """With fewer questions only a loss can be shown."""
    documents: Annotated[int, Parameter(name="--min-documents")] = 1
    """With fewer documents only a loss can be shown."""
    min: Annotated[Bounds, _HIDDEN] = ()
    max: Annotated[Bounds, _HIDDEN] = ()
    min_lower_bound: Annotated[Bounds, _HIDDEN] = ()
    max_upper_bound: Annotated[Bounds, _HIDDEN] = ()
    max_missing: Annotated[float | None, _HIDDEN] = None
    max_undefined: Annotated[float, _HIDDEN] = 0.1
    min_scored: Annotated[int, _HIDDEN] = 5

    def policy(self, **others: Any) -> "library.Policy":
        """Return what is decided by.

        Args:
            others: What `Policy.parse` takes beside.
        """
        return library.Policy.parse(**asdict(self), **others)


@options()
class Metrics:
    """Which metrics."""

    metrics: Annotated[list[str] | None, Parameter(alias="-m", metavar="A,B,C")] = None
    """Which metrics, with settings in brackets, as 'faithfulness(graded=True),ndcg@10';
    `rag-eval more metrics` lists them. One of your own is MODULE:ATTRIBUTE."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the metrics; none if they are not named."""
        return names_in(",".join(self.metrics or ()))

    @property
    def chosen(self) -> "tuple[rag.BaseMetric | str, ...]":
        """The metrics by their names, and those of the user's own."""
        return tuple(map(library.metric_at, self.names))


@options()
class Scoring(Clustered, Metrics):
    """What scores answers, and how."""

    images: Annotated[Path | None, Parameter(metavar="DIR")] = None
    """The folder that images may be read from which answers name by their path; no image is read
    without it, and none that a path or a link leads to elsewhere."""
    workers: Annotated[PositiveInt | None, Parameter(group=WORK)] = None
    """Processes that score; by default as many as there are cores, if rules have work for more than
    some seconds, and one for an LLM. Scores are the same for any number, and limits hold for all
    processes together."""


Retriever = Annotated[str | None, Parameter(metavar="MODULE:ATTRIBUTE|URL")]
Cluster = Annotated[Literal["ray"] | None, Parameter(group=WORK)]
Size = Annotated[
    PositiveInt,
    Parameter(alias="-n", help="How many questions; `rag-eval more plan` says what they show."),
]
Seed = Annotated[int, Parameter(help="The same seed gives the same result.")]
Out = Annotated[Path, Parameter(alias="-o")]
OptionalOut = Annotated[Path | None, Parameter(alias="-o")]
