"""Every command that takes an LLM takes all options of its calls; none does without one."""

import json
from pathlib import Path

import pytest

from llamaindex_rag_eval.cli.commands import PATHS
from tests.cli.command_line import rag_eval
from tests.models.asking import serving
from tests.server import LoopbackServer

SAMPLE = {"query": "Who?", "response": "Ada is tall.", "contexts": ["Ada is tall."]}
ADDED = ("llm", "call", "verbose")


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps(SAMPLE), encoding="utf-8")
    return path


WITH_LLM = ("compare", "demo", "evaluate", "generate", "refresh", "sweep")


@pytest.mark.parametrize("name", WITH_LLM)
def test_a_command_with_an_llm_has_all_of_its_options(name: str) -> None:
    shown = rag_eval(*PATHS[name], "--help-all").stdout
    assert [option for option in ADDED if f"--{option}" not in shown] == []


def test_the_options_reach_the_wire_and_verbose_tells_what_was_found(answers: Path) -> None:
    with serving(record=True, forms={"taken": ["object"], "status": 500}) as server:
        calls = (f"base-url={server.url}", "reply-limit=222", "retries=1")
        given = ("--llm", "openai-like:by-cli", *(f"--call={each}" for each in calls))
        out = answers.with_name("scores.csv")
        done = rag_eval(
            "evaluate",
            answers,
            "-m",
            "faithfulness",
            "-o",
            out,
            *given,
            "--verbose",
        )
        bodies = server.requests()
    assert done.exit_code == 0
    assert "by-cli at http://127.0.0.1" in done.stderr
    assert "is asked by 'object'" in done.stderr
    assert {body["max_tokens"] for body in bodies} == {222}
    assert "schema" in bodies[-1]["response_format"]


@pytest.mark.parametrize(
    ("given", "asked"), [((), True), (("--call", "logprobs=no"), None), (("--no-logprobs",), None)]
)
def test_log_probabilities_are_asked_for_unless_it_is_said(
    answers: Path, given: tuple[str, ...], asked: bool | None
) -> None:
    with serving(record=True) as server:
        llm = ("--llm", "openai-like:weighed-by-cli", f"--call=base-url={server.url}", *given)
        out = answers.with_name("scores.csv")
        done = rag_eval("evaluate", answers, "-m", "faithfulness", "-o", out, *llm)
        *_, last = server.requests()
    assert done.exit_code == 0
    assert last.get("logprobs") is asked


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (("--call", "timeout=3"), "--call timeout=3"),
        (("--timeout", "3"), "--call timeout=3"),
        (("--no-logprobs",), "--call logprobs=no"),
    ],
)
def test_settings_of_calls_need_an_llm(answers: Path, given: tuple[str, ...], named: str) -> None:
    done = rag_eval("evaluate", answers, *given, "-q")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"error: {named} needs --llm: rules are not called\n"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("reply-format=xml", "--call reply-format=xml: expected 'schema', 'object', 'json'"),
        ("timeout=0", "--call timeout=0: expected greater than or equal to 0.1"),
        ("patience=soon", "patience"),
        ("wait=9", "'wait=9': expected KEY=VALUE with a key of base-url, timeout"),
        ("timeout", "expected KEY=VALUE"),
    ],
)
def test_a_setting_that_does_not_exist_is_named(answers: Path, given: str, reason: str) -> None:
    done = rag_eval("evaluate", answers, "--llm", "openai-like:http://x/v1:m", "--call", given)
    assert done.exit_code == 2
    assert reason in done.output


def test_options_of_an_earlier_version_are_taken_and_named_anew(answers: Path) -> None:
    llm = ("--llm", "openai-like:http://x/v1:m", "--dry-run")
    done = rag_eval("evaluate", answers, "-m", "faithfulness", *llm, "--timeout", 9, "--retries=1")
    assert done.exit_code == 0
    assert "`--timeout` is now `--call timeout=9`" in done.stderr
    assert "`--retries` is now `--call retries=1`" in done.stderr
    assert "now" not in rag_eval("evaluate", answers, *llm, "--timeout", 9, "-q").stderr


def test_a_dry_run_needs_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    answers = tmp_path / "a.jsonl"
    answers.write_text('{"query": "Where?", "response": "There.", "contexts": ["There."]}')
    arguments = ("evaluate", answers, "-m", "faithfulness", "--llm", "openai:gpt-4o-mini")

    assert "2 calls" in rag_eval(*arguments, "--dry-run").stdout
    assert "OPENAI_API_KEY" in rag_eval(*arguments).stderr


def test_help_says_what_the_model_does_in_each_command() -> None:
    def about(command: str) -> str:
        return " ".join(rag_eval(command, "--help").stdout.replace("│", " ").split())

    assert "that model writes and verifies" in about("generate")
    assert "that model checks what changed" in about("refresh")
    assert "The model that judges" in about("evaluate")


def test_a_suite_is_asked_for_in_one_request(answers: Path) -> None:
    answers.write_text(json.dumps({**SAMPLE, "reference": "Ada is tall."}), encoding="utf-8")
    words = ("evaluate", answers, "-m", "faithfulness,context_recall,answer_verdict")
    with LoopbackServer(responders="tests.server.judge_responders:RESPONDERS") as server:
        llm = ("--llm", f"openai-like:{server.url}:m", "--no-cache")
        calls = []
        for suite in ("separate", "one"):
            server.reset()
            done = rag_eval(*words, *llm, "--suite", suite, "-o", answers.with_name(f"{suite}.csv"))
            assert done.exit_code == 0, done.output
            calls.append(server.stats().calls)
        # Claims (of equal texts, once), their support by the contexts, and the verdict.
        assert calls == [3, 1]
    alone = rag_eval(*words, "--suite", "one")
    assert (alone.exit_code, "--suite one needs --llm" in alone.stderr) == (2, True)
    assert rag_eval(*words, "--suite", "two").exit_code == 2
