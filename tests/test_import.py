"""What a program loads is what it needs, seen in processes that do one thing after another."""

import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.report.runs import run_of_scores

HEAVY = ["nltk", "pandas", "rouge_score", "sacrebleu", "scipy", "sentence_transformers", "sklearn"]
HEAVY += ["torch", "transformers"]
PACKAGES = ["docs_pages", "llamaindex_rag_eval", "testset", "tests"]


def _prints(code: str, *arguments: object) -> object:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


FOR_THE_WORK = ["aiohttp", "llama_index.core", "numpy", "pandas", "scipy", "sqlalchemy"]
FOR_THE_WORK += ["testset.checks", "testset.corpus", "testset.generation", "testset.golden"]

IMPORTS = f"""
import asyncio, contextlib, io, json, sys, threading
run, opened = asyncio.run, []
from llamaindex_rag_eval.cli.app import start
from llamaindex_rag_eval.cli.commands import GROUPS

with contextlib.redirect_stdout(io.StringIO()):
    for words in [[], *([name] for name in GROUPS), ["evaluate"]]:  # imports all commands
        start([*words, "--help"])
assert "llamaindex_rag_eval.cli.generate" in sys.modules
by_help = [name for name in {FOR_THE_WORK} if name in sys.modules]
by_help += [*set(sys.modules).intersection(["PIL", "jinja2"])]
sys.addaudithook(lambda event, found: event == "open" and opened.append(str(found[0])))
def prompts():
    found = [path for path in opened if "/languages/" in path and path.endswith(".yaml")]
    return [path.rpartition("/")[2] for path in found]
import llama_index.core
by_llamaindex = [*sys.modules]
import llamaindex_rag_eval, testset
idle = [threading.active_count(), asyncio.run is run]
import llamaindex_rag_eval.cli
# The packages load a name when it is imported: these load what a user's script does.
from llamaindex_rag_eval import Faithfulness, Judge, LLMOracle, compare, evaluate
from testset import generate
modules, before = [*sys.modules], prompts()
import testset.requests.drafts
assert llamaindex_rag_eval.judge.ClaimsOf.prompt.examples
print(json.dumps([by_help, by_llamaindex, idle, modules, [before, prompts()]]))
"""


@pytest.fixture(scope="module")
def imported() -> Any:
    """Return what help loads for nothing, what LlamaIndex does, what an import of ours starts, all
    modules, and prompts read."""
    return _prints(IMPORTS)


def test_showing_help_loads_no_library_that_only_the_work_needs(imported: Any):
    assert imported[0] == []


def test_importing_loads_no_heavy_library(imported: Any):
    # Not in the list: numpy, sqlalchemy, jinja2 and Pillow, which `llama_index.core` itself loads.
    *_, modules, _ = imported
    assert set(modules) & set(HEAVY) == set()


def test_llamaindex_loads_what_is_left_out_of_the_list_by_itself(imported: Any):
    _, by_llamaindex, *_ = imported
    assert {"PIL", "jinja2", "numpy", "sqlalchemy"} <= set(by_llamaindex)


def test_importing_starts_no_thread_and_leaves_the_event_loop_alone(imported: Any):
    _, _, idle, *_ = imported
    assert idle == [1, True]


def test_a_prompt_is_read_when_it_is_first_asked_for_and_no_other(imported: Any):
    *_, prompts = imported
    assert prompts == [[], ["claims.yaml"]]


