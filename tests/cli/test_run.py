"""`rag-eval run`: an engine answers, the default one or the user's."""

import json
from pathlib import Path

import pytest

from tests.cli.command_line import DOCS, rag_eval
from testset import Corpus

ENGINE = """
def answer(question):
    if "Vitrel" in question:
        raise ValueError("no such product")
    text = "Calibration is a comparison."
    return {"response": text, "contexts": [text]}
"""


def test_the_default_engines_keep_the_exact_place_of_every_context(main_job: Path) -> None:
    texts = Corpus.read(DOCS).texts
    for kind in ("bm25", "embedding"):
        for line in (main_job / f"answers-{kind}.jsonl").read_text().splitlines():
            answer = json.loads(line)
            assert len(answer["contexts"]) == 5
            for context, place in zip(answer["contexts"], answer["context_spans"], strict=True):
                assert texts[place["doc_id"]][place["start"] : place["end"]] == context


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
    assert "faithfulness: 1 failed: EngineError" in done.stderr
