"""Failure modes: wrong answers sorted by a model or by words, and the file that people edit."""

from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample, Span
from llamaindex_rag_eval.decisions.labels import HumanLabel, answer_digest
from llamaindex_rag_eval.diagnosis.lost_answers import LostAnswer, LostAnswers
from llamaindex_rag_eval.diagnosis.modes import (
    AT_A_TIME,
    SortedFailure,
    modes_of,
    read_modes,
    sort_failures,
    write_modes,
)
from llamaindex_rag_eval.errors import DatasetError, InputError
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.judge.failure_modes import FailureModes, FailureModesOf, ModeOfFailure
from llamaindex_rag_eval.models import ScriptedOracle, Usage
from llamaindex_rag_eval.runs.run import Run
from tests.report.runs import run_of_scores, sample

NOTES = {
    "q0": "wrong unit: miles, not km",
    "q1": "the unit is wrong, miles",
    "q2": "price from the old tariff",
    "q3": "old tariff, so an old price",
}
QUESTIONS = ("How far is the quay?", "Who built it?", "When does a ship sail?", "Which bell rings?")


def run_of(*scores: float) -> Run:
    samples = [sample(f"q{n}", query=f"{QUESTIONS[n % 4]} {n}") for n in range(len(scores))]
    return run_of_scores("r", {"answer_verdict": scores}, samples=samples)


def labels(notes: Mapping[str, str], value: float = 0.0) -> list[HumanLabel]:
    return [HumanLabel(key, "answer_verdict", value, why=why) for key, why in notes.items()]


def test_without_a_model_notes_with_like_words_are_one_mode_named_by_one_of_them() -> None:
    failures = sort_failures(run_of(0.0, 0.0, 0.0, 0.0), labels(NOTES))
    modes = {entry.id: entry.mode for entry in failures}
    assert modes["q0"] == modes["q1"] != modes["q2"] == modes["q3"]
    assert set(modes.values()) <= set(NOTES.values())
    assert [entry.note for entry in failures] == [*NOTES.values()]


def test_what_people_say_goes_before_the_judge() -> None:
    right, wrong = labels({"q0": ""}, 1.0), labels({"q1": "no"})
    failures = sort_failures(run_of(0.0, 1.0, 1.0), [*right, *wrong])
    assert [entry.id for entry in failures] == ["q1"]
    (unnoted,) = sort_failures(run_of(1.0), labels({"q0": ""}))
    assert unnoted.mode == "unknown"


def test_without_notes_modes_are_causes_and_documents() -> None:
    gold = ((Span(doc_id="a.md", start=0, end=4, quote="12 m."),),)
    samples = [sample(f"q{n}", query=QUESTIONS[n], gold=gold if n < 2 else ()) for n in range(3)]
    run = run_of_scores("r", {"answer_verdict": [0.0] * 3}, samples=samples)
    modes = [entry.mode for entry in sort_failures(run, [])]
    assert modes == ["not passed on: a.md", "not passed on: a.md", "unknown"]


def test_causes_are_those_of_a_diagnosis_where_there_is_one() -> None:
    run = run_of(0.0)
    samples = [entry for entry in run.samples if isinstance(entry, SingleTurnSample)]
    lost = LostAnswers(samples, (LostAnswer(samples[0], ("misread",)),))
    (failure,) = sort_failures(run, [], diagnosis=lost)
    assert failure.mode == "misread"


def test_modes_that_are_known_stay_and_take_what_is_near() -> None:
    known = (
        SortedFailure("units", "q0", answer_digest(run_of(0.0).samples[0].response)),
        SortedFailure("tariffs", "elsewhere", note="price from the old tariff"),
    )
    failures = sort_failures(run_of(0.0, 1.0, 0.0), labels({"q2": "the old tariff price"}), known)
    assert failures[:2] == known
    assert [(entry.id, entry.mode) for entry in failures[2:]] == [("q2", "tariffs")]


def modes(*names: str) -> FailureModes:
    entries = tuple(ModeOfFailure(fault=f"fault of {name}", mode=name) for name in names)
    return FailureModes(failures=entries)


def test_a_model_sorts_and_the_names_that_it_gives_go_into_the_next_call() -> None:
    oracle = ScriptedOracle(modes(*["wrong unit"] * AT_A_TIME), modes("older version"))
    failures = sort_failures(run_of(*[0.0] * (AT_A_TIME + 1)), labels(NOTES), judge=Judge(oracle))
    first, second = (cast("FailureModesOf", request) for request in oracle.asked)
    assert (first.known, second.known) == ((), ("wrong unit",))
    assert first.failures[0].note == NOTES["q0"]
    assert failures[-1].mode == "older version"
    assert (failures[0].note, failures[-1].note) == (NOTES["q0"], "fault of older version")


def test_a_dry_run_counts_the_calls_and_asks_nothing() -> None:
    oracle, usage = ScriptedOracle(), Usage()
    sort_failures(run_of(0.0, 0.0), [], judge=Judge(oracle), usage=usage)
    assert (oracle.asked, usage.as_json()["calls"]) == ([], 1)


def test_a_later_failure_has_the_mode_of_its_line_else_of_the_nearest_question() -> None:
    known = [
        SortedFailure("units", "q0", answer_digest("2 miles"), "How far is the quay from here?"),
        SortedFailure("by hand", "q1"),
        SortedFailure("tariffs", "q9", "", "What does a season ticket cost?"),
    ]
    asked = {
        "q0": "How far is the quay from here?",  # answered otherwise
        "q1": "Who is it?",
        "q2": "What does the season ticket cost?",
        "q3": "Whose bell is it?",
    }
    lost = [LostAnswer(sample(key, query=query), ("unknown",)) for key, query in asked.items()]
    assert modes_of(lost, known) == {"q0": "units", "q1": "by hand", "q2": "tariffs"}
    assert modes_of(lost, []) == {}


def test_a_file_is_read_as_it_was_written_and_the_last_line_about_an_answer_counts(
    tmp_path: Path,
) -> None:
    one = SortedFailure("b", "q1", "d1", "q \u2028?", 'say "no"')
    path = write_modes([one, *(SortedFailure("a", f"q{n}") for n in (3, 2))], tmp_path / "m.jsonl")
    assert [entry.id for entry in read_modes(path)] == ["q2", "q3", "q1"]
    with path.open("a", encoding="utf-8") as file:
        file.write('{"mode": "merged", "id": "q1", "answer": "d1"}\n')
    assert {entry.id: entry.mode for entry in read_modes(path)}["q1"] == "merged"


@pytest.mark.parametrize(("line", "field"), [('{"id": "q"}', "mode"), ('{"mode": "m"}', "id")])
def test_a_line_without_a_mode_or_an_id_is_named(tmp_path: Path, line: str, field: str) -> None:
    path = tmp_path / "modes.jsonl"
    path.write_text(f'{{"mode": "m", "id": "q"}}\n{line}\n')
    with pytest.raises(DatasetError, match=f"line 2.*{field}"):
        read_modes(path)


def test_a_run_whose_metrics_say_of_no_answer_whether_it_is_wrong_is_refused() -> None:
    run = run_of_scores("r", {"mrr": [0.0]}, info={"mrr": {"needs": ("contexts",)}})
    with pytest.raises(InputError, match="evaluate 'answer_verdict'"):
        sort_failures(run, [])
