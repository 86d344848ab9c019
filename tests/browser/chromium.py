"""A headless Chromium that sends no request outside this machine."""

import shutil
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

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
    "--disable-breakpad",
    "--disable-features=Translate,OptimizationHints,MediaRouter,PaintHolding",
    "--renderer-process-limit=1",
    "--disable-software-rasterizer",
    "--disable-extensions",
    "--no-default-browser-check",
    "--no-first-run",
    "--window-size=1280,900",
)
"""Without these it needs a screen and a user, and contacts its vendor."""


def chromium(profile: Path) -> webdriver.Chrome:
    """Start a browser with a profile of its own; skip or fail the test where there is none."""
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    require(program and driver, "Chromium (Debian: `apt-get install chromium chromium-driver`)")
    options = webdriver.ChromeOptions()
    options.binary_location = program or ""
    for flag in (*QUIET, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service(driver))
