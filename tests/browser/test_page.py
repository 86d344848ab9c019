from pathlib import Path

import pytest

from tests.browser.page import Page

QUIET = "<!doctype html><title>Quiet</title><p>One</p><p>Two</p>"
LOUD = "<!doctype html><script>console.error('too hot')</script><img src='missing.png'>"
DARK = (
    "<!doctype html><style>p {color: rgb(1, 1, 1)} "
    "@media (prefers-color-scheme: dark) {p {color: rgb(9, 9, 9)}}</style><p>One"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "page.html"


def test_a_quiet_page_shows_its_text_and_asks_for_itself_alone(page: Page, file: Path):
    file.write_text(QUIET)
    page.open(file)
    assert page.texts("p") == ["One", "Two"]
    assert page.run("return document.title") == "Quiet"
    assert page.errors() == []
    assert page.requests() == [file.as_uri()]


def test_a_loud_page_is_heard(page: Page, file: Path):
    file.write_text(LOUD)
    page.open(file)
    page.until(lambda: any("too hot" in error for error in page.errors()))
    assert page.requests() == [file.as_uri(), file.with_name("missing.png").as_uri()]


def test_a_page_is_seen_narrow_and_dark(page: Page, file: Path):
    file.write_text(DARK)
    page.open(file)
    colour = "return getComputedStyle(document.querySelector('p')).color"
    assert page.run(colour) == "rgb(1, 1, 1)"
    page.scheme("dark")
    page.size(320, 500)
    page.wait_for(lambda: page.run(colour), "rgb(9, 9, 9)")
    page.wait_for(lambda: page.run("return innerWidth"), 320)


def test_the_next_page_starts_as_the_first_did(page: Page, file: Path):
    file.write_text(DARK)
    page.open(file)
    page.until(lambda: page.run("return innerWidth") != 320)
    assert page.requests() == [file.as_uri()]
