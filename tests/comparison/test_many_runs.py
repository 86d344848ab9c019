"""Several pipelines in one call: one baseline, one family of tests, one set of questions."""

from collections.abc import Callable
from pathlib import Path

import pytest

from llamaindex_rag_eval.comparison.compare import acompare, compare
from llamaindex_rag_eval.comparison.comparison import Comparison
from llamaindex_rag_eval.comparison.pipelines import grid
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.report import html_report
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
    right, late = (found.contrast(name, "exact_match") for name in ("right", "late"))
    assert right is not None
    assert late is not None
    assert (right.difference, late.difference) == (1.0, 1 / 2)
    # 8 gaps of 1: p = 2 / 2**8; times two pairs. 4 of them: 2 / 2**4, the larger of the two.
    assert (right.p_adjusted, late.p_adjusted) == (2 * 2 / 2**8, 2 / 2**4)


async def test_any_pipeline_can_be_the_baseline_and_a_run_can_stand_for_its_engine() -> None:
    run = (await acompare(ENGINES, GOLDEN, metrics=["exact_match"])).baseline
    found = await acompare({"kept": run, "right": ENGINES["right"]}, GOLDEN, baseline="right")
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


def test_runs_are_compared_on_the_questions_that_all_have_and_it_is_said() -> None:
    runs = {name: run_of_scores(name, {"m": [0.5] * n}) for name, n in (("a", 3), ("b", 4))}
    found = compare({**runs, "c": run_of_scores("c", {"m": [1.0, 0.5]})})
    assert found.questions == 2
    assert [pair.contrasts[0].n for pair in found.pairs] == [2, 2]
    assert found.notes == (
        "Compared on the 2 questions in all runs: 'a' has 1 more, 'b' has 2 more.",
    )


def test_what_cannot_be_compared_is_refused() -> None:
    a = run_of_scores("a", {"m": [0.5]})
    elsewhere = run_of_scores("b", {"m": [0.5]}, samples=[sample("z")])
    with pytest.raises(InputError, match="two pipelines or more, got 1"):
        compare({"a": a})
    with pytest.raises(InputError, match="'c' is no run; expected one of 'a', 'b'"):
        compare({"a": a, "b": a}, baseline="c")
    with pytest.raises(InputError, match="no question in common"):
        compare({"a": a, "b": elsewhere})
    with pytest.raises(InputError, match="'wrong' needs questions"):
        compare({"a": a, "wrong": ENGINES["wrong"]})
    with pytest.raises(InputError, match="always answers the same"):
        compare({"a": a, "b": a}, metrics=["exact_match"], repeats=2)


def test_two_runs_as_they_are_give_one_comparison() -> None:
    a, b = (run_of_scores(name, {"m": [0.5, 1.0]}) for name in "ab")
    assert isinstance(compare(a, b), Comparison)


def test_a_grid_names_each_combination_and_passes_it_on() -> None:
    made = grid({"x": lambda **given: lambda question: str(given)}, top_k=[2, 5], mode=["a", "b"])
    assert list(made) == [
        "x top_k=2 mode=a",
        "x top_k=2 mode=b",
        "x top_k=5 mode=a",
        "x top_k=5 mode=b",
    ]
    engine = made["x top_k=5 mode=a"]
    assert callable(engine)
    assert engine("?") == "{'top_k': 5, 'mode': 'a'}"
    with pytest.raises(InputError, match="a value of 'top_k'"):
        grid({"x": lambda **given: str}, top_k=[])


def test_in_a_notebook_runs_and_comparisons_are_small_tables_without_markup_of_their_own() -> None:
    a, b, c = (run_of_scores(name, {"<b>": [0.5, 1.0]}) for name in ("<i>", "b", "c"))
    for shown in (a, compare(a, b), compare({"<i>": a, "b": b, "c": c})):
        table = shown._repr_html_()
        assert table.startswith("<table>")
        assert "&lt;b&gt;" in table
        assert "<b>" not in table
        assert "<i>" not in table
        assert "0.750" in table


def test_a_page_of_three_runs_has_a_column_for_each_and_the_differences() -> None:
    scores = {"a": [0.0] * 8, "b": [1.0] * 8, "c": [0.5] * 8}
    found = compare({name: run_of_scores(name, {"m": values}) for name, values in scores.items()})
    page = html_report(found)
    assert "b is better than a on m (+1.000" in page
    assert "+0.500" in page
    assert '"names":["a","b","c"]' in page
