"""Neither files of this machine nor keys leave it: not to a judge, nor into what is written."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command_line import rag_eval
from tests.engines.test_http import Service, service as service
from tests.server import LoopbackServer

ENV_KEY = "odd/key/0123456789"
KEY = "sk-proj-abcdefghijklmnop"

ENGINE = f"""
def answer(question):
    if "ferry" in question:
        raise ValueError("no account for {KEY}, nor {ENV_KEY}")
    return {{"response": "Refused: {ENV_KEY}", "contexts": ["The key is {ENV_KEY}."]}}
"""

PNG = b"\x89PNG\r\n\x1a\npixels"


@pytest.fixture
def judge() -> Iterator[LoopbackServer]:
    """Return a judge that keeps what it is sent."""
    with LoopbackServer(responders="tests.models.responders:RESPONDERS", record=True) as running:
        yield running


def questions(folder: Path, *texts: str) -> Path:
    path = folder / "questions.jsonl"
    path.write_text("".join(json.dumps({"question": text}) + "\n" for text in texts))
    return path


def test_a_key_in_an_error_or_an_answer_is_in_no_file_and_no_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "leaking_app.py").write_text(ENGINE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("LEAKING_APP_KEY", ENV_KEY)
    asked = questions(tmp_path, "Who built the ferry?", "What is the key?")
    out = tmp_path / "out"
    answers, scores = out / "answers.jsonl", out / "scores.csv"
    done = [
        rag_eval("run", asked, "--engine", "leaking_app:answer", "-o", answers),
        rag_eval("evaluate", answers, "-m", "faithfulness", "-o", scores),
        rag_eval("evaluate", answers, "-m", "faithfulness", "-o", scores, "--json"),
        rag_eval("report", scores.with_suffix(".jsonl"), "-o", out / "report.html"),
    ]
    printed = "".join(one.output for one in done)
    written = {path.name: path.read_text() for path in out.iterdir()}
    assert {"answers.jsonl", "scores.csv", "scores.jsonl", "report.html"} <= set(written)
    for name, text in {**written, "output": printed}.items():
        assert KEY not in text, name
        assert ENV_KEY not in text, name
        assert "no account for [key], nor [key]" in text or name == "scores.csv", name


def test_an_answer_of_0_1_that_holds_a_key_is_masked_when_it_is_read(tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    row = {"question": "q", "error": f"ValueError: {KEY}", "latency": 1.0}
    answers.write_text(json.dumps(row) + "\n")
    scores = tmp_path / "scores.csv"
    rag_eval("evaluate", answers, "-m", "faithfulness", "-o", scores)
    assert KEY not in scores.read_text() + scores.with_suffix(".jsonl").read_text()


def judged(answers: Path, judge: LoopbackServer, *options: object) -> tuple[int, str, str]:
    """Return exit code, output, and all that the judge was sent."""
    llm = f"openai-like:{judge.url}:gpt-4o-mini"
    command = ("evaluate", answers, "-m", "faithfulness", "-o", answers.with_name("scores.csv"))
    done = rag_eval(*command, "--llm", llm, *options)
    return done.exit_code, done.output, json.dumps(judge.requests())


def test_a_path_in_a_reply_of_a_service_reaches_neither_the_answers_nor_the_judge(
    tmp_path: Path, service: Service, judge: LoopbackServer
) -> None:
    secret = tmp_path / "secret.png"
    secret.write_bytes(PNG)
    image = {"path": str(secret), "mimetype": "image/png", "caption": "a pump"}
    service.replies = [(200, {"answer": "It is a pump.", "contexts": [image]})]
    asked, answers = questions(tmp_path, "What is it?"), tmp_path / "answers.jsonl"
    assert rag_eval("run", asked, "--engine", service.url, "-o", answers).exit_code == 0
    assert json.loads(answers.read_text())["contexts"] == ["a pump"]
    code, output, sent = judged(answers, judge, "--images", tmp_path)
    assert code == 0, output
    assert "image_url" not in sent


def test_files_are_shown_to_a_judge_only_from_the_folder_that_is_named(
    tmp_path: Path, judge: LoopbackServer
) -> None:
    images = tmp_path / "images"
    images.mkdir()
    (images / "pump.png").write_bytes(PNG)
    answers = tmp_path / "answers.jsonl"
    row = {"question": "What?", "response": "It is a pump.", "contexts": [{"path": "pump.png"}]}
    answers.write_text(json.dumps(row) + "\n")

    code, output, sent = judged(answers, judge)
    assert (code, "--images DIR" in output, "image_url" in sent) == (1, True, False)

    code, output, sent = judged(answers, judge, "--images", images)
    assert code == 0, output
    assert f"data:image/png;base64,{base64.b64encode(PNG).decode()}" in sent

    row["contexts"] = [{"path": "/etc/passwd", "mimetype": "image/png"}]
    answers.write_text(json.dumps(row) + "\n")
    judge.reset()
    for options in (("--images", images), ("--images", "/etc")):
        code, output, sent = judged(answers, judge, *options)
        assert (code, judge.stats().calls) == (2, 0)
        assert "'/etc/passwd' is not read: " in output


def test_comparing_reads_no_other_file(tmp_path: Path, judge: LoopbackServer) -> None:
    answers = tmp_path / "answers.jsonl"
    row = {"question": "What?", "response": "A pump.", "contexts": [{"path": "/etc/passwd"}]}
    answers.write_text(json.dumps(row) + "\n")
    llm = f"openai-like:{judge.url}:gpt-4o-mini"
    options = ("-m", "faithfulness", "--llm", llm, "--images", tmp_path)
    done = rag_eval("compare", answers, answers, *options)
    assert (done.exit_code, judge.stats().calls) == (2, 0)
    assert "'/etc/passwd' is not read: " in done.output
