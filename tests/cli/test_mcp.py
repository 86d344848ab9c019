"""`rag-eval more mcp`: the commands as tools of a coding agent, by the protocol's own client."""

import json
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from llamaindex_rag_eval.cli.mcp import TOOLS, Tool, command_tools
from tests import prepared
from tests.cli.command_line import rag_eval

if TYPE_CHECKING:  # every process of a test run imports this module, and one runs it
    from mcp import Client

ROWS = [{"query": "Where?", "response": f"Paris {n}", "reference": "Paris"} for n in range(6)]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return the folder of a project with some answers."""
    lines = [json.dumps({"id": str(number), **row}) for number, row in enumerate(ROWS)]
    (tmp_path / "answers.jsonl").write_text("\n".join(lines), "utf-8")
    return tmp_path


@pytest.fixture
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a command as Python's, which has the packages imported."""
    script = tmp_path_factory.mktemp("bin") / "python"
    words = [f"{prepared.AT}={prepared.address()}", "exec", sys.executable, prepared.FORKED]
    script.write_text(f'#!/bin/sh\n{" ".join(map(str, words))} "$@"\n', "utf-8")
    script.chmod(0o700)
    return str(script)


@cache
def tools() -> Mapping[str, Tool]:
    """Return the tools; to make them takes longer than most calls."""
    return command_tools()


@asynccontextmanager
async def agent(folder: Path) -> AsyncIterator["Client"]:
    """Connect a client to a server in this process."""
    from mcp import Client

    from llamaindex_rag_eval.cli.mcp_server import Commands

    async with Client(Commands(folder, tools())) as client:
        yield client


async def called(client: "Client", tool: str, **arguments: object) -> tuple[dict[str, Any], bool]:
    """Return what a call returned, and whether it is an error."""
    result = await client.call_tool(tool, arguments)
    assert result.structured_content == json.loads(result.content[0].text)  # type: ignore[union-attr] # a text
    return dict(result.structured_content or {}), bool(result.is_error)


async def test_an_agent_is_offered_the_commands_with_their_frequent_options(project: Path) -> None:
    async with agent(project) as client:
        offered = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert list(offered) == TOOLS
    schema = offered["evaluate"].input_schema
    assert schema["required"] == ["answers"]
    assert schema["properties"]["dry_run"]["type"] == "boolean"
    assert "Which metrics" in schema["properties"]["metrics"]["description"]
    assert "workers" not in schema["properties"]
    assert "Example: `rag-eval evaluate" in (offered["evaluate"].description or "")


async def test_an_agent_scores_answers_holds_a_gate_and_reads_what_was_written(
    project: Path, python: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", python)
    async with agent(project) as client:
        scored, failed = await called(
            client, "evaluate", answers="answers.jsonl", metrics="exact_match", out="scores.jsonl"
        )
        assert (scored["exit_code"], failed) == (0, False)
        (address,) = scored["files"]
        (listed,) = (await client.list_resources()).resources
        assert str(listed.uri) == address
        (content,) = (await client.read_resource(address)).contents
        assert '"exact_match"' in content.text  # type: ignore[union-attr] # a text

        gate, failed = await called(client, "gate", run="scores.jsonl", min=["exact_match=.5"])
    assert (gate["exit_code"], failed) == (3, False)
    assert gate["meaning"].startswith("a gate did not hold")
    assert gate["result"]["held"] is False


async def test_a_tool_that_is_not_there_starts_nothing(project: Path) -> None:
    async with agent(project) as client:
        outcome, failed = await called(client, "delete_everything")
    assert failed
    assert "no tool 'delete_everything'" in outcome["meaning"]


@pytest.mark.parametrize(
    ("tool", "arguments", "problem"),
    [
        ("gate", {}, "requires an argument"),
        ("show", {"run": "last", "file": "x"}, "--file"),
        ("show", {"run": "--help"}, "no run is stored at"),
    ],
)
async def test_a_wrong_call_is_told_as_on_the_command_line(
    project: Path,
    python: str,
    monkeypatch: pytest.MonkeyPatch,
    tool: str,
    arguments: dict[str, object],
    problem: str,
) -> None:
    monkeypatch.setattr(sys, "executable", python)
    async with agent(project) as client:
        outcome, failed = await called(client, tool, **arguments)
    assert (outcome["exit_code"], failed) == (2, True)
    assert problem in "\n".join(outcome["notes"])


async def test_what_a_command_says_of_wrong_input_reaches_the_agent(
    project: Path, python: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", python)
    async with agent(project) as client:
        outcome, failed = await called(client, "evaluate", answers="nothing.jsonl")
    assert (outcome["exit_code"], failed) == (2, True)
    assert "nothing.jsonl" in "\n".join(outcome["notes"])


async def test_no_file_is_read_that_no_command_of_the_session_wrote(project: Path) -> None:
    from mcp import MCPError

    async with agent(project) as client:
        with pytest.raises(MCPError, match="Unknown resource"):
            await client.read_resource((project / "answers.jsonl").as_uri())


SERVES = """
import sys
sys.executable, *sys.argv[1:] = sys.argv[1:]  # which starts the commands
from llamaindex_rag_eval.__main__ import main
main()
"""


async def test_the_command_serves_over_stdin_and_stdout(project: Path, python: str) -> None:
    from mcp import Client, StdioServerParameters

    command = ["-c", SERVES, python, "more", "mcp", str(project)]
    async with Client(StdioServerParameters(command=sys.executable, args=command)) as client:
        outcome, failed = await called(client, "metrics", name="mrr")
    assert not failed
    assert outcome["result"]["name"] == "mrr"


def test_a_folder_that_is_not_there_is_refused() -> None:
    refused = rag_eval("more", "mcp", "nowhere")
    assert (refused.exit_code, "expected a folder, got 'nowhere'" in refused.stderr) == (2, True)
