"""What users of test sets import: there, in order, and nothing heavy or circular behind it."""

import importlib
import inspect
import json
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

import testset
from tests.testset.corpora import documents
from testset import aestimate, agenerate, estimate, generate
from testset.generation.config import GenerationConfig, Options

NEEDED = {
    "Corpus",
    "Decisions",
    "GoldenItem",
    "GoldenSet",
    "adapted_writer_prompts",
    "agenerate",
    "data_card",
    "estimate",
    "export_golden",
    "generate",
    "import_golden",
    "refresh",
    "serve_review",
}


def test_what_users_need_is_exported_and_no_module_stands_in_its_place():
    assert set(testset.__all__) >= NEEDED
    for name in testset.__all__:
        assert not inspect.ismodule(getattr(testset, name)), name


def test_importing_the_package_loads_none_of_its_modules():
    code = (
        "import sys, json, testset; print(json.dumps([m for m in sys.modules if 'testset' in m]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == ["testset"]


@pytest.mark.parametrize("path", sorted(Path(testset.__file__).parent.glob("*.py")), ids=str)
def test_every_module_can_be_imported_first(path):
    if path.stem in ("documents", "nodes", "reading", "source_document"):
        code = f"import testset.{path.stem}"
        subprocess.run([sys.executable, "-c", code], check=True, timeout=300)
    else:
        importlib.import_module(f"testset.{path.stem}" if path.stem != "__init__" else "testset")


def test_the_keywords_are_the_same_everywhere():
    assert [field.name for field in fields(GenerationConfig)] == list(Options.__annotations__)
    told = inspect.getdoc(generate) or ""
    assert all(f"- {name}" in told for name in Options.__annotations__)


@pytest.mark.parametrize("function", [generate, estimate])
def test_a_keyword_that_does_not_exist_is_refused(function):
    with pytest.raises(TypeError, match="sizes"):
        function(documents(1), sizes=3)


async def test_an_estimate_of_rules_costs_nothing_in_a_loop_or_out_of_one():
    assert (await aestimate(documents(1), size=2)).total.calls == 0
    assert len(await agenerate(documents(6, sheets=True), size=2)) == 2
