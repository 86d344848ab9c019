"""`rag-eval.toml`: the settings of a project, in place of options that are not given."""

import difflib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import tomllib
from cyclopts import App, Argument, ArgumentCollection, Token
from cyclopts.exceptions import MissingArgumentError

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.cli.commands import PATHS, command_at
from llamaindex_rag_eval.cli.console import print_line, printer
from llamaindex_rag_eval.cli.errors import REMOVED
from llamaindex_rag_eval.errors import InputError

PROJECT_FILE = "rag-eval.toml"
"""Looked for in the current folder; `rag-eval --no-project` leaves it out."""

KEYS = tomllib.loads(Path(__file__).with_name("project_keys.toml").read_text(encoding="utf-8"))
"""What the keys of the file are the defaults of."""

DECIDING = ("compare", "gate", "report", "ui")
"""Commands that decide, all by the sections [gate] and [thresholds]."""

VALUES, SECTIONS = (
    KEYS["values"],
    {"models": [*KEYS["models"], *KEYS["calls"]["keys"]], "budget": KEYS["budget"]},
)


def take_from_file(
    root: App, app: App, commands: tuple[str, ...], arguments: ArgumentCollection
) -> None:
    """Give the values of the file to options and arguments that have none.

    Args:
        root: The application.
        app: The command.
        commands: Its name.
        arguments: Its options and arguments.

    Raises:
        InputError: The file cannot be read, or has a key that nothing reads.
    """
    del app
    path, name = Path(PROJECT_FILE), commands[-1] if commands else "--help"
    if not path.is_file() or name == "demo" or name.startswith("--"):
        return
    options = _named(arguments)
    given = {key for key, option in options.items() if option.tokens}
    taken, values = [], _values(_settings(path, root), name, given)
    printer.quiet |= bool(values.get("quiet"))
    printer.as_json |= bool(values.get("json"))
    for key, value in values.items():
        option = options.get(key)
        if option is None or KEYS["excluded"].get(key) in given:
            continue
        if key in given and key != "call":  # whose settings are added to those that are given
            continue
        tokens = list(_tokens(value, option))
        for token in tokens:
            option.append(token)
        taken.append(f"{key}={','.join(token.value for token in tokens)}")
    if taken and not printer.quiet:
        print_line(f"from {PROJECT_FILE}: {', '.join(taken)}")


def elsewhere(error: Exception) -> str:
    """Return where the file is, if an argument is missing and a folder above has it."""
    here = Path.cwd()
    if not isinstance(error, MissingArgumentError) or (here / PROJECT_FILE).is_file():
        return ""
    above = next((folder for folder in here.parents if (folder / PROJECT_FILE).is_file()), None)
    return "" if above is None else f". {PROJECT_FILE} is in {str(above)!r}: run it there."


def _named(arguments: Iterable[Argument]) -> dict[str, Argument]:
    """Return options and arguments by name: `max-calls`, `golden`."""
    return {
        name.removeprefix("--").lower(): argument
        for argument in arguments
        if argument.parse and not argument.children
        for name in argument.names
        if name.startswith("--") or argument.is_positional_only()
    }


def _tokens(value: object, option: Argument) -> Iterable[Token]:
    """Yield a value as the command line has it: several values, or one text with commas."""
    count, takes_many = option.token_count()
    values = value if isinstance(value, list) else [value]
    if not takes_many and count < 2:
        values = [",".join(map(str, values))]
    keyword = None if option.is_positional_only() else option.name
    for index, each in enumerate(values):
        yield Token(keyword=keyword, value=str(each), source=PROJECT_FILE, index=index)


def _values(settings: Mapping[str, Any], command: str, given: set[str]) -> dict[str, object]:
    """Return the values of the file for a command, by option or argument."""
    values: dict[str, object] = {
        options[command]: settings[key]
        for key, options in VALUES.items()
        if key in settings and command in options
    }
    if command != "run":
        values |= _for_models(settings, given)
    if command in DECIDING:
        gate = settings.get("gate", {})
        values |= _thresholds(settings.get("thresholds", {}))
        values |= {key: gate[key] for key in KEYS["policy"]["keys"] if key in gate}
    if command in ("gate", "report") and "scores" in settings:
        values[VALUES["scores"][command]] = str(Path(settings["scores"]).with_suffix(".jsonl"))
    section = settings.get(command)  # `metrics` is a list, and the name of a command
    values |= section if isinstance(section, Mapping) else {}
    if "engine" in values and command == "run":
        values.pop("docs", None)
    return values


def _for_models(settings: Mapping[str, Any], given: set[str]) -> dict[str, object]:
    """Return the values about models; those that need one only if there is one."""
    models = dict(settings.get("models", {}))
    calls = [f"{key}={models.pop(key)}" for key in KEYS["calls"]["keys"] if key in models]
    with_llm = "llm" in models or "llm" in given
    if not with_llm:
        models.pop("prompts", None)
    elif calls:
        models["call"] = calls
    if with_llm or "embed" in models or "embed" in given:
        budget = settings.get("budget", {})
        models |= {KEYS["budget"][key]: value for key, value in budget.items()}
    return models


def _thresholds(thresholds: Mapping[str, object]) -> dict[str, object]:
    """Return what the gate asks for: at least, or at most where lower is better."""
    bounds: dict[str, list[str]] = {}
    for name, value in thresholds.items():
        side = "max" if rag.metric_of(name).direction == "lower" else "min"
        bounds.setdefault(side, []).append(f"{name}={value}")
    return dict(bounds)


def _settings(path: Path, app: App) -> dict[str, Any]:
    """Return what the file holds.

    Raises:
        InputError: It cannot be read, or has a key that nothing reads.
    """
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{PROJECT_FILE} cannot be read: {error}") from None
    sections = ["models", "budget", *PATHS, "thresholds", *REMOVED]
    for key, value in settings.items():
        if not isinstance(value, Mapping):
            _require(key, VALUES, also=sections)
            continue
        _require(key, sections, also=VALUES)
        known: Iterable[str] = SECTIONS.get(key, value)
        if key in PATHS:
            command = command_at(app, key)
            known = ["quiet", "json", *_named(command.assemble_argument_collection())]
        for inner in value:
            _require(inner, known, where=f"[{key}] of ")
    return settings


def _require(key: str, known: Iterable[str], *, also: Iterable[str] = (), where: str = "") -> None:
    """Raise `InputError` if a key is not known; the message names the nearest."""
    names = list(known)
    if key in names:
        return
    if key in also:
        kind = "a section, as [" + key + "]" if key not in VALUES else "a value, no section"
        raise InputError(f"{where}{PROJECT_FILE}: {key!r} is {kind}")
    close = difflib.get_close_matches(key, [*names, *also], n=1, cutoff=0.5)
    hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(names)}"
    raise InputError(f"{where}{PROJECT_FILE} has an unknown key {key!r}; {hint}")
