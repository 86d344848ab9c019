"""What a program loads is what it needs, seen in one process that does one thing after another."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.report.runs import run_of_scores

PROGRAM = """
import json, logging, sys
from pathlib import Path
from llamaindex_rag_eval import AnswerSimilarity, Faithfulness, Run, compare, evaluate
from tests.runs.evaluations import Length, samples
from testset import Corpus

folder, seen = Path(sys.argv[1]), {}

def look(name, of):
    seen[name] = [module for module in sys.modules if module.startswith(of)]

AnswerSimilarity(cross_encoder="x")
look("named a cross-encoder", "torch")
Faithfulness().evaluate(query="?", response="A b.", contexts=["A b."])
look("scored without a loop", "nest_asyncio")
evaluate(samples(), metrics=[Length()])
look("evaluated", "llamaindex_rag_eval.engines.")
a, b = (Run.read(folder / f"{name}.jsonl") for name in "ab")
assert compare(a, b).verdict
assert compare({"a": a, "b": b}, metrics=["m"]).verdict
look("compared", "llamaindex_rag_eval.engines")
Corpus.of(folder / "docs")
look("read documents", "llama_index.readers.file")
root = logging.getLogger()
print(json.dumps([seen, len(root.handlers), root.level]))
"""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return the modules after each step, and the handlers and the level of the root logger."""
    folder = tmp_path_factory.mktemp("loaded")
    (folder / "docs").mkdir()
    (folder / "docs" / "a.md").write_text("The Orla ferry carries 120 people.\n", encoding="utf-8")
    for name in "ab":
        run_of_scores(name, {"m": [0.5, 1.0]}).to_jsonl(folder / f"{name}.jsonl")
    command = [sys.executable, "-c", PROGRAM, str(folder)]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_no_library_of_models_is_loaded_before_one_is_used(loaded: Any):
    assert loaded[0]["named a cross-encoder"] == []


def test_nest_asyncio_is_not_applied_without_a_running_loop(loaded: Any):
    assert loaded[0]["scored without a loop"] == []


def test_scoring_answers_loads_nothing_that_asks_engines(loaded: Any):
    assert loaded[0]["evaluated"] == []


def test_comparing_finished_runs_loads_nothing_that_asks_engines(loaded: Any):
    assert loaded[0]["compared"] == []


def test_reading_a_folder_does_not_configure_logging(loaded: Any):
    seen, handlers, level = loaded
    assert "llama_index.readers.file" in seen["read documents"]
    assert (handlers, level) == (0, 30)
