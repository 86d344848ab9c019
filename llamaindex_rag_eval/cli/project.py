"""`rag-eval.toml`: the settings of a project, in place of options that are not given.

Typer may carry a click of its own, so nothing here comes from click by name.
"""

import difflib
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand

from llamaindex_rag_eval.cli.console import PlainConsole
from llamaindex_rag_eval.errors import InputError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT_FILE = "rag-eval.toml"
"""Looked for in the current folder; `rag-eval --no-project` leaves it out."""

PLACES: Mapping[str, Mapping[str, str]] = {
    "documents": dict.fromkeys(
        ["generate", "run", "review", "refresh", "export", "import"], "docs"
    ),
    "golden": {
        "generate": "out",
        **dict.fromkeys(["run", "review", "card", "refresh", "export", "add"], "golden"),
    },
    "questions": {"add": "logs"},
    "engine": {"run": "engine"},
    "answers": {"run": "out", "evaluate": "answers", "stability": "answers"},
    "scores": {"evaluate": "out", "gate": "run", "report": "runs"},
    "metrics": dict.fromkeys(["evaluate", "stability"], "metrics"),
}
"""Key -> command -> the parameter that it is the default of."""

MODELS = {
    "llm": "llm",
    "judge": "checker",
    "embed": "embed",
    "cache": "cache",
    "prompts": "prompts",
    "base-url": "base_url",
    "timeout": "timeout",
    "retries": "retries",
    "patience": "patience",
    "reply-limit": "reply_limit",
    "reply-format": "reply_format",
    "logprobs": "logprobs",
}
"""Key of [models] -> the parameter of commands that take an LLM."""

ABOUT_CALLS = frozenset(MODELS.values()) - {"llm", "checker", "embed", "cache", "prompts"}
"""Parameters that are refused without an LLM."""

BUDGET = {"calls": "max_calls", "tokens": "max_tokens", "cost": "max_cost"}
"""Key of [budget] -> the parameter."""

EXCLUDED = {
    "engine": ("--docs",),
    "docs": ("--engine",),
    "cache": ("--no-cache",),
    "max_calls": ("--batch",),
    "max_tokens": ("--batch",),
    "max_cost": ("--batch",),
}
"""Parameter -> options beside which it is not taken from the file."""


class ProjectCommand(TyperCommand):
    """A command whose parameters have the values of `rag-eval.toml` where none are given."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments over the values of the file.

        Raises:
            BadParameter: A value of the file is of the wrong kind.
        """
        given = list(args)
        found: dict[str, object] = {}
        if "--help" not in given and not ctx.meta.get("no_project"):
            try:
                found = _defaults(self, ctx, given)
            except InputError as error:
                _print(f"error: {error}")
                raise typer.Exit(2) from None
        ctx.default_map = {**(ctx.default_map or {}), **found}
        try:
            rest = super().parse_args(ctx, args)
        except typer.BadParameter as error:
            name = getattr(getattr(error, "param", None), "name", None)
            if name in found:
                error.message = f"{error.message} (in {PROJECT_FILE})"
            elif not error.message and self.epilog:  # an argument or option is missing
                error.message = f"{self.epilog.replace('`', '')}.{_elsewhere()}"
            raise
        taken = [
            f"{name}={value}"
            for name, value in found.items()
            if getattr(ctx.get_parameter_source(name), "name", "") == "DEFAULT_MAP"
        ]
        if taken and not ctx.params.get("quiet"):
            _print(f"from {PROJECT_FILE}: {', '.join(taken)}")
        return rest


def _elsewhere() -> str:
    """Return where the file is, if this folder lies in one that has it."""
    here = Path.cwd()
    above = (place for place in here.parents if (place / PROJECT_FILE).is_file())
    place = next(above, None) if not (here / PROJECT_FILE).is_file() else None
    return "" if place is None else f" {PROJECT_FILE} is in {str(place)!r}: run it there."


