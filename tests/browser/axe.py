"""What axe-core, an independent checker of accessibility, says against a page."""

from importlib.resources import files
from typing import cast

from tests.browser.page import Page


def violations(page: Page) -> list[str]:
    """Return the serious and critical violations of the page that is open, one a line."""
    page.run(files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    found = page.driver.execute_async_script(
        "const done = arguments[0];"
        "axe.run(document, {resultTypes: ['violations']}).then((r) => done(r.violations));"
    )
    return [
        f"{entry['id']}: {entry['help']}: {entry['nodes'][0]['html']}"
        for entry in cast("list[dict[str, list[dict[str, str]]]]", found)
        if entry["impact"] in ("serious", "critical")
    ]
