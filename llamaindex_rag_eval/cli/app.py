"""The application `rag-eval`: its commands, each a module of this package."""

import logging
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, partial
from importlib import import_module
from importlib.metadata import version
from typing import Annotated

from cyclopts import App, CycloptsError, Group, Parameter
from cyclopts.exceptions import UnknownOptionError
from cyclopts.help import DefaultFormatter, HelpPanel
from rich.console import Console, ConsoleOptions

from llamaindex_rag_eval.cli.commands import ABOUT, FIRST, GROUPS, MODULES, PATHS, RARE
from llamaindex_rag_eval.cli.console import PlainFormatter, print_line, printer
from llamaindex_rag_eval.cli.errors import (
    EXITS,
    Exit,
    exit_of,
    line_of,
    refuse_removed,
    with_current_option,
)
from llamaindex_rag_eval.cli.project import elsewhere, take_from_file
from llamaindex_rag_eval.errors import RagEvalError

HELP = """Evaluate LlamaIndex query engines: golden sets, RAG metrics, paired comparison.

Documents become a golden set (generate), a query engine answers it (run), metrics score the
answers (evaluate), and two pipelines are compared question by question (compare, report).

See all of it at work: `rag-eval demo`. Set up a project: `rag-eval init`
"""

EPILOG = "Exit codes: " + ". ".join(f"{int(code)} {why}" for code, why in EXITS.items()) + "."

MORE, SETTINGS = Group("More commands", sort_key=80), Group("Options", sort_key=90)


@Parameter(name="*", group=SETTINGS, negative=())
@dataclass(frozen=True, kw_only=True)
class Settings:
    """Options of all commands."""

    json: bool = False
    """Print the result as JSON on stdout."""
    quiet: Annotated[bool, Parameter(alias="-q")] = False
    """Print nothing but errors."""
    verbose: bool = False
    """Print on stderr what is found out about a model."""
    no_project: bool = False
    """Do not read rag-eval.toml in this folder."""
    help_all: bool = False
    """Show rare options, too; rag-eval.toml takes all."""


FLAGS = {f"--{field.name.replace('_', '-')}": field.name for field in fields(Settings)} | {
    "-q": "quiet"
}
"""Option of all commands -> its field."""


class FrequentOptions(DefaultFormatter):
    """Help without the rare options."""

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        """Print a panel, if a command or a frequent option is in it."""
        entries = [entry for entry in panel.entries if RARE.isdisjoint(entry.names)]
        if entries:
            super().__call__(console, options, panel.copy(entries=entries))


def _shown(default: object) -> str | None:
    """Return a default value as help shows it; `None` if it says nothing."""
    values = default if isinstance(default, tuple) else (default,)
    said = not isinstance(default, bool) and default not in (None, "", ())
    return " ".join(map(str, values)) if said else None


@cache
def application(*, described: bool = False) -> App:
    """Return the application; its `meta` shows the options of all commands in help.

    Args:
        described: Whether help lists its commands with what they do, for which all are imported;
            otherwise a command is imported when it is first looked at.
    """
    app = App(
        name="rag-eval",
        help=HELP,
        help_epilogue=EPILOG,
        help_flags="--help",
        help_formatter=FrequentOptions(),
        version=lambda: f"rag-eval {version('llamaindex-rag-eval')}",
        default_parameter=Parameter(negative=(), show_default=_shown),
    )
    app.config = (partial(take_from_file, app),)
    app.meta.config = ()

    @app.meta.default
    def show_options(*, settings: Settings = Settings()) -> None:
        del settings

    for position, (title, commands) in enumerate(FIRST.items()):
        _register(app, commands, Group(title, sort_key=position), described)
    for group, commands in GROUPS.items():
        app.command(App(name=group, help=ABOUT[group], group=MORE, help_epilogue=""))
        _register(app[group], commands, None, described)
    app.register_install_completion_command(name="--install-completion", group=SETTINGS)
    app.command(_show_completion, name="--show-completion", group=SETTINGS)
    for flag in ("--help", "--version"):
        app[flag].group = (SETTINGS,)
    return app


def _register(app: App, commands: Mapping[str, str], group: Group | None, described: bool) -> None:
    """Add commands, each with its example; the one of the application's own name is its default."""
    for number, (name, example) in enumerate(commands.items()):
        plain, words = name.replace("-", "_"), " ".join(PATHS[name])
        module, function = f"{__package__}.{MODULES.get(name, plain)}", f"{plain}_command"
        epilogue = f"Example: `rag-eval {words} {example}`"
        if app.name == (name,):
            app.default(getattr(import_module(module), function))
            app.help_epilogue = epilogue
        else:
            path = f"{module}:{function}"
            command = getattr(import_module(module), function) if described else path
            app.command(command, name=name, group=group, sort_key=number, help_epilogue=epilogue)


def _show_completion() -> None:
    """Print the completion for the current shell."""
    sys.stdout.write(application().generate_completion())


def _run(words: Sequence[str]) -> None:
    """Run a command under the options of all commands, which stand anywhere before `--`."""
    end = words.index("--") if "--" in words else len(words)
    settings = Settings(**{FLAGS[word]: True for word in words[:end] if word in FLAGS})
    words = [*(word for word in words[:end] if word not in FLAGS), *words[end:]]
    printer.quiet, printer.as_json = settings.quiet, settings.json
    changed: dict[str, object] = {"_config": ()} if settings.no_project else {}
    if settings.help_all:
        changed["help_formatter"], words = DefaultFormatter(), ["--help", *words]
    app = application(described=not words or words[-1] in {"--help", *GROUPS})
    with app.app_stack([], overrides=changed):
        command, bound, _ = app.parse_args(words, print_error=False, exit_on_error=False)
        if settings.verbose:
            _log_to_stderr()
        command(*bound.args, **bound.kwargs)
    if getattr(command, "__name__", "") == "help_print" and "--help" not in words:
        raise SystemExit(Exit.WRONG)  # no command was given


def _current(words: Sequence[str]) -> Sequence[str]:
    """Return words with the command's name of today; an earlier one is reported on stderr.

    Raises:
        InputError: There is no such command any more.
    """
    names = [word for word in words if not word.startswith("-")][:1]
    refuse_removed(names)
    path = PATHS.get(names[0], ()) if names else ()
    if len(path) < 2:
        return words
    if {"-q", "--quiet"}.isdisjoint(words):
        print_line(f"`rag-eval {names[0]}` is now `rag-eval {' '.join(path)}`")
    position = words.index(names[0])
    return [*words[:position], *path, *words[position + 1 :]]


def start(words: Sequence[str]) -> None:
    """Run a command; errors are a line on stderr and an exit code.

    Args:
        words: The command and its arguments.
    """
    _quieten_clients()
    try:
        current = _current(words)
        while True:
            try:
                return _run(current)
            except UnknownOptionError as error:  # perhaps of an earlier version
                current = with_current_option(current, error)
    except (CycloptsError, RagEvalError) as error:
        print_line(f"error: {line_of(error)}{elsewhere(error)}")
        raise SystemExit(exit_of(error)) from None


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
