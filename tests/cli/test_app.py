"""The application: help, version, and errors as one line and an exit code."""

import subprocess
import sys
from pathlib import Path

import pytest

from llamaindex_rag_eval.cli.app import application
from llamaindex_rag_eval.cli.commands import FIRST, GROUPS, PATHS, RARE, command_at
from tests.cli.command_line import DOCS, rag_eval


def test_every_command_teaches_with_an_example() -> None:
    app = application()
    for name in PATHS:
        called = " ".join(("rag-eval", *PATHS[name]))
        assert str(command_at(app, name).help_epilogue).startswith(f"Example: `{called} ")
    assert "Example: rag-eval evaluate " in rag_eval("evaluate", "--help").stdout
    assert "Exit codes: 0 " in rag_eval("--help").stdout


def options_of(command: str) -> list[str]:
    """Return the options that help has of a command, by their first names, in its order."""
    arguments = command_at(application(), command).assemble_argument_collection()
    return [one.name for one in arguments if one.parse and one.show and one.name.startswith("--")]


def test_help_begins_with_the_commands_that_a_newcomer_needs() -> None:
    first = ["init", "generate", "run", "evaluate", "compare", "gate", "report"]
    shown = rag_eval("--help").stdout
    lines = [shown.index(f"│ {name} ") for name in [*first, "golden", "more", "runs"]]
    assert lines == sorted(lines)
    commands = [name for commands in FIRST.values() for name in commands]
    assert (len(commands) + len(GROUPS), commands[: len(first)]) == (15, first)


@pytest.mark.parametrize("words", [(), ("--help",), ("golden",), ("more", "--help")])
def test_help_says_what_each_command_does(words: tuple[str, ...]) -> None:
    listed = GROUPS.get(words[0] if words else "", FIRST["Start with these"])
    lines = [line.strip("│ ") for line in rag_eval(*words).stdout.splitlines()]
    for name in listed:
        about = next(line for line in lines if line.startswith(f"{name} ")).removeprefix(name)
        assert len(about.split()) >= 3, name


def test_help_shows_frequent_options_and_all_of_them_when_asked() -> None:
    for name in ("generate", "evaluate"):
        frequent, every = (rag_eval(name, flag).stdout for flag in ("--help", "--help-all"))
        assert len(frequent.splitlines()) <= 60
        assert "--call" not in frequent
        assert all(f"{option} " in every for option in options_of(name))
    shown = [option for name in PATHS for option in options_of(name) if option not in RARE]
    assert len(shown) + len(options_of_all()) <= 150


def options_of_all() -> list[str]:
    """Return the options that every command takes."""
    return [one.name for one in application().meta.assemble_argument_collection() if one.show]


def test_a_rare_option_is_accepted_and_read_from_the_project_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jsonl").write_text('{"query": "q", "response": "a", "reference": "a"}\n')
    line = ("evaluate", "a.jsonl", "-m", "exact_match")
    assert "--clusters" in RARE
    assert rag_eval(*line, "--clusters", "nonsense").exit_code == 2
    (tmp_path / "rag-eval.toml").write_text('[evaluate]\nclusters = "nonsense"\n')
    assert rag_eval(*line).exit_code == 2
    assert rag_eval("--no-project", *line, "--quiet").output == ""


@pytest.mark.parametrize("flags", [(), ("--no-project",)])
def test_an_earlier_name_works_and_reports_its_new_one(flags: tuple[str, ...]) -> None:
    done = rag_eval(*flags, "metrics", "mrr", "--json")
    assert done.exit_code == 0
    assert done.stderr == "`rag-eval metrics` is now `rag-eval more metrics`\n"
    assert done.stdout == rag_eval("more", "metrics", "mrr", "--json").stdout
    assert rag_eval(*flags, "-q", "card", "--help").stderr == ""


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("evaluate", ["--metrics", "--out", "--llm", "--max-cost", "--keep"]),
        ("generate", ["--size", "--llm", "--max-cost", "--personas"]),
    ],
)
def test_frequent_options_are_first_in_help(command: str, options: list[str]) -> None:
    shown = rag_eval(command, "--help").stdout
    lines = [shown.index(f"│ {name} ") for name in options]
    assert lines == sorted(lines)


def test_there_are_not_more_options() -> None:
    counts = {name: len(options_of(name)) for name in PATHS}
    assert (counts["evaluate"], counts["generate"]) == (27, 29)
    assert sum(counts.values()) <= 330


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
        (("run", "{tmp}", "--docs", str(DOCS)), "did you mean '{tmp}/cut.jsonl'?"),
        (
            ("golden", "import", "{tmp}/q.json", "--from", "ragas", "-o", "{tmp}/g.jsonl"),
            "field 'user_input': expected a question under this name; the row has 'ask'",
        ),
        (("evaluate", "{tmp}/cut.jsonl", "--llm", "anthropic:claude-x"), "cannot be set up"),
        (("gate", "{tmp}/table.csv", "--min", "mrr=1"), "expected the .jsonl file"),
        (("more", "calibrate", "{tmp}/t.jsonl"), "is a run; expected labels by people"),
        (("compare", "a", "--baseline", "b"), "no option --baseline here; use the order of"),
        (("gate", "a", "--baseline=b"), "no option --baseline here; use --no-worse-than RUN"),
        (("report", "a", "--baseline", "b"), "Unknown option: --baseline."),
        (("report", "a", "--timeout", "5"), "Unknown option: --timeout."),
        (("metrics", "mrr", "map", "a b"), "unexpected arguments 'map', 'a b'. Example:"),
    ],
)
def test_wrong_input_is_one_clear_line_and_exit_code_2(
    arguments: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    (tmp_path / "q.json").write_text('{"ask": "q"}')
    (tmp_path / "table.csv").write_text("id,mrr\nq,1\n")
    (tmp_path / "t.jsonl").write_text('{"run": {}, "name": "t"}\n')
    (tmp_path / "cut.jsonl").write_text('{"question": "q", "answer": "a"}\n{"question": "q2", "an')
    done = rag_eval(*(argument.format(tmp=tmp_path) for argument in arguments))
    assert done.exit_code == 2, done.output
    errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1
    assert message.format(tmp=tmp_path) in errors[0]
    assert len(errors[0]) < 450
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    ("command", "successor"), [("stability", "compare` on two runs"), ("trend", "ui`, which")]
)
def test_a_command_that_is_gone_names_what_does_its_work(command: str, successor: str) -> None:
    for words in ([command, "x"], ["--no-project", command, "x"]):
        done = rag_eval(*words)
        assert done.exit_code == 2
        assert f"no command {command!r} any more; use `rag-eval {successor}" in done.stderr
