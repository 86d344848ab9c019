"""Comparisons: several runs against a baseline, and how notebooks and reports show them."""

from llamaindex_rag_eval.decisions.compare import compare
from llamaindex_rag_eval.report import html_report
from tests.report.runs import run_of_scores


def test_runs_are_compared_on_the_questions_that_all_have_and_it_is_said() -> None:
    runs = {name: run_of_scores(name, {"m": [0.5] * n}) for name, n in (("a", 3), ("b", 4))}
    found = compare({**runs, "c": run_of_scores("c", {"m": [1.0, 0.5]})})
    assert found.questions == 2
    assert [pair.contrasts[0].n for pair in found.pairs] == [2, 2]
    assert found.notes == (
        "Compared on the 2 questions in all runs: 'a' has 1 more, 'b' has 2 more.",
    )


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
