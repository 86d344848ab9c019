"""`rag-eval run`: an engine answers, the default one or the user's."""

import json
from pathlib import Path

import pytest

from tests.cli.command_line import SITES, rag_eval
from tests.server import LoopbackServer
from tests.server.responder import JsonObject, Responder
from testset import Corpus

ENGINE = """
def answer(question):
    if "Vitrel" in question:
        raise ValueError("no such product")
    text = "Calibration is a comparison."
    return {"response": text, "contexts": [text]}
"""


def test_the_default_engines_keep_the_exact_place_of_every_context(main_job: Path) -> None:
    texts = Corpus.read(SITES).texts
    for kind in ("bm25", "embedding"):
        for line in (main_job / f"answers-{kind}.jsonl").read_text().splitlines():
            answer = json.loads(line)
            assert len(answer["contexts"]) == 5
            for context, place in zip(answer["contexts"], answer["context_spans"], strict=True):
                assert texts[place["doc_id"]][place["start"] : place["end"]] == context


def test_a_folder_in_place_of_questions_is_called_that(tmp_path: Path) -> None:
    done = rag_eval("run", tmp_path, "--docs", tmp_path)
    assert done.exit_code == 2
    assert f"{str(tmp_path)!r}: it is a folder; expected a file of samples" in done.stderr


def test_an_engine_that_fails_on_a_question_loses_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "failing_app.py").write_text(ENGINE)
    monkeypatch.syspath_prepend(tmp_path)
    questions = tmp_path / "questions.jsonl"
    rows = [{"question": "What is calibration?"}, {"question": "What is Vitrel?"}]
    questions.write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = tmp_path / "answers.jsonl"
    done = rag_eval("run", questions, "--engine", "failing_app:answer", "-o", out)
    assert done.exit_code == 1
    assert "1 of 2 questions failed, the first with: ValueError: no such product" in done.stderr
    first, second = map(json.loads, out.read_text().splitlines())
    assert first["response"] == "Calibration is a comparison."
    assert second["error"] == "ValueError: no such product"
    done = rag_eval("evaluate", out, "-m", "faithfulness", "-o", tmp_path / "scores.csv")
    assert done.exit_code == 1
    assert "faithfulness: 1 failed: the pipeline gave no answer" in done.stderr


TWO_ENGINES = """
import pathlib

def first(question):
    if question == "What is b?" and not pathlib.Path(__file__).with_name("up").exists():
        raise ValueError("the service is down")
    return "first"

def second(question):
    return "second"
"""


def test_answers_of_two_engines_or_settings_never_mix_in_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "two_apps.py").write_text(TWO_ENGINES)
    monkeypatch.syspath_prepend(tmp_path)
    questions, out = tmp_path / "questions.jsonl", tmp_path / "answers.jsonl"
    questions.write_text('{"question": "What is a?"}\n{"question": "What is b?"}\n')
    command = ["run", questions, "-o", out]
    done = rag_eval(*command, "--engine", "two_apps:first")
    assert (done.exit_code, "kept" in done.stdout) == (1, False)
    half = out.read_text()
    done = rag_eval(*command, "--engine", "two_apps:second")
    assert done.exit_code == 2
    held, wanted = "engine='two_apps:first'", "engine='two_apps:second'"
    assert f"{str(out)!r} holds answers of {held}, not of {wanted}: name another" in done.stderr
    assert out.read_text() == half
    (tmp_path / "up").touch()
    done = rag_eval(*command, "--engine", "two_apps:first")
    assert f"2 answers in {out}: 1 asked, 1 kept of an earlier run. Next" in done.stdout
    assert [json.loads(line)["response"] for line in out.read_text().splitlines()] == ["first"] * 2
    done = rag_eval("--json", *command, "--engine", "two_apps:first")
    assert json.loads(done.stdout)["kept"] == 2


def test_other_settings_of_the_default_engine_need_another_file(tmp_path: Path) -> None:
    questions, out = tmp_path / "questions.jsonl", tmp_path / "answers.jsonl"
    questions.write_text('{"question": "What is calibration?"}\n')
    command = ["run", questions, "--docs", SITES, "-o", out, "--repeats", "2", "--top-k"]
    assert rag_eval(*command, "2").exit_code == 0
    again = rag_eval(*command, "2")
    assert ": 0 asked, 2 kept of an earlier run" in again.stdout
    other = rag_eval(*command, "5")
    assert other.exit_code == 2
    assert "retriever='bm25', top_k=2, not of docs=" in other.stderr
    assert "top_k=5: name another place (--out), or delete this file" in other.stderr


