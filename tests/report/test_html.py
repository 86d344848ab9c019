"""The page: one file, safe whatever the texts say, with the verdict first."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.decisions.compare import compare
from llamaindex_rag_eval.errors import OutputError
from llamaindex_rag_eval.models import EmbeddedOracle
from llamaindex_rag_eval.report import html_report, write_html
from llamaindex_rag_eval.report.questions import MOST_QUESTIONS
from llamaindex_rag_eval.runs.clusters import Clustering
from llamaindex_rag_eval.runs.evaluate import evaluate
from llamaindex_rag_eval.runs.run import Run
from tests.report.runs import run_of_scores, sample

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)><!-- \u202e {{ 7 * 7 }}"

SECTIONS = ("decision", "glance", "scores", "questions")


class Elements(HTMLParser):
    """The elements of a page with their attributes, and what its scripts hold."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script":
            self.scripts[-1] += data

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


def data_of(page: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(Elements(page).scripts[0])
    return found


@pytest.fixture
def two() -> tuple[Run, Run]:
    a = run_of_scores("bm25", {"m": [0.25, 0.5, 1.0, 0.0, 0.5, 0.25]})
    b = run_of_scores("embedding", {"m": [0.75, 1.0, 1.0, 0.75, 0.75, 1.0]})
    return a, b


def test_the_page_asks_for_nothing_outside_itself(two: tuple[Run, Run]) -> None:
    page = Elements(html_report(compare(*two)))
    assert not [tag for tag in ("link", "img", "iframe", "object", "embed") if page.of(tag)]
    assert all("src" not in attributes for attributes in page.of("script"))
    policy = page.of("meta")[1]["content"] or ""
    assert policy.startswith("default-src 'none'")


def test_only_the_page_s_own_script_may_run(two: tuple[Run, Run]) -> None:
    page = Elements(html_report(compare(*two)))
    digest = hashlib.sha256(page.scripts[1].encode()).digest()
    allowed = f"script-src 'sha256-{base64.b64encode(digest).decode()}'"
    assert allowed in (page.of("meta")[1]["content"] or "")


def test_no_text_of_a_sample_becomes_markup() -> None:
    bad = sample(
        "q0", query=HOSTILE, response=HOSTILE, contexts=(HOSTILE,), metadata={HOSTILE: HOSTILE}
    )
    run = run_of_scores(HOSTILE, {HOSTILE: [0.5]}, samples=[bad])
    page = html_report(run)
    elements = Elements(page)
    assert len(elements.of("script")) == 2
    assert not elements.of("img")
    assert "{{ 7 * 7 }}" in page
    assert HOSTILE in data_of(page)["texts"]  # type: ignore[operator]  # a list


def test_the_decision_stands_before_its_evidence(two: tuple[Run, Run]) -> None:
    page = html_report(compare(*two))
    places = [page.index(f'id="{name}-title"') for name in SECTIONS]
    assert places == sorted(places)
    assert compare(*two).verdict[0] in page


def test_a_page_of_one_run_has_means(two: tuple[Run, Run]) -> None:
    page = html_report(two[0])
    # (1/4 + 1/2 + 1 + 0 + 1/2 + 1/4) / 6 = 5/12
    assert "0.417" in page


def test_each_question_has_what_each_run_made_of_it(two: tuple[Run, Run]) -> None:
    data = json.loads(json.dumps(data_of(html_report(compare(*two)))))
    first = data["questions"][0]
    assert data["names"] == ["bm25", "embedding"]
    assert [run["scores"][0][0] for run in first["runs"]] == [0.25, 0.75]
    assert data["texts"][first["query"]] == "Where does q0 stand?"
    assert [data["texts"][c["text"]] for c in first["runs"][0]["contexts"]][1] == "Shelves are dry."


def test_a_failure_is_shown_with_its_reason_and_counted() -> None:
    run = run_of_scores("r", {"m": [0.5, None]}, failed=[("q1", "m")])
    page = html_report(run)
    data = json.loads(json.dumps(data_of(page)))
    score, status, words, _ = data["questions"][1]["runs"][0]["scores"][0]
    assert (score, status, data["texts"][words]) == (None, "failed", "CallError: no reply")
    assert re.search(r"1 / 0 / 1", page)


def test_a_question_that_one_run_was_not_asked_is_kept() -> None:
    a = run_of_scores("a", {"m": [0.5]})
    b = run_of_scores("b", {"m": [0.5, 0.5]})
    data = json.loads(json.dumps(data_of(html_report(compare(a, b)))))
    assert data["questions"][1]["runs"][0] is None


def test_a_text_is_held_once_and_a_very_long_one_is_cut() -> None:
    long = "x" * 100_000
    samples = [sample(f"q{n}", response=long) for n in range(20)]
    page = html_report(run_of_scores("r", {"m": [0.5] * 20}, samples=samples))
    assert len(page) < 100_000
    assert "80,000 characters more are not shown" in page


def test_500_questions_on_10_metrics_for_two_runs_stay_below_2_mb() -> None:
    scores = {f"metric_{number}": [0.5, 0.75] * 250 for number in range(10)}
    a, b = run_of_scores("a", scores), run_of_scores("b", scores)
    assert len(html_report(compare(a, b)).encode()) < 2_000_000


def test_broken_unicode_is_replaced(tmp_path: Path) -> None:
    run = run_of_scores("r", {"m": [0.5]}, samples=[sample("q0", response="half \ud83d")])
    assert "half ?" in write_html(run, tmp_path / "r.html").read_text(encoding="utf-8")


def test_a_page_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(OutputError, match=r"cannot write .*r\.html"):
        write_html(run_of_scores("r", {"m": [0.5]}), file / "r.html")


def test_means_are_over_the_clusters_that_were_chosen() -> None:
    spans = [[[{"doc_id": f"d{number // 4}", "start": 0, "end": 3}]] for number in range(48)]
    asked = [sample(f"q{number}", gold=gold) for number, gold in enumerate(spans)]
    scores = {"m": [float(number // 4 % 3 > 0) for number in range(48)]}
    runs = [run_of_scores(name, scores, samples=asked) for name in "ab"]
    ways: dict[Clustering, str] = {"documents": "0.391 to 0.862", "none": "0.525 to 0.783"}
    for how, interval in ways.items():
        compared = compare(*runs, clusters=how)
        assert interval in html_report(compared)
        assert interval in html_report(runs[0], clusters=how)


def test_every_picture_says_what_it_shows(two: tuple[Run, Run]) -> None:
    pictures = Elements(html_report(compare(*two))).of("svg")
    said = [p for p in pictures if p.get("aria-hidden") != "true"]  # others are said in a table
    assert said
    assert all(p.get("role") == "img" and p.get("aria-label") for p in said)


def test_the_page_says_who_answered_which_share_of_the_judgements() -> None:
    one = SingleTurnSample(query="Is Ada tall?", response="Ada is tall.", reference="Ada is tall.")
    run = evaluate([one], metrics=["answer_correctness"], judge=EmbeddedOracle())
    page = html_report(run)
    assert "judgements: 4 by embedded language rules, 1 by words" in page
    assert "Texts were compared by words." in page
    assert "Judged by embedded language rules, not by an LLM" in page


def test_of_many_questions_as_many_are_shown_as_a_page_holds_and_a_table_has_all(tmp_path: Path):
    scores = [number % 2 for number in range(MOST_QUESTIONS * 2)]
    run = run_of_scores("large", {"m": [float(score) for score in scores]})
    page = write_html(run, tmp_path / "r.html").read_text()
    assert "1,000 of 2,000 questions are shown here" in page
    assert page.count('"reference":') == MOST_QUESTIONS
    assert "rag-eval evaluate -o scores.csv" in page
    small = write_html(run_of_scores("small", {"m": [1.0]}), tmp_path / "s.html").read_text()
    assert "questions are shown here" not in small
