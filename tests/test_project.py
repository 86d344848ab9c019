import ast
import re
import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import tomllib

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
REQUIREMENTS = [*PROJECT["dependencies"], *(need for extra in EXTRAS.values() for need in extra)]


@cache
def _installed() -> Mapping[str, list[str]]:
    return packages_distributions()


def _name(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found is not None
    return found[0].lower().replace("_", "-")


def _pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    parts = (line.partition("==") for line in lines if not line.startswith("#"))
    return {name: version for name, _, version in parts}


def _imported() -> dict[str, Path]:
    """Return every module outside of the standard library that the packages import, and where."""
    found: dict[str, Path] = {}
    for file in [*ROOT.glob("llamaindex_rag_eval/**/*.py"), *ROOT.glob("testset/**/*.py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name: file for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found[node.module] = file
    ours = {"llamaindex_rag_eval", "testset", *sys.stdlib_module_names}
    return {name: file for name, file in found.items() if name.partition(".")[0] not in ours}


def _distributions(module: str) -> set[str]:
    """Return the names under which a module may be installed."""
    parts = module.replace("_", "-").split(".")
    if parts[0] == "llama-index":  # a namespace that many distributions share
        return {"-".join(parts[:length]) for length in range(2, len(parts) + 1)}
    return {parts[0], *map(_name, _installed().get(module.partition(".")[0], []))}


INDIRECT = {"anthropic", "bm25s", "pydantic-core", "pytest", "sentence-transformers"}
"""Comes with pydantic; or imported only by those who have it: pytest itself, what the extra
`huggingface` brings, and what comes with LlamaIndex's LLM for Anthropic and its BM25."""


def test_everything_that_is_imported_is_a_dependency_of_users():
    extras = [need for extra, needs in EXTRAS.items() if extra != "dev" for need in needs]
    declared = {_name(need) for need in [*PROJECT["dependencies"], *extras]} | INDIRECT
    missing = {m: str(f) for m, f in _imported().items() if not _distributions(m) & declared}
    assert missing == {}


def test_openai_has_an_upper_bound():
    # Without one, pip may try dozens of releases before it finds one that LlamaIndex takes.
    (openai,) = (need for need in PROJECT["dependencies"] if _name(need) == "openai")
    assert re.search(r"<\d", openai)


def test_contributing_gives_a_reason_for_every_dependency():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    reasons = dict(re.findall(r"^\| `([^`]+)` \| (.+) \|$", text, re.MULTILINE))
    for name in map(_name, REQUIREMENTS):
        assert len(reasons.get(name, "").split()) >= 3, f"{name!r} has no reason in CONTRIBUTING"


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
