"""The application `rag-eval`: its commands, each a module of this package."""

import logging
import os
from importlib import import_module
from keyword import iskeyword
from typing import Annotated

import typer

from llamaindex_rag_eval._interrupt import run_until_interrupted
from llamaindex_rag_eval.cli.cache import cache_app
from llamaindex_rag_eval.cli.console import PlainFormatter
from llamaindex_rag_eval.cli.errors import EXITS, with_exit_codes
from llamaindex_rag_eval.cli.llm_options import with_llm_options
from llamaindex_rag_eval.cli.project import PROJECT_FILE, ProjectCommand

COMMANDS = {
    "demo": "docs/ --out demo-output",
    "init": "my-project",
    "generate": "docs/ -o golden.jsonl --size 50",
    "run": "golden.jsonl --engine my_app:engine -o answers.jsonl",
    "traces": "traces.json -o answers.jsonl --sample 200",
    "evaluate": "answers.jsonl -m faithfulness,mrr -o scores.csv",
    "compare": "answers-a.jsonl answers-b.jsonl --report ab.html",
    "sweep": "sweep.yaml -o sweep-output",
    "plan": "-m answer_verdict,mrr --effect .05 --pilot scores.jsonl",
    "report": "scores.jsonl -o report.html",
    "metrics": "faithfulness",
    "runs": "--add scores.jsonl",
    "show": "last",
    "trend": "faithfulness",
    "ui": "--open",
    "gate": "last --min faithfulness=.8",
    "calibrate": "labels.csv",
    "stability": "answers.jsonl --llm openai:gpt-4o-mini",
    "add": "golden.jsonl logs.jsonl",
    "review": "golden.jsonl --docs docs/",
    "card": "golden.jsonl -o card.md",
    "refresh": "golden.jsonl docs/",
    "export": "golden.jsonl --to ragas -o ragas.jsonl",
    "import": "goldens.json --from deepeval --docs docs/ -o golden.jsonl",
    "publish": "last --to mlflow",
    "fetch": "my-questions --from langsmith -o questions.jsonl",
    "prompts": "prompts/ --language ja",
}
"""Command -> the arguments of its example, in the order of `rag-eval --help`.

The command `name` is the function `name_command` of the module `name`, or of `name_` where the
name is a keyword of Python.
"""

HELP = """Evaluate LlamaIndex query engines: golden sets, RAG metrics, paired comparison.

Documents become a golden set (generate), a query engine answers it (run), metrics score the
answers (evaluate), and two pipelines are compared question by question (compare, report).

See all of it at work: `rag-eval demo`. Set up a project: `rag-eval init`
"""

EPILOG = "Exit codes: " + ". ".join(f"{int(code)} {why}" for code, why in EXITS.items()) + "."

app = typer.Typer(
    name="rag-eval",
    help=HELP,
    epilog=EPILOG,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Run `rag-eval`."""
    run_until_interrupted(app)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"rag-eval {version('llamaindex-rag-eval')}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    project: Annotated[
        bool,
        typer.Option(
            "--project/--no-project",
            help=f"Whether options that are not given come from {PROJECT_FILE} in this folder.",
        ),
    ] = True,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    del version
    context.meta["no_project"] = not project
    _quieten_clients()


CHATTY = ("httpx", "httpx2", "httpcore", "openai", "anthropic")
"""Loggers that tell every request at level INFO."""


def _quieten_clients() -> None:
    """Keep the requests of HTTP clients and control codes of log lines off the terminal.

    A level that was set before stays.
    """
    if logging.lastResort is not None:  # what writes warnings where nobody has set up logging
        logging.lastResort.setFormatter(PlainFormatter())
    os.environ.setdefault("MLFLOW_LOGGING_LEVEL", "WARNING")  # read when MLflow is imported
    for name in CHATTY:
        logger = logging.getLogger(name)
        if logger.level == logging.NOTSET:
            logger.setLevel(logging.WARNING)


def _add(name: str, example: str) -> None:
    module = import_module(f"{__package__}.{name}_" if iskeyword(name) else f"{__package__}.{name}")
    command = getattr(module, f"{name}_command")
    app.command(name, cls=ProjectCommand, epilog=f"Example: `rag-eval {name} {example}`")(
        with_exit_codes(with_llm_options(command))
    )


for _name, _example in COMMANDS.items():
    _add(_name, _example)
app.add_typer(cache_app)