def _defaults(command: Any, ctx: Any, args: Sequence[str]) -> dict[str, object]:
    """Return the values of the file by parameter of the command.

    Raises:
        InputError: The file cannot be read, or has a key that nothing reads.
    """
    path = Path(PROJECT_FILE)
    if not path.is_file() or command.name == "demo":
        return {}
    commands = getattr(ctx.parent.command, "commands", {}) if ctx.parent else {}
    settings = _settings(path, commands)
    parameters = {parameter.name: parameter for parameter in command.params}
    name = command.name or ""
    found: dict[str, object] = {
        commands_of[name]: settings[key]
        for key, commands_of in PLACES.items()
        if key in settings and name in commands_of
    }
    if "llm" in parameters:
        found |= _for_models(settings, args)
    if name == "gate":
        found |= _thresholds(settings.get("thresholds", {}))
    if name in ("compare", "report") and "margin" in settings.get("gate", {}):
        found["margin"] = settings["gate"]["margin"]
    if name in ("gate", "report") and "scores" in settings:
        place = str(Path(settings["scores"]).with_suffix(".jsonl"))
        found |= {PLACES["scores"][name]: [place] if name == "report" else place}
    own = _options_of(command)
    found |= {own[key]: value for key, value in settings.get(name, {}).items()}
    if "engine" in found and "docs" in found and name == "run":
        del found["docs"]
    return {
        key: _joined(value, parameters[key])
        for key, value in found.items()
        if key in parameters and not _has(args, EXCLUDED.get(key, ()))
    }


def _for_models(settings: Mapping[str, Any], args: Sequence[str]) -> dict[str, object]:
    """Return the values about models; those that need one only if there is one."""
    models = {MODELS[key]: value for key, value in settings.get("models", {}).items()}
    budget = {BUDGET[key]: value for key, value in settings.get("budget", {}).items()}
    with_llm = "llm" in models or _has(args, ["--llm"])
    if not with_llm:
        models = {key: value for key, value in models.items() if key not in ABOUT_CALLS}
    paid = with_llm or "embed" in models or _has(args, ["--embed"])
    return {**models, **(budget if paid else {})}


def _thresholds(thresholds: Mapping[str, object]) -> dict[str, object]:
    """Return what the gate asks for: at least, or at most where lower is better."""
    from llamaindex_rag_eval.metrics.registry import metric_of

    found: dict[str, list[str]] = {}
    for name, value in thresholds.items():
        side = "most" if metric_of(name).direction == "lower" else "least"
        found.setdefault(side, []).append(f"{name}={value}")
    return dict(found)


def _settings(path: Path, commands: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the file holds.

    Raises:
        InputError: It cannot be read, or has a key that nothing reads.
    """
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{PROJECT_FILE} cannot be read: {error}") from None
    known = {name: _options_of(command) for name, command in commands.items()}
    sections = {"models": list(MODELS), "budget": list(BUDGET), **known}
    for key, value in settings.items():
        if not isinstance(value, Mapping):
            _require(key, PLACES, also=[*sections, "thresholds"])
        elif key != "thresholds":
            _require(key, [*sections, "thresholds"], also=PLACES)
            for inner in value:
                _require(inner, sections[key], where=f"[{key}] of ")
    return settings


def _require(key: str, known: Iterable[str], *, also: Iterable[str] = (), where: str = "") -> None:
    """Raise `InputError` if a key is not known; the message names the nearest."""
    names = list(known)
    if key in names:
        return
    if key in also:
        kind = "a section, as [" + key + "]" if key not in PLACES else "a value, no section"
        raise InputError(f"{where}{PROJECT_FILE}: {key!r} is {kind}")
    close = difflib.get_close_matches(key, [*names, *also], n=1, cutoff=0.5)
    hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(names)}"
    raise InputError(f"{where}{PROJECT_FILE} has an unknown key {key!r}; {hint}")


def _options_of(command: Any) -> dict[str, str]:
    """Return the long names of a command's options, without hyphens, each with its parameter."""
    return {
        option.removeprefix("--"): parameter.name or ""
        for parameter in command.params
        for option in parameter.opts
        if option.startswith("--")
    }


def _joined(value: object, parameter: Any) -> object:
    """Return a list as the command line has it: several values, or one text with commas."""
    if isinstance(value, list) and not (parameter.multiple or parameter.nargs != 1):
        return ",".join(map(str, value))
    if not isinstance(value, list) and (
        getattr(parameter, "multiple", False) or parameter.nargs == -1
    ):
        return [value]
    return value


def _print(text: str) -> None:
    PlainConsole(stderr=True, highlight=False).print(text, markup=False, soft_wrap=True)


def _has(args: Sequence[str], options: Iterable[str]) -> bool:
    """Return whether one of the options is among the arguments."""
    return any(arg.partition("=")[0] in options for arg in args)
