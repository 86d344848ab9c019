"""`rag-eval fetch`: questions and answers from the tools that a team keeps them in."""

from pathlib import Path

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.paths import writable

__all__ = ["fetch_command"]


def fetch_command(
    name: options.FetchedName,
    source: options.FetchFrom,
    experiment: options.Experiment = False,
    out: options.FetchedOut = Path("questions.jsonl"),
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
