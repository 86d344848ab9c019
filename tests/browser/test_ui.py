"""The pages of `rag-eval ui` in a real browser: charts by keyboard, no barrier, no text trusted."""

from collections.abc import Iterator
from typing import Literal

import pytest
from selenium.webdriver.common.keys import Keys

from llamaindex_rag_eval.runs.store.run_store import RunStore
from llamaindex_rag_eval.ui.history import History
from tests.browser.axe import violations
from tests.browser.page import Page
from tests.browser.serving import served_ui
from tests.report.runs import sample
from tests.ui.histories import run_on

HOSTILE = "</title><script>document.title = 'taken'</script><img src=x onerror=alert(1)>"
WIDE_SCORES = {f"a_rather_long_metric_{n}": [0.25, 0.5, 0.75] for n in range(6)}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    store = RunStore(tmp_path_factory.mktemp("ui") / "runs.db")
    first = [sample("q0", query=HOSTILE, response=HOSTILE), sample("q1"), sample("q2")]
    for day, name in enumerate(["main", "main", "branch", "main", "third"], start=1):
        samples = first if day < 4 else [*first[:2], sample(f"new-{'x' * 80}")]
        store.add(run_on(day, name, samples=samples, m=[day / 8, 1.0, None], **WIDE_SCORES))
    store.add(run_on(6, HOSTILE, samples=first, m=[1.0, 1.0, 1.0]), tags=[HOSTILE])
    with served_ui(History(store), place=HOSTILE) as where:
        yield where


@pytest.fixture
def pages(address: str) -> list[str]:
    return [address, f"{address}question?id=q0", f"{address}run?id=none"]


def focused(page: Page) -> object:
    return page.run("return document.activeElement.getAttribute('aria-label')")


def test_arrow_keys_lead_from_run_to_run_and_enter_opens_one(page: Page, address: str) -> None:
    page.driver.get(f"{address}?name=main")
    page.run("document.querySelector('svg.trend a[tabindex=\"0\"]').focus()")
    assert "2026-03-04 04:30" in str(focused(page))
    page.driver.switch_to.active_element.send_keys(Keys.ARROW_LEFT)
    assert "2026-03-02 04:30" in str(focused(page))
    assert page.texts(".reading")[0] == focused(page)
    page.driver.switch_to.active_element.send_keys(Keys.HOME)
    assert "2026-03-01 04:30" in str(focused(page))
    assert len(page.find_all('svg[aria-label^="m over"] a[tabindex="0"]')) == 1
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    page.until(lambda: "run?id=" in page.driver.current_url)
    assert page.texts("h1") == ["main, 2026-03-01 04:30"]
    assert page.errors() == []


def test_two_runs_are_chosen_and_compared(page: Page, address: str) -> None:
    page.driver.get(f"{address}?name=main")
    page.run(
        "const [a, b] = ['a', 'b'].map((n) => document.querySelector(`select[name=${n}]`));"
        "a.selectedIndex = a.options.length - 1; b.selectedIndex = a.options.length - 2;"
    )
    page.find("form[action=compare] button").click()
    page.until(lambda: page.find_all("#decision") != [])
    assert page.texts("h1") == ["main, 2026-03-02 04:30 against main, 2026-03-01 04:30"]
    page.until(lambda: len(page.find_all(".item")) == 3)  # the report's own script runs
    page.find(".kicker a").click()
    page.until(lambda: page.texts("h1") == ["Runs"])
    assert page.errors() == []


def test_a_question_leads_from_a_run_to_its_history_and_back(page: Page, address: str) -> None:
    page.driver.get(address)
    page.find(".tall tbody a").click()
    page.until(lambda: len(page.find_all(".item")) == 3)
    page.run("[...document.querySelectorAll('.item')].at(1).open = true")
    page.until(lambda: page.find_all(".item[open] a[href*='question?id=']") != [])
    page.find(".item[open] a[href*='question?id=']").click()
    page.until(lambda: page.find_all("#scores") != [])
    (wording,) = page.texts("h1")
    page.find(".tall tbody a").click()
    page.until(lambda: len(page.find_all(".item")) == 1)
    assert wording in page.texts(".item .title")[0]
    assert page.errors() == []


def test_hostile_text_is_shown_as_text(page: Page, address: str, pages: list[str]) -> None:
    for place in pages:
        page.driver.get(place)
        assert page.find_all("img") == []
        assert page.run("return document.title") != "taken"
    page.driver.get(f"{address}question?id=q0")
    assert page.texts("h1") == [HOSTILE]


def test_everything_comes_from_the_server_and_the_policy_stops_other_scripts(
    page: Page, address: str
) -> None:
    page.driver.get(address)
    assert {url.split("/")[2] for url in page.requests()} == {address.split("/")[2]}
    page.run("document.body.insertAdjacentHTML('beforeend', \"<img src=x onerror='title=1'>\")")
    page.until(lambda: any("Content Security Policy" in error for error in page.errors()))


@pytest.mark.parametrize(("scheme", "width"), [("light", 1400), ("dark", 390)])
def test_an_independent_checker_finds_no_serious_barrier_and_nothing_sticks_out(
    page: Page, pages: list[str], scheme: Literal["light", "dark"], width: int
) -> None:
    page.scheme(scheme)
    page.size(width, 900)
    for place in pages:
        page.driver.get(place)
        assert violations(page) == [], place
        inside = "return document.documentElement.scrollWidth <= innerWidth"
        assert page.run(inside) is True, place
    page.errors()  # the browser logs the run that is not there
