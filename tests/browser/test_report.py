"""The report in a real browser: it draws its questions, filters them, and trusts no text."""

from pathlib import Path
from typing import Literal

import pytest

from llamaindex_rag_eval.data.sample import Span
from llamaindex_rag_eval.decisions.compare import compare
from llamaindex_rag_eval.report import write_html
from tests.browser.axe import violations
from tests.browser.page import Page
from tests.report.runs import run_of_scores, sample

HOSTILE = "</script><script>document.title = 'taken'</script><img src=x onerror=alert(1)>"


@pytest.fixture
def report(tmp_path: Path) -> Path:
    samples = [sample(f"q{number}") for number in range(60)]
    samples[1] = sample("q1", query=HOSTILE, response=HOSTILE + "x" * 100_000, contexts=(HOSTILE,))
    row = Span(doc_id="lamps.md", start=9, end=20, quote="Lume | 12 m", setting=(HOSTILE, "Lamp"))
    note = Span(doc_id="notes.md", start=0, end=5, quote="12 m.")
    samples[2] = sample("q2", gold=((row, note),), reference_contexts=(row.quote,))
    a = run_of_scores("bm25", {"m": [0.25] * 60, "k": [0.5] * 60}, samples=samples)
    better = [0.25] * 50 + [1.0] * 10
    b = run_of_scores("embedding", {"m": better, "k": [0.5] * 60}, samples=samples)
    return write_html(compare(a, b), tmp_path / "report.html")


@pytest.fixture
def wide_report(tmp_path: Path) -> Path:
    """Return a report of three runs that lose answers, and with two kinds of questions."""
    samples = [sample(f"q{n}", metadata={"type": ("table", "prose")[n % 2]}) for n in range(12)]
    runs = {
        name: run_of_scores(name, {"m": [0.0] * wrong + [1.0] * (12 - wrong)}, samples=samples)
        for name, wrong in (("one", 6), ("two", 6), ("three", 1))
    }
    return write_html(compare(runs), tmp_path / "wide.html")


def choose(page: Page, name: str, value: str) -> None:
    page.until(lambda: page.texts("#count") != [""])  # the page has begun to work
    script = "const e = document.getElementById(arguments[0]); e.value = arguments[1];"
    page.run(f"{script} e.dispatchEvent(new Event('change'))", name, value)


def open_question(page: Page, number: int = 0) -> None:
    """Open one question, and wait until the browser has told the page and the page has drawn it."""
    page.until(lambda: len(page.find_all(".item summary")) > number)
    page.find_all(".item summary")[number].click()
    page.until(lambda: page.find_all(f".item:nth-child({number + 1}) .side") != [])


def test_a_link_leads_to_one_question(page: Page, report: Path) -> None:
    page.open(report)
    page.run("location.hash = 'question=q17'; location.reload()")
    page.until(lambda: len(page.find_all(".item")) == 1)
    assert "Where does q17 stand?" in page.find_all(".item summary")[0].text


def test_it_opens_without_a_complaint_and_asks_for_itself_alone(page: Page, report: Path) -> None:
    page.open(report)
    assert page.errors() == []
    assert page.requests() == [report.as_uri()]


def test_the_decision_is_on_the_first_screen_and_tables_are_folded_except_on_paper(
    page: Page, report: Path
) -> None:
    page.size(1_400, 900)
    page.open(report)
    end = "return document.getElementById('decision').getBoundingClientRect().bottom <= innerHeight"
    count = "return document.querySelectorAll('.fold{}').length"
    tables = page.run(count.format(""))
    assert (page.run(end), page.run(count.format("[open]"))) == (True, 0)
    assert tables
    page.run("dispatchEvent(new Event('beforeprint'))")
    assert page.run(count.format("[open]")) == tables


def test_questions_are_drawn_a_page_at_a_time(page: Page, report: Path) -> None:
    page.open(report)
    assert len(page.find_all(".item")) == 50
    page.find("#more").click()
    page.wait_for(lambda: len(page.find_all(".item")), 60)


def test_questions_are_filtered_by_who_is_better_on_a_metric(page: Page, report: Path) -> None:
    page.open(report)
    choose(page, "filter", "better")
    page.wait_for(lambda: page.texts("#count"), ["10 of 10 shown, 60 in all"])
    choose(page, "metric", "1")
    page.wait_for(lambda: page.texts("#count"), ["0 of 0 shown, 60 in all"])


def test_the_largest_change_can_come_first(page: Page, report: Path) -> None:
    page.open(report)
    choose(page, "order", "change")
    page.wait_for(lambda: page.texts(".item .title")[0], "51. Where does q50 stand?")


def test_an_opened_question_shows_claims_and_highlights_their_quotes(
    page: Page, report: Path
) -> None:
    page.open(report)
    choose(page, "order", "best")
    open_question(page)
    assert page.texts(".item .claims b")[0].startswith("? not mentioned")
    assert page.texts(".item .claims .supported b")[0] == "✓ supported by source 1:"
    assert page.texts(".item mark") == ["q50 stands on the left shelf."]


