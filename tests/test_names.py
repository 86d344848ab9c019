"""Hold names to the field's words: those of an earlier private language are not to come back."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("llamaindex_rag_eval", "testset")

RETIRED = frozenset(
    {
        *("aside", "asker", "cascade", "catalogue", "commission", "complaints", "deed", "doer"),
        *("door", "estimating", "families", "finishing", "helpers", "inspection", "kept", "kinds"),
        *("manager", "meter", "mood", "outcome", "outcomes", "pool", "reanchoring", "ruled"),
        *(
            "screen",
            "session",
            "slots",
            "spending",
            "spreading",
            "told",
            "utils",
            "waves",
            "wishes",
        ),
    }
)
"""Words of module names and of public classes and functions; CONTRIBUTING's glossary has ours."""

PARTICIPLES = frozenset(
    {"asked", "called", "carried", "found", "given", "held", "made", "measured", "said", "shown"}
)
"""A function is a verb, or a noun for what it returns; never a participle alone."""


def sources() -> Iterator[Path]:
    """Yield the product's files that must keep to the words."""
    for package in PACKAGES:
        yield from sorted((ROOT / package).rglob("*.py"))


def words_of(name: str) -> set[str]:
    """Return the words of a name in snake or camel case.

    >>> sorted(words_of("KeptRun")), sorted(words_of("open_door"))
    (['kept', 'run'], ['door', 'open'])
    """
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def public_names(path: Path) -> list[str]:
    """Return the public classes and functions of a file, methods among them, without properties."""
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return [
        node.name
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, kinds) and not node.name.startswith("_")
        if not any(ast.unparse(one).endswith("property") for one in node.decorator_list)
    ]


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
        for name in public_names(path)
        if RETIRED & words_of(name)
    }
    assert retired == {}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_public_function_is_a_participle_alone(package: str):
    found = [
        f"{path.relative_to(ROOT).as_posix()}: {name}"
        for path in sources()
        if path.relative_to(ROOT).parts[0] == package
        for name in public_names(path)
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
