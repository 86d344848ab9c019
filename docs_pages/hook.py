"""What mkdocs calls while it builds the site: pages from the code join those of `docs/`."""

import re
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page

from docs_pages.notebooks import notebook_pages
from docs_pages.pages import llms_text, pages, with_site_links

ROOT = Path(__file__).parents[1]
FOLDERS = {"Metrics": "metrics", "Commands": "commands", "Examples": "examples"}
"""Sections of the navigation that have all pages of a folder."""

_written: dict[str, str] = {}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Write the pages, and put those of each folder into the navigation."""
    _written.update(pages(ROOT) | notebook_pages(ROOT))
    for entry in config.nav or []:
        for title in FOLDERS.keys() & entry.keys():
            places = [place for place in _written if place.startswith(f"{FOLDERS[title]}/")]
            entry[title] = sorted(places, key=lambda place: (not place.endswith("index.md"), place))
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages to the files of the site."""
    for place, text in _written.items():
        files.append(File.generated(config, place, content=text))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Let links to files outside of `docs/` lead to their pages."""
    return with_site_links(markdown)


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
    """Add llms.txt, which lists the pages in the order of the navigation."""
    sections = [("Start", [item for item in nav.items if isinstance(item, Page)])]
    sections += [
        (item.title, list(_pages(item))) for item in nav.items if isinstance(item, Section)
    ]
    links = [(title, [_link(page) for page in found]) for title, found in sections]
    text = llms_text(config.site_description or "", links)
    files.append(File.generated(config, "llms.txt", content=text))
    return nav


def _pages(section: Section) -> Iterator[Page]:
    for item in section.children or []:
        if isinstance(item, Page):
            yield item
        elif isinstance(item, Section):
            yield from _pages(item)


def _link(page: Page) -> tuple[str, str]:
    """Return the title of a page, which is not read yet, and its address."""
    heading = re.search(r"^# (.+)$", page.file.content_string, re.MULTILINE)
    return (page.title or (heading[1].strip("`") if heading else page.file.name)), page.url
