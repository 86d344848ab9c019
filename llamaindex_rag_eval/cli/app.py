"""The application: its commands, and how an error becomes one line and an exit code."""

from collections.abc import Callable
from typing import Annotated, ParamSpec

import typer

from llamaindex_rag_eval.cli.add import add_command
from llamaindex_rag_eval.cli.cache import cache_app
from llamaindex_rag_eval.cli.calibrate import calibrate_command
from llamaindex_rag_eval.cli.card import card_command
from llamaindex_rag_eval.cli.compare import compare_command
from llamaindex_rag_eval.cli.demo import demo_command
from llamaindex_rag_eval.cli.errors import EXITS, with_exit_codes
from llamaindex_rag_eval.cli.evaluate import evaluate_command
from llamaindex_rag_eval.cli.export import export_command
from llamaindex_rag_eval.cli.gate import gate_command
from llamaindex_rag_eval.cli.generate import generate_command
from llamaindex_rag_eval.cli.import_ import import_command
from llamaindex_rag_eval.cli.metrics import metrics_command
from llamaindex_rag_eval.cli.prompts import prompts_command
from llamaindex_rag_eval.cli.refresh import refresh_command
from llamaindex_rag_eval.cli.report import report_command
from llamaindex_rag_eval.cli.review import review_command
from llamaindex_rag_eval.cli.run import run_command
from llamaindex_rag_eval.cli.runs import runs_command
from llamaindex_rag_eval.cli.show import show_command
from llamaindex_rag_eval.cli.stability import stability_command
from llamaindex_rag_eval.cli.trend import trend_command

__all__ = ["app", "main"]

HELP = """Evaluate LlamaIndex query engines: golden sets, RAG metrics, paired comparison.

Documents become a golden set (generate), a query engine answers it (run), metrics score the
answers (evaluate), and two pipelines are compared question by question (compare, report).

See all of it at work: `rag-eval demo`
"""

EPILOG = "Exit codes: " + "; ".join(f"{int(code)} {why}" for code, why in EXITS.items()) + "."


P = ParamSpec("P")


app = typer.Typer(
    name="rag-eval",
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


def _add(command: Callable[..., None], name: str, example: str) -> None:
    app.command(name, epilog=f"Example: `rag-eval {name} {example}`")(with_exit_codes(command))


_add(demo_command, "demo", "docs/ --out demo-output")
_add(generate_command, "generate", "docs/ -o golden.jsonl --size 50")
_add(run_command, "run", "golden.jsonl --engine my_app:engine -o answers.jsonl")
_add(evaluate_command, "evaluate", "answers.jsonl -m faithfulness,mrr -o scores.csv")
_add(compare_command, "compare", "answers-a.jsonl answers-b.jsonl --report ab.html")
_add(report_command, "report", "scores.jsonl -o report.html")
_add(metrics_command, "metrics", "faithfulness")
_add(runs_command, "runs", "--add scores.jsonl")
_add(show_command, "show", "last")
_add(trend_command, "trend", "faithfulness")
_add(gate_command, "gate", "last --min faithfulness=.8")
_add(calibrate_command, "calibrate", "labels.csv")
_add(stability_command, "stability", "answers.jsonl --llm openai:gpt-4o-mini")
_add(add_command, "add", "golden.jsonl logs.jsonl")
_add(review_command, "review", "golden.jsonl --docs docs/")
_add(card_command, "card", "golden.jsonl -o card.md")
_add(refresh_command, "refresh", "golden.jsonl docs/")
_add(export_command, "export", "golden.jsonl --to ragas -o ragas.jsonl")
_add(import_command, "import", "goldens.json --from deepeval --docs docs/ -o golden.jsonl")
_add(prompts_command, "prompts", "prompts/ --language ja")
app.add_typer(cache_app)


def main() -> None:
    """Run `rag-eval`."""
    app()
