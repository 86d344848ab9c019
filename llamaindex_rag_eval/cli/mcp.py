"""`rag-eval more mcp`: the commands as tools of a coding agent, by the Model Context Protocol."""

import asyncio
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from inspect import Parameter
from pathlib import Path
from typing import Any

from cyclopts.argument import Argument
from pydantic import TypeAdapter

from llamaindex_rag_eval.cli.commands import PATHS, RARE, command_at
from llamaindex_rag_eval.cli.errors import EXITS, Exit
from llamaindex_rag_eval.errors import InputError

TOOLS = [
    *("init", "generate", "run", "evaluate", "compare", "gate"),
    *("report", "diagnose", "align", "runs", "show", "metrics"),
]
"""The commands that an agent is offered: those that end by themselves and need no browser."""

LAST_LINES = 30
"""Lines of what a command says beside its result that an agent is shown."""


def mcp_command(folder: Path = Path(), /) -> None:
    """Serve the commands to a coding agent, over stdin and stdout (MCP).

    The agent starts it; see docs, "Coding agents". Its tools are the commands with their frequent
    options, its resources the files that they wrote. It may do what you may: commands import
    engines from modules, write files and spend money on the models that you name.

    Args:
        folder: Where commands run: the folder of a project.
    """
    if find_spec("mcp_types") is None:  # which comes with mcp from version 2 on
        raise InputError(
            "the server needs mcp 2 or later; install it: pip install 'llamaindex-rag-eval[mcp]'"
        )
    if not folder.is_dir():
        raise InputError(f"expected a folder, got {str(folder)!r}")
    from llamaindex_rag_eval.cli.mcp_server import Commands

    Commands(folder.resolve(), command_tools()).run()


@dataclass(frozen=True)
class Tool:
    """A command as a tool.

    Attributes:
        words: By which it is called.
        about: What it does, and an example.
        arguments: Its arguments and frequent options, by their names as an agent writes them.
    """

    words: tuple[str, ...]
    about: str
    arguments: Mapping[str, Argument]

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of its arguments."""
        return {
            "type": "object",
            "properties": {name: _schema_of(value) for name, value in self.arguments.items()},
            "required": [name for name, value in self.arguments.items() if value.required],
            "additionalProperties": False,
        }

    def command_line(self, given: Mapping[str, object]) -> list[str]:
        """Return the command with what is given; it says itself what is missing or unknown."""
        options, values = list[str](), list[str]()
        in_order = {name: given[name] for name in self.arguments if name in given}
        for name, value in {**in_order, **given}.items():
            argument = self.arguments.get(name)
            for each in value if isinstance(value, list) else [value]:
                if argument and argument.field_info.kind is Parameter.POSITIONAL_ONLY:
                    values.append(str(each))
                elif each is not False:
                    option = f"--{name.replace('_', '-')}"
                    options.append(option if each is True else f"{option}={each}")
        return [*self.words, "--json", *options, "--", *values]

    async def run(self, folder: Path, arguments: Mapping[str, object]) -> dict[str, Any]:
        """Run the command in a process of its own, which ends with this call.

        Returns:
            Its exit code, what that means, its result, and what else it said.
        """
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "llamaindex_rag_eval", *self.command_line(arguments)),
            cwd=folder,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            stdout, stderr = await process.communicate()
        finally:
            if process.returncode is None:  # the call was cancelled
                process.terminate()
        code = process.returncode
        return {
            "exit_code": code,
            "meaning": EXITS.get(Exit(code), "") if code in set(Exit) else f"ended with {code}",
            "result": _result_of(stdout.decode(errors="replace")),
            "notes": stderr.decode(errors="replace").splitlines()[-LAST_LINES:],
        }


def _schema_of(argument: Argument) -> dict[str, Any]:
    """Return the JSON schema of an argument; what may be left out need not allow null."""
    schema = TypeAdapter(argument.hint).json_schema()
    schemas = [each for each in schema.get("anyOf", [schema]) if each.get("type") != "null"]
    form, default = argument.parameter.metavar, argument.field_info.default
    about = " ".join((argument.parameter.help or "").split())
    shown = {"default": default} if isinstance(default, str | int | float) else {}
    return {**schemas[0], "description": f"{form}: {about}" if form else about, **shown}


def command_tools() -> dict[str, Tool]:
    """Return the tools, by name, without rare options: a project's rag-eval.toml takes them."""
    from llamaindex_rag_eval.cli.app import application  # which imports this module

    app = application()
    by_name = {}
    for name in TOOLS:
        command = command_at(app, name)
        function = command.default_command
        about = (function.__doc__ or "").split("\n    Args:")[0].strip()
        arguments = {
            value.names[0].lstrip("-").replace("-", "_").lower(): value
            for value in command.assemble_argument_collection(parse_docstring=True)
            if value.show and value.parse and RARE.isdisjoint(value.names)
        }
        by_name[name] = Tool(PATHS[name], f"{about}\n\n{command.help_epilogue}", arguments)
    return by_name


def _result_of(printed: str) -> object:
    try:
        return json.loads(printed) if printed.strip() else None
    except ValueError:
        return printed
