"""The report of a sweep: its table, its CSV, its page, and its plots."""

import json
import re
from pathlib import Path

import pytest

from llamaindex_rag_eval.decisions.sweep_result import SettingResult, SettingState, SweepResult
from llamaindex_rag_eval.report.sweep import (
    price_plot,
    sweep_html,
    sweep_table,
    write_sweep,
)
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.stats.interval import Estimate
from tests.browser.axe import violations
from tests.browser.conftest import browser as browser, page as page
from tests.browser.page import Page

HOSTILE = "</style><script>document.title = 'taken'</script>"


def one(
    name: str,
    state: SettingState,
    score: float | None,
    *,
    tokens: float = 100.0,
    latency: float | None = 0.5,
    reason: str = "",
) -> SettingResult:
    means = {}
    if score is not None:
        means["mrr"] = Estimate(score, score - 0.1, score + 0.1, n=40, clusters=40)
    return SettingResult(
        name=name,
        parameters={"top_k": len(name)},
        state=state,
        reason=reason,
        questions=40,
        failed=0,
        means=means,
        latency=latency,
        tokens=tokens,
        cost=None,
    )


def swept(*settings: SettingResult) -> SweepResult:
    return SweepResult(
        settings=settings
        or (
            one("cheap", "left", 0.5, tokens=100),
            one("dear", "recommended", 0.8, tokens=400),
            one("beaten", "dropped", 0.4, tokens=200, reason="worse than dear by 0.400"),
            one(HOSTILE, "out", None, latency=None, reason=f"=cmd {HOSTILE}"),
        ),
        metric=MetricInfo(spec="mrr"),
        metrics=("mrr",),
        margin=0.02,
        worse_by=0.05,
        within=0,
        questions=40,
        clusters=10,
        looks=(20, 40),
        answers=120,
        calls=0,
    )


def test_the_front_is_what_no_other_setting_beats_on_both() -> None:
    assert swept().front("tokens") == ("cheap", "dear")


def test_dots_stand_at_their_price_and_score() -> None:
    tokens = sweep_html(swept()).partition("</svg>")[0]
    cheap, dear, _ = re.findall(r'<circle cx="(.+?)" cy="(.+?)"', tokens)
    # From 46 to 390 for 0 to 400 tokens: 46 + 344 · 100 / 400.
    assert (float(cheap[0]), float(dear[0])) == (46 + 344 / 4, 390)
    # The intervals reach from .3 to .9, from 224 up to 14: .8 is 5/6 of the way.
    assert float(dear[1]) == pytest.approx(224 - 210 * 5 / 6, abs=0.01)
    assert re.findall(r">([\d.]+)</text>", tokens)[-4:] == ["0.300", "0.900", "0", "400"]
    (front,) = re.findall(r'points="(.+?)"', tokens)
    assert front.split() == [",".join(cheap), ",".join(dear)]


def test_a_price_that_nobody_has_has_no_plot() -> None:
    assert price_plot(swept(one("a", "recommended", 0.5, latency=None)), "latency") is None


def test_the_table_has_the_best_first() -> None:
    table = sweep_table(swept())
    assert [str(cell) for cell in table.columns[0].cells] == ["dear", "cheap", "beaten", HOSTILE]


def test_hostile_names_are_text_and_no_script_runs() -> None:
    html = sweep_html(swept())
    assert "<script" not in html
    assert "&lt;/style&gt;&lt;script&gt;" in html
    assert "default-src 'none'" in html


def test_the_page_says_what_the_terminal_says() -> None:
    html = sweep_html(swept())
    for words in ("Recommended: dear", "25% saved", "one of cheap may be better by 0.050"):
        assert words in html
    assert html.count("<circle") == 2 * 3


def test_both_files_are_written(tmp_path: Path) -> None:
    paths = write_sweep(swept(), tmp_path)
    assert [path.name for path in paths] == ["sweep.json", "sweep.html"]
    assert json.loads(paths[0].read_text())["recommended"] == "dear"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_shows_it_without_a_complaint_or_a_barrier(
    page: Page, tmp_path: Path, scheme: str
) -> None:
    page.scheme("dark" if scheme == "dark" else "light")
    page.open(write_sweep(swept(), tmp_path)[1])
    assert page.errors() == []
    assert page.run("return document.title") == "Sweep · RAG evaluation"
    assert len(page.find_all("svg.sweep circle")) == 6
    assert violations(page) == []
