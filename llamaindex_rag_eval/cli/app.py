"""The application `rag-eval`: its commands, each a module of this package."""

import logging
import os
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from importlib.metadata import version
from keyword import iskeyword
from pathlib import Path
from typing import Annotated

import tomllib
from cyclopts import App, CycloptsError, Group, Parameter

from llamaindex_rag_eval._interrupt import run_until_interrupted
from llamaindex_rag_eval.cli.cache import cache_app
from llamaindex_rag_eval.cli.console import PlainFormatter, print_line
from llamaindex_rag_eval.cli.errors import EXITS, Exit, exit_of, line_of, refuse_removed
from llamaindex_rag_eval.cli.judging import Model
from llamaindex_rag_eval.cli.project import PROJECT_FILE, elsewhere, take_from_file
from llamaindex_rag_eval.errors import RagEvalError

GROUPS = tomllib.loads(Path(__file__).with_name("commands.toml").read_text(encoding="utf-8"))
"""Title of a group in `rag-eval --help` -> command -> the arguments of its example, in order."""

COMMANDS = {name: example for group in GROUPS.values() for name, example in group.items()}

HELP = """Evaluate LlamaIndex query engines: golden sets, RAG metrics, paired comparison.

Documents become a golden set (generate), a query engine answers it (run), metrics score the
answers (evaluate), and two pipelines are compared question by question (compare, report).

See all of it at work: `rag-eval demo`. Set up a project: `rag-eval init`
"""

EPILOG = "Exit codes: " + ". ".join(f"{int(code)} {why}" for code, why in EXITS.items()) + "."

SETTINGS = Group("Options", sort_key=90)


def _shown(default: object) -> str | None:
    """Return a default value as help shows it; `None` if it says nothing."""
    values = default if isinstance(default, tuple) else (default,)
    said = default is not None and default is not False and default not in ("", ())
    return " ".join(map(str, values)) if said else None


def application(*, project: bool = True) -> App:
    """Return the application.

    Args:
        project: Whether options that are not given come from the project's file.
    """
    app = App(
        name="rag-eval",
        help=HELP,
        help_epilogue=EPILOG,
        help_flags="--help",
        version=lambda: f"rag-eval {version('llamaindex-rag-eval')}",
        default_parameter=Parameter(negative=(), allow_repeating=True, show_default=_shown),
    )
    app.config = (partial(take_from_file, app),) if project else ()
    for position, (title, commands) in enumerate(GROUPS.items()):
        group = Group(title, sort_key=position)
        for number, (name, example) in enumerate(commands.items()):
            module = import_module(f"{__package__}.{name}{'_' * iskeyword(name)}")
            app.command(
                getattr(module, f"{name}_command"),
                name=name,
                group=group,
                sort_key=number,
                help_epilogue=f"Example: `rag-eval {name} {example}`",
            )
    cache_app.group = ("Stored runs",)
    app.command(cache_app)
    app.command(_with_project, name="--project", group=SETTINGS)
    app.command(_without_project, name="--no-project", group=SETTINGS)
    app.register_install_completion_command(name="--install-completion", group=SETTINGS)
    app.command(_show_completion, name="--show-completion", group=SETTINGS)
    for flag in ("--help", "--version"):
        app[flag].group = (SETTINGS,)
    return app


Tokens = Annotated[str, Parameter(allow_leading_hyphen=True, show=False)]


def _with_project(*tokens: Tokens) -> None:
    """Take options that are not given from the project's file, as by default."""
    start(tokens)


def _without_project(*tokens: Tokens) -> None:
    start(tokens, project=False)


def _show_completion() -> None:
    """Print the completion for the current shell."""
    sys.stdout.write(application().generate_completion())


_without_project.__doc__ = f"Leave out {PROJECT_FILE} in this folder: `rag-eval --no-project run …`"


def start(tokens: Sequence[str], *, project: bool = True) -> None:
    """Run a command; errors are a line on stderr and an exit code.

    Args:
        tokens: The command and its arguments.
        project: Whether options that are not given come from the project's file.
    """
    _quieten_clients()
    app = application(project=project)
    try:
        refuse_removed(tokens)
        command, bound, _ = app.parse_args(tokens, print_error=False, exit_on_error=False)
        models = (value for value in bound.arguments.values() if isinstance(value, Model))
        if any(model.verbose for model in models):
            _log_to_stderr()
        command(*bound.args, **bound.kwargs)
    except (CycloptsError, RagEvalError) as error:
        print_line(f"error: {line_of(error)}{elsewhere(error)}")
        raise SystemExit(exit_of(error)) from None
    if getattr(command, "__name__", "") == "help_print" and "--help" not in tokens:
        raise SystemExit(Exit.WRONG)  # no command was given


def main() -> None:
    """Run `rag-eval`."""
    run_until_interrupted(lambda: start(sys.argv[1:]))


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


def _log_to_stderr() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(PlainFormatter("%(message)s"))
    logger = logging.getLogger("llamaindex_rag_eval")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