def test_hostile_text_is_shown_as_text(page: Page, report: Path) -> None:
    page.open(report)
    open_question(page, 1)
    assert HOSTILE in page.texts(".item .title")[1]
    assert page.run("return document.title") == "embedding against bm25 · RAG evaluation"
    assert page.find_all("img") == []
    assert page.errors() == []


def test_evidence_is_shown_below_what_a_reader_sees_above_it(page: Page, report: Path) -> None:
    page.open(report)
    open_question(page, 2)
    assert "Evidence (of each part, any one will do)" in page.texts(".item h4")
    assert page.texts(".item .proof b") == ["lamps.md", "notes.md"]
    assert page.texts(".item .proof small") == [HOSTILE, "Lamp"]
    assert page.texts(".item .proof .text") == ["Lume | 12 m", "12 m."]
    assert page.find_all("img") == []


def test_a_narrow_page_does_not_scroll_sideways(page: Page, report: Path) -> None:
    page.size(360, 800)
    page.open(report)
    open_question(page, 1)
    inside = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    page.wait_for(lambda: page.run(inside), True)


def test_on_a_phone_figures_fit_and_a_wide_table_shows_that_it_goes_on(
    page: Page, report: Path
) -> None:
    page.size(390, 800)
    page.open(report)
    cut = "e => e.scrollWidth > e.clientWidth"
    assert (
        page.run(f"return [...document.querySelectorAll('.panel, .decision')].some({cut})") is False
    )
    assert page.run(f"return [...document.querySelectorAll('.scroll')].some({cut})") is True
    shade = "return getComputedStyle(document.querySelector('.scroll')).backgroundAttachment"
    assert page.run(shade) == "local, local, scroll, scroll, scroll"


def test_an_example_leads_to_its_question(page: Page, report: Path) -> None:
    page.open(report)
    page.find(".lost details[open] a").click()
    page.until(lambda: len(page.find_all(".item")) < 50)
    assert "Where does q0 stand?" in page.texts(".lost summary")[0]
    assert "Where does q0 stand?" in page.texts(".item .title")[0]


def test_on_paper_nothing_is_cut_off(page: Page, tmp_path: Path) -> None:
    samples = [sample(f"q{n}", metadata={"type": ("table", "prose")[n % 2]}) for n in range(12)]
    scores = {f"a_metric_of_answers_{number}": [0.25, 0.75] * 6 for number in range(8)}
    runs = [run_of_scores(name, scores, samples=samples) for name in ("one", "two")]
    page.size(688, 900)  # A4 without its margins
    page.media("print")
    page.open(write_html(compare(*runs), tmp_path / "paper.html"))
    inside = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert page.run(inside) is True


def test_a_cause_leads_to_its_questions(page: Page, wide_report: Path) -> None:
    page.open(wide_report)
    assert page.texts("#lost-title") == ["Where answers are lost in three"]
    page.find("[data-label=unknown]").click()
    page.wait_for(lambda: page.texts("#count"), ["1 of 1 shown, 12 in all"])
    assert page.texts(".item .title")[0] == "1. Where does q0 stand?"


def test_of_several_runs_the_reader_chooses_which_is_held_against_the_first(
    page: Page, wide_report: Path
) -> None:
    page.open(wide_report)
    choose(page, "filter", "better")
    page.wait_for(lambda: page.texts("#count"), ["0 of 0 shown, 12 in all"])
    choose(page, "other", "2")
    page.wait_for(lambda: page.texts("#count"), ["5 of 5 shown, 12 in all"])


def test_claims_that_metrics_share_are_shown_once(page: Page, report: Path) -> None:
    page.open(report)
    open_question(page)
    # Both metrics of both runs were given the same claim with the same verdict.
    assert page.texts(".side:first-child h4")[2] == "Claim by claim (m, k)"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_independent_checker_finds_no_serious_barrier(
    page: Page, report: Path, wide_report: Path, scheme: Literal["light", "dark"]
) -> None:
    page.scheme(scheme)
    for file in (report, wide_report):
        page.open(file)
        page.until(lambda: len(page.find_all(".item > summary")) >= 2)
        for summary in page.find_all(".item > summary")[:2]:
            page.run("arguments[0].click()", summary)
        page.until(lambda: len(page.find_all(".item[open] .side")) >= 2)
        assert violations(page) == []


def test_500_questions_on_10_metrics_for_two_runs_open_with_the_first_50(
    page: Page, tmp_path: Path
) -> None:
    scores = {f"metric_{number}": [0.5, 0.75] * 250 for number in range(10)}
    texts = [" ".join(f"word{n}-{k}" for k in range(120)) for n in range(500)]
    samples = [sample(f"q{n}", response=text, contexts=(text,)) for n, text in enumerate(texts)]
    a, b = (run_of_scores(name, scores, samples=samples) for name in "ab")
    page.open(write_html(compare(a, b), tmp_path / "large.html"))
    page.wait_for(lambda: page.texts("#count"), ["50 of 500 shown"])
    assert len(page.find_all(".item")) == 50


def test_the_independent_checker_is_awake(page: Page, tmp_path: Path) -> None:
    bad = tmp_path / "bad.html"
    bad.write_text("<!doctype html><html lang=en><title>t</title><main><button></button></main>")
    page.open(bad)
    assert [found.split(":")[0] for found in violations(page)] == ["button-name"]
