"""Comparing: engines, answers and finished runs in one call, with one family of tests."""

from collections.abc import Callable
from pathlib import Path

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.decisions.compare import acompare, compare
from llamaindex_rag_eval.decisions.comparison import Comparison
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.run import Run
from tests.report.runs import run_of_scores, sample

GOLDEN = [
    SingleTurnSample(id=f"q{n}", query=f"What is {n}?", reference=f"It is {n}.") for n in range(8)
]


def answering(says: Callable[[str], str]) -> Callable[[str], str]:
    """Return an engine that says this of each question's number."""
    return lambda question: says(question.removeprefix("What is ").removesuffix("?"))


ENGINES = {
    "wrong": answering(lambda number: "No idea."),
    "right": answering(lambda number: f"It is {number}."),
    "late": answering(lambda number: f"It is {number}." if int(number) > 3 else "No idea."),
}


def test_engines_answer_are_scored_and_are_held_against_the_first() -> None:
    found = compare(ENGINES, GOLDEN, metrics=["exact_match"])
    assert found.names == ("wrong", "right", "late")
    right, late = (pair.contrast("exact_match") for pair in found.pairs)
    assert right is not None
    assert late is not None
    assert (right.difference, late.difference) == (1.0, 1 / 2)
    # 8 gaps of 1: p = 2 / 2**8. "late" differs on 4 questions from either other, each shown by
    # 2 / 2**4 of the changes of sign: by either in 1 - (1 - 1/8)² of them.
    assert (right.p_adjusted, late.p_adjusted) == (2 / 2**8, 15 / 64)


async def test_a_run_can_stand_for_its_engine() -> None:
    run = (await acompare(ENGINES, GOLDEN, metrics=["exact_match"])).baseline
    found = await acompare({"right": ENGINES["right"], "kept": run}, GOLDEN)
    assert found.names == ("right", "kept")
    assert found.pairs[0].contrasts[0].difference == -1.0


def test_a_comparison_leaves_its_answers_and_runs_in_a_folder_and_goes_on_from_there(
    tmp_path: Path,
) -> None:
    compare(ENGINES, GOLDEN, metrics=["exact_match"], out=tmp_path)
    assert Run.read(tmp_path / "2-right.jsonl").name == "right"

    def broken(question: str) -> str:
        raise AssertionError(question)

    again = compare(dict.fromkeys(ENGINES, broken), GOLDEN, metrics=["exact_match"], out=tmp_path)
    assert again.pairs[0].contrasts[0].difference == 1.0


def test_what_cannot_be_compared_is_refused() -> None:
    a = run_of_scores("a", {"m": [0.5]})
    elsewhere = run_of_scores("b", {"m": [0.5]}, samples=[sample("z")])
    with pytest.raises(InputError, match="two runs or more, got 1"):
        compare({"a": a})
    with pytest.raises(InputError, match="no question in common"):
        compare({"a": a, "b": elsewhere})
    with pytest.raises(InputError, match="'wrong' needs questions"):
        compare({"a": a, "wrong": ENGINES["wrong"]})


def test_two_runs_as_they_are_give_one_comparison() -> None:
    a, b = (run_of_scores(name, {"m": [0.5, 1.0]}) for name in "ab")
    assert isinstance(compare(a, b), Comparison)


def test_finished_runs_are_compared_on_the_named_metrics_and_corrected_for_them_alone() -> None:
    scores = {name: [0.0] * 8 for name in "klm"}
    runs = {"a": run_of_scores("a", scores)}
    runs |= {name: run_of_scores(name, {m: [1.0] * 8 for m in "klm"}) for name in "bc"}
    found = compare(runs, metrics=["l", "m"])
    assert [c.metric.spec for pair in found.pairs for c in pair.contrasts] == ["l", "m"] * 2
    # 8 gaps of 1: p = 2 / 2**8 for all pairs, over .8 for the metric that decides, else over .2.
    shown = [c.p_adjusted for pair in found.pairs for c in pair.contrasts]
    assert shown == pytest.approx([2 / 2**8 / 0.8, 2 / 2**8 / 0.2] * 2)
    assert [info.spec for info in found.metrics] == ["l", "m"]
