"""`rag-eval publish`: scores and golden sets for the tools that a team looks at."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.inputs import name_of, questions_in, run_at, source_at
from llamaindex_rag_eval.integrations.tool import TOOLS

if TYPE_CHECKING:
    from llamaindex_rag_eval.data.dataset import EvaluationDataset
    from llamaindex_rag_eval.runs.run import Run

PublishedWhat = Annotated[
    str,
    Argument(
        metavar="RUN|GOLDEN",
        help="A run: a file (.jsonl), last, last~1, a name, a tag or an id. Or a golden set, which "
        "becomes a dataset.",
    ),
]
PublishTo = Annotated[str, Option("--to", metavar="TOOL", help=f"{', '.join(TOOLS)}.")]
DatasetName = Annotated[
    str, Option("--dataset", help="The name of the dataset; by default that of the run or file.")
]
ReportLink = Annotated[
    str,
    Option(
        "--link",
        metavar="URL",
        help="Where the report of this run can be read: scores link to their evidence in it. "
        "MLflow gets the report itself.",
    ),
]


def publish_command(
    what: PublishedWhat,
    to: PublishTo,
    dataset: DatasetName = "",
    project: options.Project = "",
    url: options.ToolUrl = "",
    link: ReportLink = "",
    store: options.Store = options.STORE,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Show a run in MLflow, Phoenix, LangSmith or Langfuse; or put a golden set there.

    A run brings its scores with reasons and intervals. Scores also go onto the traces that answers
    were read from; in Langfuse only there. Keys are read from the environment, as each tool
    documents. See docs/publish.md.
    """
    from llamaindex_rag_eval.integrations.tool import tool_at
    from llamaindex_rag_eval.runs.run import Run

    printer = Printer(quiet=quiet, as_json=as_json)
    found = _source(what, store)
    tool = tool_at(to, url=url, project=project)
    if isinstance(found, Run):
        published = tool.log_run(found, dataset=dataset, link=link)
    else:
        published = tool.log_dataset(found, dataset or name_of(Path(what)))
    printer.data({"url": published.url, **published.data})
    printer.show(*published.lines)


def _source(what: str, store: str) -> "Run | EvaluationDataset":
    """Return a run, or the questions of a golden set or another file of samples."""
    from llamaindex_rag_eval.runs.run import Run

    found = source_at(what, store)
    return run_at(what, store) if isinstance(found, Run) else questions_in(Path(what))
