"""Recorded judgements: rounds of requests, replies by hand, and figures from records alone."""

import contextlib
import io
import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from llamaindex_rag_eval.judge import ClaimsOf
from llamaindex_rag_eval.models import Prompt
from tests.benchmarks.judge_by_model import RECORDS, main
from tests.benchmarks.recorded.records import Asked, asked_in, decisions, read_records
from tests.models.responders import BY_NAME

RECORDED = sorted(RECORDS.glob("*-20*.jsonl"))


@pytest.fixture(scope="module")
def sets(tmp_path_factory):
    """A labelled set of which every faithful response stands in its source, and no other does."""
    rows = [
        {
            "id": f"q{number}",
            "group": str(number),
            "question": "And the mill?",
            "response": f"Mill {number} is red.",
            "contexts": [f"Mill {number if number % 2 else number + 1} is red."],
            "labels": {"faithful": number % 2},
        }
        for number in range(40)
    ]
    folder = tmp_path_factory.mktemp("sets")
    (folder / "q2_wow.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAG_EVAL_DATA", str(folder))
        yield


def answer_by_words(work: Path, to: Path) -> None:
    """Answer every request as a model that judges by the words."""
    with to.open("w", encoding="utf-8") as file:
        for asked in asked_in(work):
            body = {"messages": [{"role": role, "content": text} for role, text in asked.messages]}
            reply = BY_NAME[asked.prompt]({}, body)
            file.write(json.dumps({"custom_id": asked.custom_id, "reply": reply}) + "\n")


@pytest.fixture(scope="module")
def judged(sets, tmp_path_factory):
    """The set judged in rounds: the file of records, and what was printed."""
    folder = tmp_path_factory.mktemp("judged")
    work, answers, kept = folder / "work", folder / "answers.jsonl", folder / "kept"
    with contextlib.redirect_stdout(io.StringIO()) as said:
        for _ in range(3):
            main(["--sources", "q2", "write", str(work)])
            answer_by_words(work, answers)
            main(["answers", str(work), str(answers), "--model", "words"])
        main(["record", str(work), "--model", "words", "--date", "2026-01-31", "--to", str(kept)])
    return kept / "words-2026-01-31.jsonl", said.getvalue()


def test_replies_of_a_few_rounds_are_recorded_and_give_the_same_figures_again(judged, capsys):
    path, said = judged
    # Each of 24 samples is asked for its claims, then for their support.
    assert "round-1.requests.jsonl: 24 requests (claims 24)" in said
    assert "round-2.requests.jsonl: 24 requests (support 24)" in said
    figure = "| q2_wow | faithfulness | 24 | AUC | 1.00 [1.00, 1.00] |"
    assert said.count(figure) == 1  # after both rounds
    records = read_records(path)
    assert len(records) == 48
    assert {(r.model, r.date) for r in records} == {("words", "2026-01-31")}
    main(["--sources", "q2", "report", str(path)])
    report = capsys.readouterr().out
    assert figure in report
    assert "requests of the rounds: 24, 24" in report
    assert "orphaned by a changed prompt: none" in report


def test_a_changed_prompt_orphans_its_records_and_says_so(judged, capsys, monkeypatch):
    path, _ = judged
    prompt = ClaimsOf.prompt
    assert isinstance(prompt, Prompt)
    monkeypatch.setattr(ClaimsOf, "prompt", prompt.changed(instruction="List the claims."))
    main(["--sources", "q2", "report", str(path)])
    report = capsys.readouterr().out
    assert "24 pending" in report
    assert "orphaned by a changed prompt: claims 24" in report
    assert "others that were not asked for: support 24" in report


def test_shards_hold_every_open_request_and_its_prompt_once(tmp_path, capsys):
    main(["--sources", "made", "write", str(tmp_path)])
    main(["shards", str(tmp_path), "--size", "15"])
    asked = list(asked_in(tmp_path))
    texts = [path.read_text("utf-8") for path in sorted(tmp_path.glob("shard-*.txt"))]
    assert len(texts) == -(-len(asked) // 15)
    for each in asked:
        (text,) = (text for text in texts if f"### REQUEST {each.custom_id}\n" in text)
        assert each.user in text
        assert text.count(each.system) == 1


def test_an_answer_to_nothing_that_was_asked_is_named(tmp_path, capsys):
    main(["--sources", "made", "write", str(tmp_path)])
    (tmp_path / "mine.txt").write_text('{"custom_id": "x-1", "reply": "{}"}\n', encoding="utf-8")
    main(["answers", str(tmp_path), str(tmp_path / "mine.txt")])
    found = capsys.readouterr()
    assert "'x-1' was not asked" in found.err
    assert "0 replies" in found.out


def test_the_same_words_are_the_same_record_whatever_the_request_is_called() -> None:
    messages = (("system", "s"), ("user", "u"))
    first = Asked("a-1", "claims", messages)
    assert first.id == Asked("b-2", "claims", messages).id
    assert first.id != Asked("a-1", "claims", messages, seed=1).id
    assert first.id != Asked("a-1", "claims", (*messages, ("assistant", "{}"))).id


def test_files_of_a_model_are_read_together_and_replies_given_twice_are_compared(
    judged, tmp_path, capsys
):
    path, _ = judged
    support = [record for record in read_records(path) if record.prompt == "support"]
    output = {"verdicts": [{"claim": 1, "evidence": [1, "why"], "verdict": "partly"}]}
    other = replace(support[0], reply=json.dumps(output), date="2026-02-01")
    later = tmp_path / "words-2026-02-01.jsonl"
    lines = [json.dumps(asdict(record)) for record in (other, *support[1:])]
    later.write_text("\n".join(lines), encoding="utf-8")
    main(["--sources", "q2", "report", str(path), str(later)])
    report = capsys.readouterr().out
    assert "words: 72 replies by words, 2026-01-31; words, 2026-02-01" in report
    assert "support asked twice: 24 replies, 23 of 24 decisions alike" in report
    assert "24 judged, 0 pending" in report


def test_what_a_reply_decides_is_told_without_its_reasons() -> None:
    support = {"verdicts": [{"claim": 2, "evidence": [1, "why"], "verdict": "supported"}]}
    entities = {"entities": [{"entity": "Ada", "named_in": [1, 2]}]}
    verdict = {"reason": "It names nobody.", "faults": [], "verdict": "not_attempted"}
    assert decisions(json.dumps(support)) == {"2": "supported"}
    assert decisions(json.dumps(entities)) == {"Ada": [1, 2]}
    assert decisions(json.dumps(verdict)) == {"": "not_attempted"}


def test_the_records_of_texts_of_our_own_replay_and_their_figures_are_printed(capsys):
    count = sum(len(read_records(path)) for path in RECORDED)
    main(["--sources", "made", "report", *map(str, RECORDED)])
    report = capsys.readouterr().out
    assert f"{count} replies by" in report
    assert "orphaned by a changed prompt" in report
    assert "| refusal | right | 10 |" in report or "critique" in report.split("orphaned")[1]
