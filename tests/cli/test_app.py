"""The application: help, version, and errors as one line and an exit code."""

import subprocess
import sys
from pathlib import Path

import pytest

from llamaindex_rag_eval.cli.app import COMMANDS, GROUPS, application
from tests.cli.command_line import DOCS, rag_eval


def test_every_command_teaches_with_an_example() -> None:
    for name in COMMANDS:
        assert f"Example: rag-eval {name} " in rag_eval(name, "--help").stdout
    assert "Exit codes: 0 " in rag_eval("--help").stdout


def options_of(command: str) -> list[str]:
    """Return the options of a command, each by its first name, in the order of help."""
    arguments = application(project=False)[command].assemble_argument_collection()
    return [one.name for one in arguments if one.parse and one.name.startswith("--")]


def test_help_begins_with_the_commands_that_a_newcomer_needs() -> None:
    first = ["init", "generate", "run", "evaluate", "compare", "report"]
    assert list(next(iter(GROUPS.values()))) == first
    shown = rag_eval("--help").stdout
    assert [shown.index(f"│ {name} ") for name in [*first, "metrics"]] == sorted(
        shown.index(f"│ {name} ") for name in [*first, "metrics"]
    )


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("evaluate", ["--metrics", "--out", "--llm", "--max-cost", "--keep", "--timeout", "--on"]),
        ("generate", ["--size", "--llm", "--max-cost", "--personas", "--timeout", "--batch"]),
    ],
)
def test_frequent_options_are_first_in_help(command: str, options: list[str]) -> None:
    shown = rag_eval(command, "--help").stdout
    lines = [shown.index(f"│ {name} ") for name in options]
    assert lines == sorted(lines)


def test_there_are_not_more_options() -> None:
    counts = {name: len(options_of(name)) for name in COMMANDS}
    assert (counts["evaluate"], counts["generate"]) == (37, 40)
    assert sum(counts.values()) <= 308


def test_the_program_runs_as_installed() -> None:
    ran = subprocess.run(
        [str(Path(sys.executable).with_name("rag-eval")), "--version"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout.split()[0]) == (0, "rag-eval")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("evaluate", "nowhere.jsonl"), "file 'nowhere.jsonl': cannot be read"),
        (("metrics", "faithfulnes"), "did you mean 'faithfulness'?"),
        (("generate", "nowhere", "-o", "{tmp}/g.jsonl"), "nowhere"),
        (("generate", "{tmp}/empty", "-o", "{tmp}/g.jsonl"), "empty"),
        (("generate", str(DOCS), "-o", "{tmp}/file/g.jsonl"), "cannot write"),
        (("demo", str(DOCS), "-o", "{tmp}/file"), "cannot write"),
        (("run", "{tmp}/file"), "expected either --engine MODULE:ATTRIBUTE or --docs FOLDER"),
        (("evaluate", "{tmp}/cut.jsonl", "-o", "{tmp}/s.csv"), "line 2"),
        (("evaluate", "{tmp}/cut.jsonl", "-o", "{tmp}/cut.csv"), "would overwrite the answers"),
        (("evaluate", "{tmp}/cut.jsonl", "-o", "{tmp}/s.xls"), "expected a .csv or .jsonl file"),
    ],
)
def test_wrong_input_is_one_clear_line_and_exit_code_2(
    arguments: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    (tmp_path / "cut.jsonl").write_text('{"question": "q", "answer": "a"}\n{"question": "q2", "an')
    done = rag_eval(*(argument.format(tmp=tmp_path) for argument in arguments))
    assert done.exit_code == 2, done.output
    errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1
    assert message in errors[0]
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    ("command", "successor"), [("stability", "evaluate ANSWERS --repeats"), ("trend", "runs -")]
)
def test_a_command_that_is_gone_names_what_does_its_work(command: str, successor: str) -> None:
    for words in ([command, "x"], ["--no-project", command, "x"]):
        done = rag_eval(*words)
        assert done.exit_code == 2
        assert f"no command {command!r} any more; use `rag-eval {successor}" in done.stderr
