import re
import sys
from pathlib import Path

import pytest

from tests.readme_table import BEGIN, END, README, metric_table, with_table

if sys.version_info >= (3, 11):
    import tomllib
else:
    tomllib = pytest.importorskip("tomli", reason="pyproject.toml is read by Python 3.11 and later")

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
REQUIREMENTS = [*PROJECT["dependencies"], *(need for extra in EXTRAS.values() for need in extra)]


def _name(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found is not None
    return found[0].lower().replace("_", "-")


def _pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    parts = (line.partition("==") for line in lines if not line.startswith("#"))
    return {name: version for name, _, version in parts}


def test_readme_shows_the_metrics_as_they_are():
    text = README.read_text(encoding="utf-8")
    assert f"{BEGIN}\n{metric_table()}\n{END}" in text, "run `make readme`"


def test_a_stale_table_is_replaced_whole():
    stale = f"before\n{BEGIN}\n| old |\n{END}\nafter"
    assert with_table(stale) == f"before\n{BEGIN}\n{metric_table()}\n{END}\nafter"


@pytest.mark.parametrize("requirement", REQUIREMENTS)
def test_contributing_gives_a_reason_for_every_dependency(requirement: str):
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    reason = re.search(rf"^\| `{re.escape(_name(requirement))}` \| (.+) \|$", text, re.MULTILINE)
    assert reason is not None
    assert len(reason[1].split()) >= 3


def test_contributing_lists_nothing_that_is_not_a_dependency():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `([a-z0-9-]+)` \|", text, re.MULTILINE)) - {"floor"}
    assert listed == {_name(requirement) for requirement in REQUIREMENTS}


def test_every_dependency_is_pinned():
    assert {_name(requirement) for requirement in REQUIREMENTS} <= set(_pins())


def test_constraints_are_versions_and_nothing_else():
    assert all(re.fullmatch(r"[0-9][0-9a-z.]*", version) for version in _pins().values())
    assert _pins()["torch"] == "2.13.0"


def test_changelog_has_a_place_for_what_comes_next():
    assert "## [Unreleased]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
