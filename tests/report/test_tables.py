"""The tables for terminals and spreadsheets."""

import csv
from pathlib import Path

from rich.console import Console

from llamaindex_rag_eval.decisions.compare import compare
from llamaindex_rag_eval.report import comparison_table, run_table, write_csv
from llamaindex_rag_eval.report.tables import why_without_score
from tests.report.runs import run_of_scores, sample


def drawn(table: object, width: int = 100) -> str:
    console = Console(width=width, record=True, file=None, quiet=False, force_terminal=False)
    with console.capture() as captured:
        console.print(table)
    return captured.get()


def test_a_mean_stands_beside_how_many_it_rests_on() -> None:
    run = run_of_scores("r", {"m": [0.5, 1.0, 0.75, None, None]}, failed=[("q4", "m")])
    line = drawn(run_table(run)).splitlines()[-2].split()
    # mean 3/4; three scored, one undefined, one failed
    assert line[:3] == ["m", "↑", "0.750"]
    assert line[-3:] == ["3", "1", "1"]


def test_a_comparison_fits_80_columns_with_every_number_whole() -> None:
    scores = {"context_utilization": [0.25, 0.5, 0.75, 1.0]}
    a, b = run_of_scores("bm25", scores), run_of_scores("embedding", scores)
    said = drawn(comparison_table(compare(a, b)), width=80)
    # No question of four differs: T = 4 d / (1 - d) at t = 2.353, so d = 2.589 / 6.589.
    assert "±0.000 (−0.393 to +0.393)" in said
    assert "context_utilization ↑" in said


def test_a_name_with_brackets_is_not_taken_for_markup() -> None:
    run = run_of_scores("[red]r[/red]", {"m[bold]": [0.5]})
    assert "m[bold]" in drawn(run_table(run))
    assert "[red]r[/red]" in drawn(run_table(run))


def test_failures_are_told_with_their_reason_and_number() -> None:
    run = run_of_scores("r", {"m": [None, None, None]}, failed=[("q0", "m"), ("q2", "m")])
    assert why_without_score(run) == ("m: 2 failed: CallError: no reply",)


def test_several_runs_are_one_csv_that_no_spreadsheet_runs(tmp_path: Path) -> None:
    bad = sample("q0", response='=HYPERLINK("http://example.com")')
    runs = [run_of_scores(name, {"m": [0.5]}, samples=[bad]) for name in ("a", "b")]
    with write_csv(runs, tmp_path / "s.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["run"] for row in rows] == ["a", "b"]
    assert rows[0]["response"].startswith("'=")
    assert rows[0]["m"] == "0.5"
