"""The report in a real browser: it draws its questions, filters them, and trusts no text."""

from pathlib import Path

import pytest

from llamaindex_rag_eval.comparison import compare
from llamaindex_rag_eval.report import write_html
from tests.browser.page import Page
from tests.report.runs import run_of_scores, sample

HOSTILE = "</script><script>document.title = 'taken'</script><img src=x onerror=alert(1)>"


@pytest.fixture
def report(tmp_path: Path) -> Path:
    samples = [sample(f"q{number}") for number in range(60)]
    samples[1] = sample("q1", query=HOSTILE, response=HOSTILE + "x" * 100_000, contexts=(HOSTILE,))
    a = run_of_scores("bm25", {"m": [0.25] * 60, "k": [0.5] * 60}, samples=samples)
    better = [0.25] * 50 + [1.0] * 10
    b = run_of_scores("embedding", {"m": better, "k": [0.5] * 60}, samples=samples)
    return write_html(compare(a, b), tmp_path / "report.html")


def choose(page: Page, name: str, value: str) -> None:
    script = "const e = document.getElementById(arguments[0]); e.value = arguments[1];"
    page.run(f"{script} e.dispatchEvent(new Event('change'))", name, value)


def test_it_opens_without_a_complaint_and_asks_for_itself_alone(page: Page, report: Path) -> None:
    page.open(report)
    assert page.errors() == []
    assert page.requests() == [report.as_uri()]


def test_questions_are_drawn_a_page_at_a_time(page: Page, report: Path) -> None:
    page.open(report)
    assert len(page.find_all(".item")) == 50
    page.find("#more").click()
    assert len(page.find_all(".item")) == 60


def test_questions_are_filtered_by_who_is_better_on_a_metric(page: Page, report: Path) -> None:
    page.open(report)
    choose(page, "filter", "better")
    assert page.texts("#count") == ["10 of 10 shown, 60 in all"]
    choose(page, "metric", "1")
    assert page.texts("#count") == ["0 of 0 shown, 60 in all"]


def test_the_largest_change_can_come_first(page: Page, report: Path) -> None:
    page.open(report)
    choose(page, "order", "change")
    assert page.texts(".item .title")[0] == "51. Where does q50 stand?"


def test_an_opened_question_shows_claims_and_highlights_their_quotes(
    page: Page, report: Path
) -> None:
    page.open(report)
    choose(page, "order", "best")
    page.find(".item summary").click()
    assert page.texts(".item .claims b")[0].startswith("? not mentioned")
    assert page.texts(".item .claims .supported b")[0] == "✓ supported by source 1:"
    assert page.texts(".item mark") == ["q50 stands on the left shelf."]


def test_hostile_text_is_shown_as_text(page: Page, report: Path) -> None:
    page.open(report)
    page.find_all(".item summary")[1].click()
    assert HOSTILE in page.texts(".item .title")[1]
    assert page.run("return document.title") == "embedding against bm25 · RAG evaluation"
    assert page.find_all("img") == []
    assert page.errors() == []


def test_a_narrow_page_does_not_scroll_sideways(page: Page, report: Path) -> None:
    page.size(360, 800)
    page.open(report)
    page.find_all(".item summary")[1].click()
    inside = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert page.run(inside)