def test_each_question_is_asked_several_times_and_answers_are_told_apart_from_the_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "moody_app.py").write_text(MOODY)
    monkeypatch.syspath_prepend(tmp_path)
    questions, out = tmp_path / "questions.jsonl", tmp_path / "answers.jsonl"
    rows = [{"id": name, "question": f"What is {name}?", "reference": "yes"} for name in "ab"]
    questions.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = rag_eval("run", questions, "--engine", "moody_app:answer", "--repeats", 2, "-o", out)
    assert done.exit_code == 0, done.output
    ids = [json.loads(line)["id"] for line in out.read_text().splitlines()]
    assert ids == ["a", "a#2", "b", "b#2"]
    scored = rag_eval("evaluate", out, "-m", "exact_match", "-o", tmp_path / "s.csv", "--json")
    data = json.loads(scored.stdout)
    # 1 and 0 for either question: all variance is between answers, √(1/2) of it.
    assert data["answers"][0]["share"] == 1
    assert data["answers"][0]["deviation"] == pytest.approx(0.5**0.5)
    assert data["metrics"][0]["effective_n"] == 2


MOODY = """
asked = []

def answer(question):
    asked.append(question)
    return "yes" if asked.count(question) == 1 else "no"
"""


CAREFUL = """
def answer(question):
    text = "It is red." if "Calibration" in question else "It is blue."
    return {"response": text, "contexts": [text]}
"""


def _reworded(_: JsonObject, __: JsonObject) -> JsonObject:
    return {
        "other_words": "Calibration lamp: which colour?",
        "other_language": "Calibration: Farbe?",
    }


def _the_same(given: JsonObject, _: JsonObject) -> JsonObject:
    rows = ({"wording": e["id"], "difference": "", "same": True} for e in given["wordings"])
    return {"verdicts": [*rows]}


WORDING: dict[str, Responder] = {"rewording": _reworded, "same_question": _the_same}


@pytest.fixture
def coloured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "careful_app.py").write_text(CAREFUL)
    monkeypatch.syspath_prepend(tmp_path)
    questions = tmp_path / "questions.jsonl"
    row = {"id": "q", "question": "What colour does the Calibration lamp have?"}
    questions.write_text(json.dumps({**row, "reference": "It is red."}) + "\n")
    return questions


def test_variants_are_asked_too_and_their_flips_are_said(coloured: Path, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    command = ["run", coloured, "--engine", "careful_app:answer", "--variants", "rules", "-o", out]
    dry = rag_eval("--json", *command, "--dry-run")
    assert json.loads(dry.stdout)["engine_calls"] == 5
    assert not out.exists()
    done = rag_eval(*command)
    assert done.exit_code == 0, done.output
    assert len(out.read_text().splitlines()) == 5
    scores = tmp_path / "scores.csv"
    scored = rag_eval("evaluate", out, "-m", "answer_verdict", "-o", scores, "--json")
    flips = {e["kind"]: e["flips"]["value"] for e in json.loads(scored.stdout)["wordings"]}
    assert flips == {"typos": 0, "lower_case": 1, "key_words": 0, "polite": 0}
    shown = rag_eval("runs", "show", tmp_path / "scores.jsonl")
    assert "The share of right answers falls most with lower case: by 1.000" in shown.stdout


def test_a_model_words_questions_once_and_its_replies_are_kept(
    coloured: Path, tmp_path: Path
) -> None:
    with LoopbackServer(responders="tests.cli.test_run:WORDING") as server:
        llm = f"openai-like:{server.url}:gpt-4o-mini"
        command = ["run", coloured, "--engine", "careful_app:answer", "--variants", llm]
        dry = rag_eval("--json", *command, "-o", tmp_path / "a.jsonl", "--dry-run")
        assert server.stats().calls == 0
        assert json.loads(dry.stdout)["calls"] == 2
        assert json.loads(dry.stdout)["engine_calls"] == 7
        assert rag_eval(*command, "-o", tmp_path / "a.jsonl").exit_code == 0
        assert server.stats().by_name == {"rewording": 1, "same_question": 1}
        rows = (tmp_path / "a.jsonl").read_text().splitlines()
        asked = [json.loads(row)["query"] for row in rows]
        assert asked[-2:] == ["Calibration lamp: which colour?", "Calibration: Farbe?"]
        (tmp_path / "a.jsonl").unlink()
        assert rag_eval(*command, "-o", tmp_path / "a.jsonl").exit_code == 0
        assert server.stats().calls == 2


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--variants", "rules", "--user", "script"], "--user excludes --variants and --dry-run"),
        (["--max-calls", "3"], "are for the model of --user or --variants"),
        (["--user", "script", "--max-calls", "3"], "are for the model of --user or --variants"),
        (["--variants", "typos"], "--variants 'typos': expected 'rules', or an LLM as 'openai:"),
        (["--user", "nobody"], "--user 'nobody': expected 'script', or an LLM as 'openai:"),
    ],
)
def test_options_that_do_not_fit_are_one_clear_line(
    coloured: Path, options: list[str], sentence: str
) -> None:
    done = rag_eval("run", coloured, "--engine", "careful_app:answer", *options)
    assert done.exit_code == 2
    assert sentence in done.stderr
