"""`rag-eval more mcp`: the commands as tools of a coding agent, by the Model Context Protocol."""

import asyncio
import json
import mimetypes
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.util import find_spec
from inspect import Parameter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cyclopts.argument import Argument
from pydantic import TypeAdapter

from llamaindex_rag_eval.cli.commands import PATHS, RARE, command_at
from llamaindex_rag_eval.cli.errors import EXITS, Exit
from llamaindex_rag_eval.errors import InputError

if TYPE_CHECKING:
    from mcp import types
    from mcp.server import Server

TOOLS = [
    *("init", "generate", "run", "evaluate", "compare", "gate"),
    *("report", "diagnose", "align", "runs", "show", "metrics"),
]
"""The commands that an agent is offered: those that end by themselves and need no browser."""

ABOUT = (
    "Evaluates LlamaIndex query engines. `generate` writes a golden set from a folder of "
    "documents, `run` asks an engine its questions, `evaluate` scores the answers, `compare` and "
    "`gate` decide between two runs, `diagnose` finds where right answers are lost. A decision "
    "'cannot tell' is no permission to ship: it says how many questions would tell."
)
FAILED = frozenset({Exit.WRONG, Exit.STOPPED})
"""Exit codes that are errors; the others are results, as a gate that does not hold."""

WRITTEN = frozenset({"junit", "out", "report", "summary"})
"""Options that name a file to write."""

LAST_LINES = 30
"""Lines of what a command says beside its result that an agent is shown."""

LARGEST_FILE = 2_000_000
"""Bytes up to which a written file is handed out as a resource."""


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
    from mcp.server.stdio import stdio_server

    if not folder.is_dir():
        raise InputError(f"expected a folder, got {str(folder)!r}")

    server = Commands(folder.resolve()).server()

    async def serve() -> None:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    asyncio.run(serve())


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


def _schema_of(argument: Argument) -> dict[str, Any]:
    """Return the JSON schema of an argument; what may be left out need not allow null."""
    schema = TypeAdapter(argument.hint).json_schema()
    schemas = [each for each in schema.get("anyOf", [schema]) if each.get("type") != "null"]
    form, default = argument.parameter.metavar, argument.field_info.default
    about = " ".join((argument.parameter.help or "").split())
    shown = {"default": default} if isinstance(default, str | int | float) else {}
    return {**schemas[0], "description": f"{form}: {about}" if form else about, **shown}


def _tools() -> dict[str, Tool]:
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


@dataclass
class Commands:
    """The commands in a folder, and which files they wrote.

    Attributes:
        folder: Where they run.
        tools: The tools, by name.
        written: The files, by address.
    """

    folder: Path
    tools: Mapping[str, Tool] = field(default_factory=_tools)
    written: dict[str, Path] = field(default_factory=dict)

    def server(self) -> "Server[Any]":
        """Return the server of these tools and files."""
        from mcp.server import Server

        return Server(
            "rag-eval",
            version=version("llamaindex-rag-eval"),
            instructions=ABOUT,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_read_resource=self._read_resource,
        )

    async def _list_tools(self, _context: object, _params: object) -> "types.ListToolsResult":
        from mcp import types

        return types.ListToolsResult(
            tools=[
                types.Tool(name=name, description=tool.about, input_schema=tool.schema())
                for name, tool in self.tools.items()
            ]
        )

    async def _call_tool(
        self, _context: object, params: "types.CallToolRequestParams"
    ) -> "types.CallToolResult":
        from mcp import types

        try:
            outcome = await self.run(params.name, params.arguments or {})
        except InputError as error:
            outcome = {"exit_code": int(Exit.WRONG), "meaning": str(error)}
        text = json.dumps(outcome, ensure_ascii=False)
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text)],
            structured_content=outcome,
            is_error=outcome["exit_code"] not in EXITS or outcome["exit_code"] in FAILED,
        )

    async def run(self, name: str, arguments: Mapping[str, object]) -> dict[str, Any]:
        """Run a command in a process of its own, which ends with this call.

        Returns:
            Its exit code, what that means, its result, what else it said, and the files it wrote.

        Raises:
            InputError: There is no such tool.
        """
        if name not in self.tools:
            raise InputError(f"no tool {name!r}; there are {', '.join(self.tools)}")
        words = self.tools[name].command_line(arguments)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "llamaindex_rag_eval", *words),
            cwd=self.folder,
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
        notes = stderr.decode(errors="replace").splitlines()[-LAST_LINES:]
        result = _result_of(stdout.decode(errors="replace"))
        return {
            "exit_code": code,
            "meaning": EXITS.get(Exit(code), "") if code in set(Exit) else f"ended with {code}",
            "result": result,
            "notes": notes,
            "files": self._files(arguments, result),
        }

    def _files(self, arguments: Mapping[str, object], result: object) -> list[str]:
        """Remember the files that a command was told to write, and the run that it wrote."""
        named = [value for option, value in arguments.items() if option in WRITTEN]
        run = result.get("run") if isinstance(result, dict) else None
        paths = [self.folder / str(value) for value in (*named, *([run] if run else []))]
        written = {path.as_uri(): path for path in paths if path.is_file()}
        self.written |= written
        return list(written)

    async def _list_resources(
        self, _context: object, _params: object
    ) -> "types.ListResourcesResult":
        from mcp import types

        return types.ListResourcesResult(
            resources=[
                types.Resource(uri=address, name=path.name, mime_type=_kind_of(path))
                for address, path in self.written.items()
                if path.is_file()
            ]
        )

    async def _read_resource(
        self, _context: object, params: "types.ReadResourceRequestParams"
    ) -> "types.ReadResourceResult":
        from mcp import MCPError, types

        address = str(params.uri)
        path = self.written.get(address)
        if path is None or not path.is_file():
            wrong = f"no command of this session wrote {address!r}"
            raise MCPError(types.INVALID_PARAMS, wrong)
        if path.stat().st_size > LARGEST_FILE:
            wrong = f"{path.name} is larger than {LARGEST_FILE:,} bytes; read it from disk"
            raise MCPError(types.INVALID_PARAMS, wrong)
        text = path.read_text("utf-8", errors="replace")
        kind = _kind_of(path)
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=address, mime_type=kind, text=text)]
        )


def _kind_of(path: Path) -> str:
    return mimetypes.guess_type(path.name)[0] or "text/plain"


def _result_of(printed: str) -> object:
    try:
        return json.loads(printed) if printed.strip() else None
    except ValueError:
        return printed
