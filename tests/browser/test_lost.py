"""Where answers are lost, as a reader sees it: on a page of its own and in a report."""

from pathlib import Path
from typing import Literal

import pytest

from llamaindex_rag_eval.diagnosis.modes import SortedFailure
from llamaindex_rag_eval.report import write_html
from llamaindex_rag_eval.report.lost import write_lost
from tests.browser.axe import violations
from tests.browser.page import Page
from tests.report.test_lost import HOSTILE, lost_answers, run_of


@pytest.mark.parametrize("width", [1400, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_shows_it_without_a_complaint_or_a_barrier(
    page: Page, tmp_path: Path, scheme: Literal["light", "dark"], width: int
) -> None:
    page.scheme(scheme)
    page.size(width, 900)
    lost = lost_answers()
    alone = write_lost(lost, tmp_path)[1]
    run = run_of(lost.samples, 0.0, 1.0, 1.0, 1.0)
    modes = [SortedFailure(HOSTILE, "q0")]
    report = write_html(run, tmp_path / "report.html", diagnoses=[lost], modes=modes)
    for file, title, bars in ((alone, "Where answers are lost", 2), (report, "r", 3)):
        page.open(file)
        assert page.errors() == []
        assert page.run("return document.title") == f"{title} · RAG evaluation"
        assert len(page.find_all("svg.waterfall rect")) == bars
        assert violations(page) == []
        assert page.run("return document.documentElement.scrollWidth <= innerWidth") is True
