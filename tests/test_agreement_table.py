"""The table of agreement with people: its coefficients, its sets, and its place in the docs."""

import doctest
import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.models import CachedOracle, EmbeddedOracle
from tests.benchmarks.agreement import rows_of
from tests.benchmarks.measuring import baselines, coefficients, figures, records
from tests.benchmarks.measuring.bench import Bench
from tests.benchmarks.measuring.coefficients import auc, calibration_error, interval, pearson
from tests.benchmarks.measuring.embedding_changes import Changes, changes_between
from tests.benchmarks.measuring.page_block import BEGIN, END, PAGE, block, with_block
from tests.benchmarks.measuring.row import Row

LONGEST_BLOCK = 34
"""Lines: it is one section of its page."""


@pytest.mark.parametrize("module", [baselines, coefficients, figures, records])
def test_the_examples_in_the_benchmark_hold(module) -> None:
    found = doctest.testmod(module)
    assert (found.failed, found.attempted > 0) == (0, True)


def test_auc_is_that_of_scikit_learn_with_ties_and_what_is_undefined_as_0() -> None:
    from sklearn.metrics import roc_auc_score  # slow to import

    rng = random.Random(7)
    right = np.array([float(rng.random() < 0.4) for _ in range(60)])
    score = np.array([rng.randrange(5) / 4 for _ in range(60)])
    assert auc(right, score) == pytest.approx(roc_auc_score(right, score))
    score[:5] = np.nan
    assert auc(right, score) == pytest.approx(roc_auc_score(right, np.nan_to_num(score)))


def test_a_judge_whose_probabilities_are_shares_has_no_calibration_error() -> None:
    chance = np.array([0.25] * 4 + [0.75] * 4 + [np.nan])
    right = np.array([1.0, 0, 0, 0, 1, 1, 1, 0, 1])
    assert calibration_error(right, chance) == 0
    # All of 8 wrong: bins of 4 miss by 1/4 and 3/4.
    assert calibration_error(np.zeros(9), chance) == 1 / 2


def test_what_does_not_vary_has_no_correlation() -> None:
    found = interval(pearson, np.array([1.0, 2.0]), np.array([1.0, 1.0]), ["a", "b"])
    assert all(np.isnan(figure) for figure in found)


def labelled(number: int) -> dict[str, object]:
    right = number % 2 == 0
    return {
        "group": f"g{number}",
        "question": "",
        "response": "The mill has a red door." if right else "The mill burnt down in May.",
        "contexts": ["The old mill has a red door.", "It stands by the river."],
        "labels": {"faithful": int(right)},
    }


def test_a_set_in_another_folder_is_measured_and_one_that_is_not_there_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RAG_EVAL_DATA", str(tmp_path))
    lines = "".join(json.dumps(labelled(number)) + "\n" for number in range(8))
    (tmp_path / "begin_tc.jsonl").write_text(lines, encoding="utf-8")
    bench = Bench(Judge(CachedOracle(EmbeddedOracle())))
    (row,) = rows_of(bench, ["wice_claim", "begin_tc", "ragchecker_pref", "xquad_en"])
    assert (row.set, row.n, row.undefined, row.score[0]) == ("begin_tc", 8, 0, 1.0)
    assert row.baseline is not None
    assert row.baseline[0] == 1.0
    assert row.graded is not None
    assert isinstance(row.ece, float)
    said = capsys.readouterr().err
    assert all(name in said for name in ("wice_claim:", "ragchecker_pref:", "xquad_en:"))


ROW = Row("wice_claim", "faithfulness", "AUC", 9, 0, (0.7, 0.6, 0.8), (0.75, 0.65, 0.85), 0.05)


def test_a_row_shows_its_figures_and_what_is_aside_is_left_out() -> None:
    aside = Row("evouna_nq", "answer_correctness", "AUC", 9, 0, (0.9, 0.8, 1.0), aside=True)
    text = block([ROW, aside], None)
    line = "| wice_claim ² | faithfulness, AUC | 9 | .700 [.60, .80] | .750 [.65, .85] | .050 |"
    assert line in text
    assert "answer_correctness" not in text
    assert "embedding" not in text.splitlines()[5]


def test_what_an_embedding_model_changes_has_a_column_and_a_sentence() -> None:
    worse = replace(ROW, graded=(0.7238, 0.6, 0.8))  # .7238 - .75 = -.0262
    found = changes_between([ROW], [worse], 150, "small")
    text = block([ROW, replace(ROW, set="jsts_ja")], found)
    first, second = (line for line in text.splitlines() if "faithfulness" in line)
    assert ("| −.026 |" in first, second.endswith("| – |")) == (True, True)
    assert "`small` beside the rules" in text
    assert "on 150 records" in text
    assert "earlier weights" not in text
    assert "earlier weights" in block([ROW], replace(found, weights="others"))


def test_what_was_found_of_the_model_is_kept_and_read_back(tmp_path: Path) -> None:
    found = changes_between([ROW], [ROW], 150, "small")
    assert Changes.read(tmp_path / "kept.json") is None
    found.write(tmp_path / "kept.json")
    assert Changes.read(tmp_path / "kept.json") == found


def test_only_what_is_between_the_markers_is_replaced() -> None:
    stale = f"before\n{BEGIN}\nold \\1\n{END}\nafter"
    new = block([ROW], None)
    assert with_block(stale, new) == f"before\n{new}\nafter"


def test_the_page_has_the_section_and_it_is_short() -> None:
    text = PAGE.read_text(encoding="utf-8")
    section = text[text.index(BEGIN) : text.index(END)]
    assert "## How far the rules agree with people" in section
    assert len(section.splitlines()) <= LONGEST_BLOCK
