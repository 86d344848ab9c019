"""The report of where answers are lost: its sentences, its table, and its page."""

from pathlib import Path

import pytest
from rich.console import Console

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.diagnosis.cause import TrialName
from llamaindex_rag_eval.diagnosis.lost_answers import LostAnswer, LostAnswers, Trial
from llamaindex_rag_eval.report.lost import lost_html, lost_sentences, lost_table, write_lost
from tests.browser.axe import violations
from tests.browser.conftest import browser as browser, page as page
from tests.browser.page import Page

HOSTILE = "</style><script>document.title = 'taken'</script>"


def lost_answers() -> LostAnswers:
    """Return three right answers, and one that is lost twice over, in hostile words."""
    samples = [
        SingleTurnSample(id=f"q{n}", query=f"{n} {HOSTILE}", reference="a", response=HOSTILE)
        for n in range(4)
    ]
    trials: dict[TrialName, Trial] = {"alone": Trial(HOSTILE, right=False)}
    return LostAnswers(
        samples,
        (LostAnswer(samples[0], ("ranked_too_low", "misread"), 7, trials),),
        {"q1": {"exchanged": Trial("b", right=True)}},
        unjudged=1,
    )


def test_sentences_say_what_was_found() -> None:
    assert [*lost_sentences(lost_answers())] == [
        "Of 4 questions 1 went wrong: 1 ranked too low.",
        "The share of right answers is 0.750 (0.301 to 0.954).",
        "With perfect retrieval this reader would reach 0.750 (0.301 to 0.954).",
        "Of 1 right answer tried with another number in the nodes, the share that follows it is "
        "1.000.",
        "1 of the wrong answers have a second cause: mending the first is not enough.",
        "1 question without a verdict are left out.",
    ]


def test_nothing_lost_is_said_so() -> None:
    lost = LostAnswers(lost_answers().samples, ())
    assert next(lost_sentences(lost)) == "Of 4 questions none went wrong."
    assert "Causes" not in lost_html(lost)


def test_the_table_has_each_cause_with_what_to_do() -> None:
    console = Console(width=200, record=True)
    console.print(lost_table(lost_answers()))
    text = console.export_text()
    assert "ranked too low" in text
    assert "Raise similarity_top_k" in text


def test_no_text_is_markup() -> None:
    html = lost_html(lost_answers())
    assert "<script" not in html
    assert "&lt;/style&gt;&lt;script&gt;" in html


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_shows_it_without_a_complaint_or_a_barrier(
    page: Page, tmp_path: Path, scheme: str
) -> None:
    page.scheme("dark" if scheme == "dark" else "light")
    page.open(write_lost(lost_answers(), tmp_path)[1])
    assert page.errors() == []
    assert page.run("return document.title") == "Where answers are lost · RAG evaluation"
    assert len(page.find_all("svg.waterfall rect")) == 2
    assert violations(page) == []
