"""A page in a real browser, for tests."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal

from selenium.common.exceptions import (
    NoSuchElementException,
    StaleElementReferenceException,
    TimeoutException,
)
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE = 300
"""Seconds to wait for a page: far more than it needs, as the machine may be busy."""


class Page:
    """A page of the browser `driver`, with what tests ask of it."""

    def __init__(self, driver: WebDriver) -> None:
        self.driver = driver

    def open(self, file: Path) -> None:
        """Show a local file."""
        self.driver.get(file.resolve().as_uri())

    def find(self, selector: str) -> WebElement:
        """Return the first element that the CSS selector finds; raise if there is none."""
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def find_all(self, selector: str) -> list[WebElement]:
        """Return every element that the CSS selector finds, in the order of the page."""
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def texts(self, selector: str) -> list[str]:
        """Return the visible text of every element that the CSS selector finds."""
        return [element.text for element in self.find_all(selector)]

    def until(self, reached: Callable[[], bool]) -> None:
        """Wait until a condition holds; raise if it does not within `PATIENCE`."""
        redrawn = (NoSuchElementException, StaleElementReferenceException)
        wait = WebDriverWait(self.driver, PATIENCE, 0.05, ignored_exceptions=redrawn)
        wait.until(lambda _: reached())

    def wait_for(self, look: Callable[[], object], wanted: object) -> None:
        """Assert that `look()` returns `wanted`, now or after the page has caught up.

        A click returns when the browser has it, which may be before the page has.
        """
        with suppress(TimeoutException):
            self.until(lambda: look() == wanted)
        assert look() == wanted

    def run(self, script: str, *arguments: object) -> object:
        """Return the result of a script, as `return document.title`."""
        result: object = self.driver.execute_script(script, *arguments)
        return result

    def size(self, width: int, height: int) -> None:
        """Make the page this many CSS pixels wide and high, smaller than a window can be."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def scheme(self, scheme: Literal["dark", "light"]) -> None:
        """Emulate a preference for dark or light pages."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})

    def media(self, media: Literal["print", "screen"]) -> None:
        """Show the page as on paper, or as on a screen."""
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media})

    def errors(self) -> list[str]:
        """Return the errors and warnings logged since the last call."""
        log = self.driver.get_log("browser")  # type: ignore[no-untyped-call]  # selenium's
        return [entry["message"] for entry in log if entry["level"] in {"SEVERE", "WARNING"}]

    def requests(self) -> list[str]:
        """Return the addresses requested since the last call, that of the page included."""
        log = self.driver.get_log("performance")  # type: ignore[no-untyped-call]  # selenium's
        events = [json.loads(entry["message"])["message"] for entry in log]
        return [
            event["params"]["request"]["url"]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        ]

    def reset(self) -> None:
        """Forget the page, what it logged and what was emulated."""
        self.driver.get("about:blank")
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
        self.errors()
        self.requests()
