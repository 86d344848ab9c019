"""The server of `rag-eval more mcp`; a module of its own, since importing `mcp` is slow."""

import json
import mimetypes
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mcp import types
from mcp.server import MCPServer
from mcp.server.mcpserver.resources import FileResource

from llamaindex_rag_eval.cli.errors import EXITS, Exit
from llamaindex_rag_eval.cli.mcp import Tool

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

LARGEST_FILE = 2_000_000
"""Bytes up to which a written file is handed out as a resource."""


class Commands(MCPServer[Any]):
    """The commands in a folder as tools, and the files that they wrote as resources.

    Args:
        folder: Where they run.
        tools: The tools, by name.
    """

    def __init__(self, folder: Path, tools: Mapping[str, Tool]) -> None:
        super().__init__(
            "rag-eval",
            version=version("llamaindex-rag-eval"),
            instructions=ABOUT,
            log_level="WARNING",
            warn_on_duplicate_resources=False,  # a command may write a file again
        )
        self._folder, self._tools = folder, tools

    async def list_tools(self) -> list[types.Tool]:
        """Return the tools."""
        return [
            types.Tool(name=name, description=tool.about, input_schema=tool.schema())
            for name, tool in self._tools.items()
        ]

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: object = None
    ) -> types.CallToolResult:
        """Run a command, which says itself what is wrong; return what came of it as JSON."""
        del context
        outcome: dict[str, Any] = {
            "exit_code": int(Exit.WRONG),
            "meaning": f"no tool {name!r}; there are {', '.join(self._tools)}",
        }
        if name in self._tools:
            outcome = await self._tools[name].run(self._folder, arguments)
            outcome["files"] = self._files(arguments, outcome["result"])
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=json.dumps(outcome, ensure_ascii=False))],
            structured_content=outcome,
            is_error=outcome["exit_code"] not in EXITS or outcome["exit_code"] in FAILED,
        )

    def _files(self, arguments: Mapping[str, object], result: object) -> list[str]:
        """Offer the files that a command was told to write, and the run that it wrote."""
        named = [value for option, value in arguments.items() if option in WRITTEN]
        run = result.get("run") if isinstance(result, dict) else None
        paths = [self._folder / str(value) for value in (*named, *([run] if run else []))]
        written = {path.as_uri(): path for path in paths if path.is_file()}
        for address, path in written.items():
            if path.stat().st_size <= LARGEST_FILE:
                kind = mimetypes.guess_type(path.name)[0] or "text/plain"
                self.add_resource(
                    FileResource(uri=address, name=path.name, path=path, mime_type=kind)
                )
        return list(written)
