"""The page that holds a judge against people, as text and in a real browser."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from llamaindex_rag_eval.decisions.agreement import Bin
from llamaindex_rag_eval.decisions.calibration import Calibration, calibrate
from llamaindex_rag_eval.decisions.labels import HumanLabel
from llamaindex_rag_eval.errors import OutputError
from llamaindex_rag_eval.report.calibration import calibration_html, write_calibration
from llamaindex_rag_eval.stats.interval import Estimate
from tests.browser.axe import violations
from tests.browser.conftest import browser as browser, page as page
from tests.browser.page import Page
from tests.report.runs import run_of_scores, sample

HOSTILE = "</style><script>document.title = 'taken'</script>"


def calibration() -> Calibration:
    samples = [sample(f"q{n}") for n in range(20)]
    run = run_of_scores("bm25", {HOSTILE: [n / 20 for n in range(20)]}, samples=samples)
    labels = [HumanLabel(f"q{n}", HOSTILE, float(n >= 8), "random") for n in range(20)]
    return calibrate(run, [*labels, HumanLabel(HOSTILE, HOSTILE, 1.0, "random")])


def test_a_dot_stands_where_judge_and_people_put_it_and_an_empty_bin_has_none() -> None:
    bins = (
        Bin(0.0, 0.5, 4, 0.25, Estimate(0.5, 0.25, 1.0)),
        Bin(0.5, 1.0, 0, None, Estimate(None)),
    )
    whole = calibration()
    page = calibration_html(replace(whole, metrics=(replace(whole.metrics[0], reliability=bins),)))
    ((x, y, radius),) = re.findall(r'<circle cx="(.+?)" cy="(.+?)" r="(.+?)"', page)
    # The square leaves 30 of 260 on each side: 200 units for the bounds 0 to 1.
    assert (float(x), float(y)) == (30 + 200 / 4, 260 - 30 - 200 / 2)
    (ends,) = re.findall(r'class="range" .*?y1="(.+?)" y2="(.+?)"', page)
    assert tuple(map(float, ends)) == (260 - 30 - 200 / 4, 30)
    assert float(radius) == 10


def test_the_page_says_what_the_terminal_says() -> None:
    html = calibration_html(calibration())
    for words in ("accuracy at 0.5", "kappa", "mean by people", "Furthest apart", "20 samples"):
        assert words in html
    assert html.count("<circle") == 5


def test_hostile_names_are_text_and_no_script_runs() -> None:
    html = calibration_html(calibration())
    assert "<script" not in html
    assert "&lt;/style&gt;&lt;script&gt;" in html
    assert "default-src 'none'" in html


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "file.txt").touch()
    with pytest.raises(OutputError, match="gone"):
        write_calibration(calibration(), tmp_path / "file.txt" / "gone.html")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_shows_it_without_a_complaint_or_a_barrier(
    page: Page, tmp_path: Path, scheme: str
) -> None:
    page.scheme("dark" if scheme == "dark" else "light")
    page.open(write_calibration(calibration(), tmp_path / "calibration.html"))
    assert page.errors() == []
    assert page.run("return document.title") == "The judge against people · RAG evaluation"
    assert len(page.find_all("svg.reliability circle")) == 5
    assert violations(page) == []
