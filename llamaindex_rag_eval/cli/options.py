"""Options that several commands have: groups of them as dataclasses, single ones as types."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter
from cyclopts.types import PositiveInt
from cyclopts.validators import Number

from llamaindex_rag_eval.runs.store import DEFAULT_STORE

if TYPE_CHECKING:
    from llamaindex_rag_eval.integrations.tool import Tool

STORE = str(DEFAULT_STORE)


Store = Annotated[
    str,
    Parameter(
        env_var="RAG_EVAL_STORE",
        metavar="FILE|URL",
        help="The database of runs: a file, or a URL as postgresql+psycopg://host/name.",
    ),
]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class StoredRuns:
    """Which stored runs."""

    name: Annotated[str, Parameter(alias="-n")] = ""
    """Only runs of this name."""
    tag: Annotated[str, Parameter(alias="-t")] = ""
    """Only runs with this tag."""
    last: PositiveInt = 20
    """How many of the newest runs."""
    store: Store = STORE


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ToolOptions:
    """Another tool: where it is."""

    project: str = ""
    """The experiment of MLflow that a run goes to; the name of that in Phoenix and LangSmith."""
    url: str = ""
    """Where the tool is; by default what MLFLOW_TRACKING_URI, PHOENIX_ENDPOINT, LANGSMITH_ENDPOINT
    or LANGFUSE_HOST says."""

    def tool(self, name: str) -> "Tool":
        """Return the tool of this name."""
        from llamaindex_rag_eval.integrations.tool import tool_at

        return tool_at(name, url=self.url, project=self.project)


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Page:
    """Where a page of this machine is shown."""

    port: Annotated[int, Parameter(validator=Number(gte=0, lte=65535))] = 0
    """The port to listen on; 0 is any free one."""
    open: bool = False
    """Open the page in a browser."""

    def show(self, address: str) -> None:
        """Print the address, which holds the key to the pages; open it if that is asked for."""
        sys.stdout.write(f"{address}\n")
        sys.stdout.flush()
        if self.open:
            import webbrowser

            webbrowser.open(address)


Clusters = Annotated[
    Literal["documents", "none"],
    Parameter(
        help="What counts as one draw: questions that share a document, or none: each by itself.",
    ),
]
Margin = Annotated[
    list[str] | None,
    Parameter(
        metavar="[METRIC=]X",
        help="The fall of a mean that is accepted, by default a twentieth of its range; of all "
        "metrics, or again of one.",
    ),
]
Metrics = Annotated[
    str | None,
    Parameter(
        alias="-m",
        metavar="A,B,C",
        help="Which metrics, with settings in brackets, as 'faithfulness(graded=True),ndcg@10'; "
        "`rag-eval metrics` lists them.",
    ),
]
Workers = Annotated[
    PositiveInt | None,
    Parameter(
        help="Processes that score; by default as many as there are cores, if rules have work for "
        "more than some seconds, and one for an LLM, up to four if calls keep a core busy. Scores "
        "are the same for any number, and limits hold for all processes together.",
    ),
]
Images = Annotated[
    Path | None,
    Parameter(
        metavar="DIR",
        help="The folder that images may be read from which answers name by their path; no image "
        "is read without it, and none that a path or a link leads to elsewhere.",
    ),
]
Size = Annotated[
    PositiveInt,
    Parameter(alias="-n", help="How many questions; `rag-eval plan` says what they show."),
]
Encoding = Annotated[
    str | None,
    Parameter(
        metavar="NAME",
        help="The encoding of plain text that is not UTF-8 and names none, as 'cp1250'; by default "
        "it is guessed, and a file where several fit is left out by name.",
    ),
]
Out = Annotated[Path, Parameter(alias="-o")]
OptionalOut = Annotated[Path | None, Parameter(alias="-o")]
RUN_HELP = "A file, last, last~1, a name, a tag or an id."
