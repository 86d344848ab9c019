"""The application: its commands, and how an error becomes one line and an exit code."""

from typing import Annotated

import typer
from typer.core import TyperGroup

from llamaindex_rag_eval.cli.compare import compare_command
from llamaindex_rag_eval.cli.demo import demo_command
from llamaindex_rag_eval.cli.evaluate import evaluate_command
from llamaindex_rag_eval.cli.exits import EXITS, Exit
from llamaindex_rag_eval.cli.generate import generate_command
from llamaindex_rag_eval.cli.metrics import metrics_command
from llamaindex_rag_eval.cli.report import report_command
from llamaindex_rag_eval.cli.run import run_command
from llamaindex_rag_eval.cli.screen import complain
from llamaindex_rag_eval.errors import RagEvalError

__all__ = ["app", "main"]

HELP = """Evaluate LlamaIndex query engines: golden sets, RAG metrics, paired comparison.

Documents become a golden set (generate), a query engine answers it (run), metrics score the
answers (evaluate), and two pipelines are compared question by question (compare, report).

See all of it at work: `rag-eval demo`
"""

EPILOG = "Exit codes: " + "; ".join(f"{int(code)} {why}" for code, why in EXITS.items()) + "."


class Commands(TyperGroup):
    """Commands whose errors are messages, not tracebacks."""

    def invoke(self, ctx: Context) -> object:
        """Run the command; say what went wrong in one line."""
        try:
            return super().invoke(ctx)
        except RagEvalError as error:
            complain(str(error))
            raise typer.Exit(Exit.WRONG) from None
        except KeyboardInterrupt:
            complain("interrupted; what was written is kept, run it again to go on")
            raise typer.Exit(Exit.INTERRUPTED) from None


app = typer.Typer(
    name="rag-eval",
    cls=Commands,
    help=HELP,
    epilog=EPILOG,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"rag-eval {version('llamaindex-rag-eval')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Hold what all commands share."""
    del version


app.command("demo", epilog="Example: `rag-eval demo docs/ --out demo-output`")(demo_command)
app.command("generate", epilog="Example: `rag-eval generate docs/ -o golden.jsonl --size 50`")(
    generate_command
)
app.command(
    "run", epilog="Example: `rag-eval run golden.jsonl --engine my_app:engine -o answers.jsonl`"
)(run_command)
app.command(
    "evaluate",
    epilog="Example: `rag-eval evaluate answers.jsonl --metrics faithfulness,mrr -o scores.csv`",
)(evaluate_command)
app.command(
    "compare", epilog="Example: `rag-eval compare answers-a.jsonl answers-b.jsonl --report ab.html`"
)(compare_command)
app.command("report", epilog="Example: `rag-eval report scores.jsonl -o report.html`")(
    report_command
)
app.command("metrics", epilog="Example: `rag-eval metrics faithfulness`")(metrics_command)


def main() -> None:
    """Run `rag-eval`."""
    app()
