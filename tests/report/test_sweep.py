"""The report of a sweep: its table, and JSON."""

import json
from pathlib import Path

from llamaindex_rag_eval.decisions.sweep_result import SettingResult, SettingState, SweepResult
from llamaindex_rag_eval.report.sweep import (
    sweep_table,
    write_sweep,
)
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.stats.interval import Estimate
from tests.browser.conftest import browser as browser, page as page

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


def test_the_table_has_the_best_first() -> None:
    table = sweep_table(swept())
    assert [str(cell) for cell in table.columns[0].cells] == ["dear", "cheap", "beaten", HOSTILE]


def test_all_of_it_is_written_as_json(tmp_path: Path) -> None:
    assert json.loads(write_sweep(swept(), tmp_path).read_text())["recommended"] == "dear"
