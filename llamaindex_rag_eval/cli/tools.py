"""`rag-eval more publish`, `fetch` and `run-script`: to and from other tools, and their scripts."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.inputs import name_of, questions_in
from llamaindex_rag_eval.cli.options import Out, ToolOptions
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.cli.stored import Stored
from llamaindex_rag_eval.integrations.tool import TOOLS


def publish_command(
    what: str,
    /,
    *,
    to: Annotated[str, Parameter(metavar="TOOL", help=f"{', '.join(TOOLS)}.")],
    dataset: str = "",
    options: ToolOptions = ToolOptions(),
    link: Annotated[str, Parameter(metavar="URL")] = "",
    stored: Stored = Stored(),
) -> None:
    """Send a run or a golden set to another tool.

    The tools are MLflow, Phoenix, LangSmith and Langfuse. A run brings its scores with reasons
    and intervals. Scores also go onto the traces that answers were read from; in Langfuse only
    there. Keys are read from the environment, as each tool documents. See docs/publish.md.

    Args:
        what: A run: a file (.jsonl), last, last~1, a name, a tag or an id. Or a golden set, which
            becomes a dataset.
        dataset: The name of the dataset; by default that of the run or file.
        link: Where the report of this run can be read: scores link to their evidence in it. MLflow
            gets the report itself.
    """
    source, tool = stored.source(what), options.tool(to)
    if isinstance(source, rag.Run):
        published = tool.log_run(stored.run(what), dataset=dataset, link=link)
    else:
        published = tool.log_dataset(questions_in(Path(what)), dataset or name_of(Path(what)))
    printer.data({"url": published.url, **published.data})
    printer.show(*published.lines)


def fetch_command(
    name: str,
    /,
    *,
    source: Annotated[str, Parameter(name="--from", metavar="TOOL", help=f"{', '.join(TOOLS)}.")],
    out: Out = Path("questions.jsonl"),
    options: ToolOptions = ToolOptions(),
) -> None:
    """Read a dataset from another tool.

    The tools are MLflow, Phoenix, LangSmith and Langfuse. The questions are asked by `rag-eval
    run`. What `rag-eval more publish` wrote comes back whole, gold spans too.

    Args:
        name: The dataset there.
        out: The samples to write, JSON Lines.
    """
    writable(out)
    samples = options.tool(source).read_dataset(name)
    samples.write(out)
    printer.data({"samples": str(out), "count": len(samples)})
    printer.show(f"{len(samples)} questions in {out}.")


def run_script_command(script: Path, /, *arguments: str) -> None:
    """Run a script or notebook that imports ragas, DeepEval or LlamaIndex's evaluation.

    It runs as it stands: these imports are answered by this package, whether the tools are
    installed or not. A file of tests, test_*.py, is run by pytest. It is code: run only scripts
    that you trust.

    Args:
        script: A script (.py) or a notebook (.ipynb).
        arguments: Its own arguments, or pytest's, behind `--`.
    """
    library.run_script(script, arguments)
