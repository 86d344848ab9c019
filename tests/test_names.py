"""Hold names to the field's words: those of an earlier private language are not to come back."""

import ast
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("llamaindex_rag_eval", "testset")

RETIRED = frozenset(
    {
        *("aside", "asker", "cascade", "catalogue", "commission", "complaints", "crew"),
        *("deed", "doer", "door", "estimating", "families", "fill", "finishing"),
        *("grounds", "helpers", "inspection", "kept", "kinds", "lacking", "manager"),
        *("meter", "mood", "orders", "outcome", "outcomes", "packing", "pool"),
        *("reanchoring", "ruled", "screen", "session", "slots", "spending"),
        *("spreading", "together", "told", "utils", "waves", "wishes"),
    }
)
"""Words of module names and of public classes and functions; CONTRIBUTING's glossary has ours."""

HOLLOW = frozenset({"asked", "found", "one", "place", "places", "told"})
"""Names that say nothing of what a variable, an argument, an attribute or a function holds."""

RARE = frozenset({"chosen", "given", "kept", "made", "other", "rest", "said"})
"""Names that say little: a room has at most so many of them; lower the numbers, never raise one."""

MOST_RARE = {
    "llamaindex_rag_eval/cli": 14,
    "llamaindex_rag_eval/compat": 5,
    "llamaindex_rag_eval/data": 8,
    "llamaindex_rag_eval/decisions": 20,
    "llamaindex_rag_eval/engines": 8,
    "llamaindex_rag_eval/formulas": 12,
    "llamaindex_rag_eval/integrations": 11,
    "llamaindex_rag_eval/judge": 60,
    "llamaindex_rag_eval/metrics": 18,
    "llamaindex_rag_eval/models": 57,
    "llamaindex_rag_eval/report": 1,
    "llamaindex_rag_eval/runs": 15,
    "llamaindex_rag_eval/stats": 3,
    "llamaindex_rag_eval/traces": 5,
    "llamaindex_rag_eval/ui": 4,
    "testset/checks": 18,
    "testset/corpus": 18,
    "testset/formats": 4,
    "testset/generation": 28,
    "testset/golden": 5,
    "testset/rules": 45,
}

KEPT = {
    ("llamaindex_rag_eval/data/sample.py", "asked"),  # properties of samples, public
    ("llamaindex_rag_eval/decisions/limits.py", "found"),  # in the JSON of gates
    (
        "llamaindex_rag_eval/decisions/sweep_settings.py",
        "place",
    ),  # an attribute of `Setting`, public
    ("llamaindex_rag_eval/models/scripted.py", "asked"),  # an attribute of `ScriptedOracle`, public
}
"""Those that users or files of version 0.1 know."""

RETIRED_CLASSES = frozenset({"Spread", "Waiting", "_Found", "_Head", "_Here"})
"""Names of classes that say nothing of what they hold."""

PARTICIPLES = frozenset(
    {"asked", "called", "carried", "found", "given", "held", "made", "measured", "said", "shown"}
)
"""A function is a verb, or a noun for what it returns; never a participle alone."""


@cache
def sources() -> Sequence[Path]:
    """Return the product's files that must keep to the words."""
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def words_of(name: str) -> set[str]:
    """Return the words of a name in snake or camel case.

    >>> sorted(words_of("KeptRun")), sorted(words_of("open_door"))
    (['kept', 'run'], ['door', 'open'])
    """
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


class Names(NamedTuple):
    """The names of a file.

    Attributes:
        bound: What it gives to what it holds, each with its line.
        classes: Its classes, each with its line.
        public: Its public classes and functions, methods among them, without properties.
    """

    bound: list[tuple[str, int]]
    classes: list[tuple[str, int]]
    public: list[str]


@cache
def names_of(path: Path) -> Names:
    """Return the names of a file."""
    names = Names([], [], [])
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names.bound.append((node.name, node.lineno))
            if isinstance(node, ast.ClassDef):
                names.classes.append((node.name, node.lineno))
            is_property = any(ast.unparse(d).endswith("property") for d in node.decorator_list)
            if not node.name.startswith("_") and not is_property:
                names.public.append(node.name)
        elif isinstance(node, ast.arg):
            names.bound.append((node.arg, node.lineno))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.bound.append((node.id, node.lineno))
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.bound.append((node.attr, node.lineno))
    return names


