"""A headless Chromium for tests that look at pages; nothing outside this machine is asked."""

import shutil
from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from tests.browser.page import Page
from tests.requirement import require

QUIET = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--no-default-browser-check",
    "--no-first-run",
    "--window-size=1280,900",
)
"""Without these it needs a screen and a user, and calls home."""


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """Start one browser for all tests, with a profile of its own."""
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    require(program and driver, "Chromium (Debian: `apt-get install chromium chromium-driver`)")
    options = webdriver.ChromeOptions()
    options.binary_location = program or ""
    for flag in (*QUIET, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    chrome = webdriver.Chrome(options=options, service=Service(driver))
    yield chrome
    chrome.quit()


@pytest.fixture
def page(browser: webdriver.Chrome) -> Page:
    """Return an empty page on which nothing has happened yet."""
    empty = Page(browser)
    empty.reset()
    return empty