SCORES = """
import json, logging, sys
from pathlib import Path
import llamaindex_rag_eval.metrics.base, llamaindex_rag_eval.metrics.faithfulness
made = "llamaindex_rag_eval.metrics.registry" in sys.modules
from llamaindex_rag_eval.metrics import base, context_recall, faithfulness
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
assert llamaindex_rag_eval.metrics.faithfulness is faithfulness
ready = [made, isinstance(faithfulness, Faithfulness), repr(context_recall), base.__name__]
for name in ("pyarrow", "sacrebleu", "sacrebleu.metrics", "starlette", "transformers"):
    sys.modules[name] = None
from llamaindex_rag_eval import AnswerSimilarity, Run, SingleTurnSample, compare, evaluate
from testset import Corpus

folder, seen = Path(sys.argv[1]), {}

def look(name, *of):
    seen[name] = [module for module in sys.modules if module.startswith(of)]

AnswerSimilarity(cross_encoder="x")
look("named a cross-encoder", "torch")
sys.modules["torch"] = None
Faithfulness().evaluate(query="?", response="A b.", contexts=["A b."])
look("scored without a loop", "nest_asyncio")
sample = SingleTurnSample(id="a", query="Who?", response="Ada is tall.", contexts=("Ada is tall.",))
scored = evaluate([sample], metrics=[faithfulness, "answer_relevancy"], workers=1)
look("evaluated", "llamaindex_rag_eval.engines.")
look("evaluated by rules", "openai", "llama_index.llms.", "llama_index.embeddings.")
a, b = (Run.read(folder / f"{name}.jsonl") for name in "ab")
assert compare(a, b).verdict
assert compare({"a": a, "b": b}, metrics=["m"]).verdict
look("compared", "llamaindex_rag_eval.engines")
Corpus.of(folder / "docs")
look("read documents", "llama_index.readers.file")
root = logging.getLogger()
statuses = [result.status for result in scored.results]
print(json.dumps([ready, statuses, seen, [len(root.handlers), root.level]]))
"""


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return what ready metrics are, how a run without extras went, the modules after each step,
    and the handlers and the level of the root logger."""
    folder = tmp_path_factory.mktemp("loaded")
    (folder / "docs").mkdir()
    text = "From a@b Mon Jun  1 00:00:00 2026\n\nThe Orla ferry carries 120 people.\n"
    (folder / "docs" / "a.mbox").write_text(text, encoding="utf-8")
    for name in "ab":
        run_of_scores(name, {"m": [0.5, 1.0]}).to_jsonl(folder / f"{name}.jsonl")
    return _prints(SCORES, folder)


def test_ready_metrics_are_made_when_the_first_is_used_and_stand_before_modules_of_their_name(
    scored: Any,
):
    assert scored[0] == [False, True, "ContextRecall()", "llamaindex_rag_eval.metrics.base"]


def test_a_plain_install_scores_without_the_libraries_of_extras(scored: Any):
    assert scored[1] == ["scored", "scored"]


def test_a_run_without_a_model_loads_no_client_of_any(scored: Any):
    assert scored[2]["evaluated by rules"] == []


def test_no_library_of_models_is_loaded_before_one_is_used(scored: Any):
    assert scored[2]["named a cross-encoder"] == []


def test_nest_asyncio_is_not_applied_without_a_running_loop(scored: Any):
    assert scored[2]["scored without a loop"] == []


def test_scoring_answers_loads_nothing_that_asks_engines(scored: Any):
    assert scored[2]["evaluated"] == []


def test_comparing_finished_runs_loads_nothing_that_asks_engines(scored: Any):
    assert scored[2]["compared"] == []


def test_reading_a_folder_does_not_configure_logging(scored: Any):
    *_, seen, logging = scored
    assert "llama_index.readers.file" in seen["read documents"]
    assert logging == [0, 30]  # no handler, warnings


def _place(name: str) -> tuple[int, str]:
    """Return where a name stands: constants, classes, functions, each in the order of letters."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


@pytest.mark.parametrize("module", ["llamaindex_rag_eval", "testset"])
def test_everything_public_is_there_in_order(module: str):
    public = importlib.import_module(module)
    names = list(public.__all__)
    assert names in (sorted(names), sorted(names, key=_place))
    assert [name for name in public.__all__ if not hasattr(public, name)] == []


def test_no_module_lists_its_names():
    root = Path(__file__).parents[1]
    modules = [path for package in PACKAGES for path in (root / package).rglob("*.py")]
    listing = [path for path in modules if "\n__all__ =" in path.read_text(encoding="utf-8")]
    assert len(modules) > 100
    assert listing == []


def test_every_metric_is_public():
    public = importlib.import_module("llamaindex_rag_eval")
    kinds = {kind.__name__ for kind in public.METRICS}
    assert kinds - set(public.__all__) == set()