def test_names_say_what_they_hold():
    hollow = [
        f"{path.relative_to(ROOT).as_posix()}:{line}: {name}"
        for path in sources()
        for name, line in names_of(path).bound
        if name.lower().lstrip("_") in HOLLOW
        if (path.relative_to(ROOT).as_posix(), name) not in KEPT
    ]
    assert hollow == []


def test_no_room_has_more_rare_names_than_before():
    now = Counter(
        "/".join(path.relative_to(ROOT).parts[:2])
        for path in sources()
        for name, _ in names_of(path).bound
        if name.lower().lstrip("_") in RARE
    )
    assert {room: count for room, count in now.items() if count > MOST_RARE.get(room, 0)} == {}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_module_has_a_retired_name(package: str):
    modules = [p.relative_to(ROOT) for p in sources() if p.relative_to(ROOT).parts[0] == package]
    retired = {
        module.as_posix(): sorted(found)
        for module in modules
        if (found := RETIRED & set().union(*map(words_of, module.parts)))
    }
    assert retired == {}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_public_class_or_function_has_a_retired_name(package: str):
    retired = {
        f"{path.relative_to(ROOT).as_posix()}: {name}": sorted(RETIRED & words_of(name))
        for path in sources()
        if path.relative_to(ROOT).parts[0] == package
        for name in names_of(path).public
        if RETIRED & words_of(name)
    }
    assert retired == {}


def test_no_class_has_a_retired_name():
    retired = [
        f"{path.relative_to(ROOT).as_posix()}:{line}: {name}"
        for path in sources()
        for name, line in names_of(path).classes
        if name in RETIRED_CLASSES
    ]
    assert retired == []


@pytest.mark.parametrize("package", PACKAGES)
def test_no_public_function_is_a_participle_alone(package: str):
    found = [
        f"{path.relative_to(ROOT).as_posix()}: {name}"
        for path in sources()
        if path.relative_to(ROOT).parts[0] == package
        for name in names_of(path).public
        if name in PARTICIPLES
    ]
    assert found == []


def test_a_command_has_at_most_sixty_lines_with_its_options():
    lengths = {
        node.name: node.end_lineno - node.lineno + 1
        for path in (ROOT / "llamaindex_rag_eval" / "cli").glob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.endswith("_command")
    }
    assert len(lengths) >= 20
    assert {name: length for name, length in lengths.items() if length > 60} == {}


def test_nothing_lies_loose_beside_the_packages():
    loose = {
        package: sorted(path.name for path in (ROOT / package).iterdir() if path.is_file())
        for package in PACKAGES
    }
    assert loose == {
        "llamaindex_rag_eval": [
            "__init__.py",
            "__init__.pyi",
            "__main__.py",
            "_interrupt.py",
            "_local_page.py",
            "_ray.py",
            "_sync.py",
            "errors.py",
            "py.typed",
        ],
        "testset": ["__init__.py", "__init__.pyi", "py.typed", "version.py"],
    }


def test_contributing_draws_the_layers_that_are_checked():
    rules = (ROOT / ".importlinter").read_text(encoding="utf-8")
    layers = rules.partition("layers =\n")[2].partition("\n\n")[0].split("\n")
    names = [[name.strip() for name in layer.split(":")] for layer in layers if layer.strip()]
    drawn = re.findall(r"^\| \d+ \| (.+?) \|", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.M)
    assert [sorted(re.findall(r"`(\w+)", row)) for row in drawn] == [sorted(n) for n in names]


def test_the_glossary_has_at_most_forty_words():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    glossary = text.partition("## Glossary")[2].partition("\n## ")[0]
    terms = re.findall(r"^\| \*\*(.+?)\*\* \|", glossary, re.M)
    assert 20 <= len(terms) <= 40
    assert terms == sorted(terms, key=str.casefold)
