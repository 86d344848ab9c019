"""The review page in a real browser, also after the command was killed and started again."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import httpx
import pytest
from selenium.webdriver.common.keys import Keys

from tests.browser.axe import violations
from tests.browser.page import Page
from tests.browser.serving import served
from tests.prepared import Process
from testset import Check, GoldenItem, GoldenSet, GoldSpan, HardNegative
from testset.review.decisions import Decisions
from testset.review.server import review_app

HOSTILE = (
    "</textarea></script><script>document.title = 'taken'</script><img src=x onerror=alert(1)>"
)
TEXT = f"# Pumps\n\nThe VT-240 has twelve zones. {HOSTILE} It weighs 40 kg.\n" + "Filler.\n" * 900
START = (
    "import sys; from llamaindex_rag_eval.__main__ import main; sys.argv[0] = 'rag-eval'; main()"
)


def span(quote: str) -> GoldSpan:
    start = TEXT.index(quote)
    cut = GoldSpan.cut("<b>pump</b>.md", "", TEXT, start, start + len(quote))
    return cut.model_copy(update={"setting": ("<i>Pumps</i>", "You need:")})


def items() -> tuple[GoldenItem, ...]:
    hostile = GoldenItem(
        id="h",
        question=f"What is {HOSTILE}?",
        reference=HOSTILE,
        gold=((span(HOSTILE),), (span("40 kg"),)),
        type="multi_hop",
        checks={"critics_agree": Check(verdict="tagged", evidence=HOSTILE, who=HOSTILE)},
        topic=HOSTILE,
        hard_negatives=(
            HardNegative(doc_id="a.md", start=0, end=9, quote=HOSTILE, found_by="<b>app</b>"),
        ),
    )
    zones = span("twelve zones")
    plain = [
        GoldenItem(id=f"i{n}", question=f"Question {n}?", reference=f"{n}", gold=((zones,),))
        for n in range(5)
    ]
    return (*plain, hostile)


def start_review(golden: Path, docs: Path) -> tuple[Process, str]:
    """Start the command; return its process and the address it prints."""
    command = [sys.executable, "-c", START, "review", str(golden), "--docs", str(docs)]
    process = Process(command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


def kill(process: Process) -> None:
    process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    return GoldenSet(items(), size=6).write(tmp_path / "golden.jsonl")


@pytest.fixture
def address(golden: Path) -> Iterator[str]:
    texts = {"<b>pump</b>.md": TEXT}
    with served(
        lambda token, port: review_app(Decisions(golden), texts, token=token, port=port)
    ) as where:
        yield where


def press(page: Page, *keys: str) -> None:
    page.find("body").send_keys(*keys)


def wait_for_item(page: Page, item_id: str) -> None:
    page.until(lambda: page.find("#item").get_attribute("data-id") == item_id)


def choose(page: Page, name: str, value: str) -> None:
    script = "const e = document.getElementById(arguments[0]); e.value = arguments[1];"
    page.run(f"{script} e.dispatchEvent(new Event('input'))", name, value)


def statuses(golden: Path) -> dict[str, str]:
    return {item.id: item.status for item in GoldenSet.read(golden)}


def test_the_page_lists_questions_and_marks_the_evidence_in_its_document(
    page: Page, address: str
) -> None:
    page.driver.get(address)
    wait_for_item(page, "i0")
    assert len(page.find_all("#list li")) == 6
    page.wait_for(lambda: page.texts("#progress"), ["0 of 6 reviewed"])
    assert page.texts("#evidence mark") == ["twelve zones"]
    assert page.texts("#evidence .setting") == ["<i>Pumps</i> · You need:"]
    assert not page.find("#negatives").is_displayed()
    assert page.find(".document").text.startswith("# Pumps\n\nThe VT-240 has twelve zones.")
    assert page.errors() == []
    assert {url.split("/")[2] for url in page.requests()} == {address.split("/")[2]}


@pytest.mark.parametrize(("scheme", "width"), [("light", 1400), ("dark", 390)])
def test_there_is_no_barrier_and_nothing_to_scroll_sideways(
    page: Page, address: str, scheme: Literal["light", "dark"], width: int
) -> None:
    page.scheme(scheme)
    page.size(width, 900)
    page.driver.get(address)
    wait_for_item(page, "i0")
    press(page, "a")
    wait_for_item(page, "i1")
    press(page, "e")
    page.until(lambda: page.find("#editing").is_displayed())
    assert violations(page) == []
    assert page.run("return document.documentElement.scrollWidth <= innerWidth")


def test_keys_accept_edit_reject_and_undo_and_each_is_in_the_file_at_once(
    page: Page, address: str, golden: Path
) -> None:
    page.driver.get(address)
    wait_for_item(page, "i0")
    press(page, "a")
    wait_for_item(page, "i1")
    assert statuses(golden)["i0"] == "accepted"
    press(page, "r")
    wait_for_item(page, "i2")
    assert statuses(golden)["i1"] == "rejected"
    press(page, "e")
    box = page.find("#question")
    box.clear()
    box.send_keys("A better question, really?", Keys.CONTROL, Keys.ENTER)
    page.wait_for(lambda: page.texts("#progress"), ["3 of 6 reviewed"])
    edited = GoldenSet.read(golden).items[2]
    assert (edited.question, edited.status) == ("A better question, really?", "edited")
    press(page, "u")
    page.until(lambda: page.find("#question").get_attribute("value") == "Question 2?")
    assert statuses(golden)["i2"] == "auto"
    press(page, "u")
    wait_for_item(page, "i1")
    assert statuses(golden) | {"i0": "auto"} == {item.id: "auto" for item in items()}
    page.wait_for(lambda: page.texts("#progress"), ["1 of 6 reviewed"])
    assert page.errors() == []


def test_letters_typed_while_editing_are_text_and_escape_leaves_it_as_it_was(
    page: Page, address: str, golden: Path
) -> None:
    page.driver.get(address)
    wait_for_item(page, "i0")
    press(page, "e")
    page.find("#reference").send_keys(" are", Keys.ESCAPE)
    page.wait_for(lambda: page.find("#reference").get_attribute("value"), "0")
    assert set(statuses(golden).values()) == {"auto"}


def test_an_empty_question_is_not_saved_and_the_page_says_so(
    page: Page, address: str, golden: Path
) -> None:
    page.driver.get(address)
    wait_for_item(page, "i0")
    press(page, "e")
    page.find("#question").clear()
    page.find("#save").click()
    page.wait_for(lambda: page.texts("#message"), ["Not saved: expected a question, got none"])
    assert set(statuses(golden).values()) == {"auto"}
    page.errors()  # the browser logs the refused request


def test_filters_narrow_the_list(page: Page, address: str) -> None:
    page.driver.get(address)
    wait_for_item(page, "i0")
    choose(page, "type", "multi_hop")
    page.wait_for(lambda: page.texts("#count"), ["1 of 6"])
    choose(page, "type", "")
    choose(page, "search", "question 3")
    page.wait_for(lambda: page.texts("#count"), ["1 of 6"])
    choose(page, "search", "")
    page.find("#doubts").click()
    page.wait_for(lambda: len(page.find_all("#list li")), 1)
    page.find("#list button").click()
    wait_for_item(page, "h")
    assert page.texts("#evidence mark") == [HOSTILE, "40 kg"]


def test_hostile_text_renders_as_text(page: Page, address: str) -> None:
    page.driver.get(address)
    wait_for_item(page, "i0")
    page.find("#list li:last-child button").click()
    wait_for_item(page, "h")
    assert page.find("#question").get_attribute("value") == f"What is {HOSTILE}?"
    assert HOSTILE in page.find("#facts").text
    assert page.texts("#evidence h3") == ["<b>pump</b>.md"]
    page.find("#negatives summary").click()
    assert page.texts("#found h3") == ["a.md (found by <b>app</b>)"]
    assert page.texts("#found .document") == [HOSTILE]
    assert page.texts("#checks td") == ["critics_agree", "tagged", HOSTILE, HOSTILE]
    assert page.run("return document.title") == "Review of a golden set"
    assert page.find_all("img") == []
    assert page.errors() == []


def test_the_policy_stops_a_script_that_got_into_the_page_all_the_same(
    page: Page, address: str
) -> None:
    page.driver.get(address)
    wait_for_item(page, "i0")
    page.run("document.body.insertAdjacentHTML('beforeend', \"<img src=x onerror='title=1'>\")")
    page.until(lambda: any("Content Security Policy" in error for error in page.errors()))
    assert page.run("return document.title") == "Review of a golden set"


def test_a_page_without_the_token_or_under_another_name_shows_nothing(
    page: Page, address: str
) -> None:
    root = address.rsplit("/", 2)[0]
    page.driver.get(root + "/")
    assert "Question" not in page.find("body").text
    assert httpx.get(root + "/api/items").status_code == 403
    assert httpx.get(address + "api/items", headers={"Host": "evil.example"}).status_code == 400
    assert httpx.get(address + "api/items").status_code == 200
    page.errors()  # the browser logs the refused request


def test_decisions_survive_a_kill_and_the_review_goes_on_where_it_was(
    page: Page, golden: Path
) -> None:
    docs = golden.parent / "docs"
    (docs / "other.md").write_text("Another document.")
    process, address = start_review(golden, docs)
    page.driver.get(address)
    wait_for_item(page, "i0")
    press(page, "a")
    wait_for_item(page, "i1")
    press(page, "r")
    wait_for_item(page, "i2")
    os.kill(process.pid, signal.SIGKILL)
    kill(process)
    assert statuses(golden)["i0"] == "accepted"
    assert statuses(golden)["i1"] == "rejected"
    process, again = start_review(golden, docs)
    try:
        assert again != address
        page.driver.get(again)
        wait_for_item(page, "i2")  # the first that is not reviewed
        page.wait_for(lambda: page.texts("#progress"), ["2 of 6 reviewed"])
        press(page, "u")
        wait_for_item(page, "i1")
        assert statuses(golden)["i1"] == "auto"
    finally:
        kill(process)


def test_a_narrow_page_does_not_scroll_sideways(page: Page, address: str) -> None:
    page.size(360, 800)
    page.driver.get(address)
    wait_for_item(page, "i0")
    inside = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert page.run(inside)


def test_two_reviewers_learn_of_one_another_and_evidence_is_edited(
    page: Page, address: str, golden: Path
) -> None:
    page.driver.get(address)
    wait_for_item(page, "i0")
    page.run("for (let timer = 0; timer < 1000; timer += 1) clearInterval(timer)")
    choose(page, "reviewer", "Ada")
    theirs = {"id": "i0", "action": "reject", "reviewer": "Ben", "reason": "<b>vague</b>"}
    assert httpx.post(address + "api/decisions", json=theirs).status_code == 200
    press(page, "a")  # refused, since Ada has not seen it
    page.wait_for(lambda: page.texts("#history li"), ["Ben, reject: <b>vague</b>"])
    press(page, "e")
    page.find("#quotes textarea").clear()
    page.find("#quotes textarea").send_keys("It weighs 40 kg")
    choose(page, "newtype", "table")
    page.find("#save").click()
    page.until(lambda: GoldenSet.read(golden).items[0].status == "edited")
    item = GoldenSet.read(golden).items[0]
    assert (item.type, [[entry.quote for entry in group] for group in item.gold]) == (
        "table",
        [["It weighs 40 kg"]],
    )
    page.wait_for(lambda: page.texts("#history li")[1:], ["Ada, edit"])
    page.errors()  # the browser logs the refused request
