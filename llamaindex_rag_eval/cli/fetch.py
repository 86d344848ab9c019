"""`rag-eval fetch`: questions and answers from the tools that a team keeps them in."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.integrations.tool import TOOLS

FetchFrom = Annotated[str, Option("--from", metavar="TOOL", help=f"{', '.join(TOOLS)}.")]
FetchedName = Annotated[str, Argument(metavar="NAME", help="The dataset there, or the experiment.")]
Experiment = Annotated[
    bool,
    Option(
        "--experiment",
        help="NAME is an experiment, which has answers; of MLflow the id of a run, of Phoenix "
        "that of the experiment.",
    ),
]
FetchedOut = Annotated[Path, Option("--out", "-o", help="The samples to write, JSON Lines.")]


def fetch_command(
    name: FetchedName,
    source: FetchFrom,
    experiment: Experiment = False,
    out: FetchedOut = Path("questions.jsonl"),
    project: options.Project = "",
    url: options.ToolUrl = "",
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Read a dataset from MLflow, Phoenix, LangSmith or Langfuse, or an experiment with answers.

    A dataset is asked by `rag-eval run`; the answers of an experiment are scored by `rag-eval
    evaluate`. What `rag-eval publish` wrote comes back whole, gold spans too.
    """
    from llamaindex_rag_eval.integrations.tool import tool_at

    printer = Printer(quiet=quiet, as_json=as_json)
    writable(out)
    tool = tool_at(source, url=url, project=project)
    found = tool.read_experiment(name) if experiment else tool.read_dataset(name)
    found.write(out)
    printer.data({"samples": str(out), "count": len(found)})
    what = "answers" if experiment else "questions"
    printer.show(f"{len(found)} {what} in {out}.")
