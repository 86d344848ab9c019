"""The label page in a real browser: by keyboard alone, no barrier, no text trusted."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import pytest
from selenium.webdriver.common.keys import Keys

from llamaindex_rag_eval.decisions.labels import read_labels
from llamaindex_rag_eval.ui.label_server import label_app
from llamaindex_rag_eval.ui.labelling import Labelling
from tests.browser.axe import violations
from tests.browser.page import Page
from tests.browser.serving import served
from tests.report.runs import run_of_scores, sample

HOSTILE = "</script><script>document.title = 'taken'</script><img src=x onerror=alert(1)>"


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    return tmp_path / "labels.jsonl"


@pytest.fixture
def address(labels: Path) -> Iterator[str]:
    samples = [sample(f"q{n}", response=HOSTILE if n == 0 else f"Shelf {n}.") for n in range(6)]
    scores = {"answer_verdict": [n / 5 for n in range(6)], "faithfulness": [1.0] * 6}
    labelling = Labelling(run_of_scores(HOSTILE, scores, samples=samples), labels)
    with served(lambda token, port: label_app(labelling, token=token, port=port)) as where:
        yield where


def press(page: Page, *keys: str) -> None:
    page.driver.switch_to.active_element.send_keys(*keys)


def shown(page: Page) -> str:
    return page.find("#answer").get_attribute("data-id") or ""


def test_an_answer_is_labelled_by_keyboard_alone_and_the_judge_speaks_after_it(
    page: Page, address: str, labels: Path
) -> None:
    page.driver.get(address)
    page.until(lambda: shown(page) != "")
    first = shown(page)
    assert not page.find("#judged").is_displayed()
    press(page, "p", "1", "1", "e")
    press(page, "no unit, is right", Keys.ENTER)
    page.until(lambda: page.find("#judged").is_displayed())
    verdict, claims = map(json.loads, labels.read_text("utf-8").splitlines())
    assert (verdict["id"], verdict["verdict"], verdict["why"]) == (
        first,
        "partly right",
        "no unit, is right",
    )
    assert (claims["metric"], claims["claims"]) == ("faithfulness", [False])
    assert page.texts("#judge li")[0].startswith("answer_verdict: ")
    in_view = "const at = document.getElementById('judged').getBoundingClientRect(); "
    assert page.run(f"{in_view} return at.top >= 0 && at.bottom <= innerHeight")
    press(page, Keys.ENTER)
    page.until(lambda: shown(page) != first)
    assert not page.find("#judged").is_displayed()
    press(page, "u")
    page.wait_for(lambda: shown(page), first)
    assert page.texts("#progress p")[0].startswith("0 of 6 labelled")
    assert page.errors() == []


def test_a_label_without_a_verdict_is_not_saved_and_the_page_says_so(
    page: Page, address: str, labels: Path
) -> None:
    page.driver.get(address)
    page.until(lambda: shown(page) != "")
    press(page, Keys.ENTER)
    page.wait_for(
        lambda: page.texts("#message"), ["Not saved: say first whether the answer is right"]
    )
    assert not labels.exists()


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1400, "light")])
def test_there_is_no_barrier_and_nothing_to_scroll_sideways(
    page: Page, address: str, width: int, scheme: Literal["dark", "light"]
) -> None:
    page.size(width, 900)
    page.scheme(scheme)
    page.driver.get(address)
    page.until(lambda: shown(page) != "")
    press(page, "r", Keys.ENTER)
    page.until(lambda: page.find("#judged").is_displayed())
    assert violations(page) == []
    assert page.run("return document.documentElement.scrollWidth <= innerWidth")
    assert page.run("return document.title") == "Label answers · RAG evaluation"
    assert page.find_all("img") == []
    assert page.errors() == []


def walk(page: Page, name: str, verdicts: Sequence[str]) -> list[str]:
    """Label answers under a name, by keyboard alone; return their ids."""
    press(page, "y")
    assert page.run("return document.activeElement.id") == "by"
    before = page.texts("#progress p")
    press(page, name, Keys.ENTER)
    page.until(lambda: shown(page) != "" and not page.find("#judged").is_displayed())
    ids = []
    for key in verdicts:
        ids.append(shown(page))
        press(page, key, Keys.ENTER)
        page.until(lambda: page.find("#judged").is_displayed())
        press(page, Keys.ENTER)
        page.until(lambda: shown(page) != ids[-1] or page.find("#done").is_displayed())
    assert page.texts("#progress p") != before
    return ids


def label(labelling: Labelling, by: str, verdicts: Sequence[str]) -> list[str]:
    """Label answers under a name, without the page; return their ids."""
    ids = []
    for verdict in verdicts:
        view = labelling.next(by)
        assert view is not None
        labelling.label(view["id"], verdict, by=by)
        ids.append(view["id"])
    return ids


def test_two_people_label_the_same_twenty_answers_and_then_others(page: Page, labels: Path) -> None:
    samples = [sample(f"q{n}", response=f"Shelf {n}.") for n in range(50)]
    scores = {"answer_verdict": [n % 3 / 2 for n in range(50)]}
    labelling = Labelling(run_of_scores("demo", scores, samples=samples), labels)
    with served(lambda token, port: label_app(labelling, token=token, port=port)) as where:
        page.driver.get(where)
        page.until(lambda: shown(page) != "")
        # Most of them without the page, which shows nothing else for them.
        first = label(labelling, "ann", [*["right"] * 4, "wrong"] * 5)
        first += walk(page, "ann", "rrrrw")
        second = label(labelling, "ben", [*["right"] * 3, "wrong", "wrong"] * 3)
        second += walk(page, "ben", "rrrww" * 2)
        # The second person begins with twenty of the first's; then come new ones.
        assert second[:20] == first[:20]
        assert set(second[20:]).isdisjoint(first)
        agreed = page.texts("#progress p")[-1]
        # Of twenty, four are right for one and wrong for the other: kappa (.8 - .56) / (1 - .56).
        assert re.fullmatch(
            r"ann and ben agree on 16 of 20; Cohen's kappa 0\.55 \(\S+ to \S+\)\.", agreed
        )
        assert page.texts("#progress p")[0].startswith("35 of 50 labelled")
        press(page, "u")
        page.until(lambda: shown(page) == second[-1])
        assert page.texts("#progress p")[0].startswith("34 of 50 labelled")
        press(page, "n", "e", "It says nothing.", Keys.ENTER)
        page.until(lambda: page.find("#judged").is_displayed())
        assert page.errors() == []
    lines = [json.loads(line) for line in labels.read_text("utf-8").splitlines()]
    assert [line["by"] for line in lines] == ["ann"] * 30 + ["ben"] * 27  # one taken back, and anew
    assert lines[-2]["label"] is None
    assert (lines[-1]["verdict"], lines[-1]["why"]) == ("not attempted", "It says nothing.")
    kept = read_labels(labels, metrics=["answer_verdict"], merged=False)
    assert sorted(label.by for label in kept) == ["ann"] * 30 + ["ben"] * 25
