"""One browser for all tests that look at pages."""

from collections.abc import Iterator

import pytest
from selenium import webdriver

from tests.browser.chromium import chromium
from tests.browser.page import Page


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """Start the browser."""
    started = chromium(tmp_path_factory.mktemp("chromium"))
    yield started
    started.quit()


@pytest.fixture
def page(browser: webdriver.Chrome) -> Page:
    """Return an empty page on which nothing has happened yet."""
    empty = Page(browser)
    empty.reset()
    return empty
