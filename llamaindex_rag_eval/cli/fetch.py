"""`rag-eval more fetch`: questions and answers from the tools that a team keeps them in."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.options import Out, ToolOptions
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.integrations.tool import TOOLS


def fetch_command(
    name: str,
    /,
    *,
    source: Annotated[str, Parameter(name="--from", metavar="TOOL", help=f"{', '.join(TOOLS)}.")],
    experiment: bool = False,
    out: Out = Path("questions.jsonl"),
    options: ToolOptions = ToolOptions(),
) -> None:
    """Read a dataset or an experiment from another tool.

    The tools are MLflow, Phoenix, LangSmith and Langfuse. A dataset is asked by `rag-eval run`;
    the answers of an experiment are scored by `rag-eval evaluate`. What `rag-eval more publish`
    wrote comes back whole, gold spans too.

    Args:
        name: The dataset there, or the experiment.
        experiment: NAME is an experiment, which has answers; of MLflow the id of a run, of Phoenix
            that of the experiment.
        out: The samples to write, JSON Lines.
    """
    writable(out)
    tool = options.tool(source)
    samples = tool.read_experiment(name) if experiment else tool.read_dataset(name)
    samples.write(out)
    printer.data({"samples": str(out), "count": len(samples)})
    what = "answers" if experiment else "questions"
    printer.show(f"{len(samples)} {what} in {out}.")
