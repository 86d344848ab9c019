import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HEAVY = ["nltk", "pandas", "rouge_score", "sacrebleu", "scipy", "sentence_transformers", "sklearn"]
HEAVY += ["torch", "transformers"]
PACKAGES = ["docs_pages", "llamaindex_rag_eval", "testset", "tests"]


def _prints(code: str) -> object:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


IMPORTS = """
import asyncio, json, sys, threading
run, opened = asyncio.run, []
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
import testset.requests.question_types
assert llamaindex_rag_eval.judge.ClaimsOf.prompt.examples
print(json.dumps([by_llamaindex, idle, modules, [before, prompts()]]))
"""


@pytest.fixture(scope="module")
def imported() -> Any:
    """Return what LlamaIndex loads, what an import of ours starts, all modules, prompts read."""
    return _prints(IMPORTS)


def test_importing_loads_no_heavy_library(imported: Any):
    # Not in the list: numpy, sqlalchemy, jinja2 and Pillow, which `llama_index.core` itself loads.
    _, _, modules, _ = imported
    assert set(modules) & set(HEAVY) == set()


def test_llamaindex_loads_what_is_left_out_of_the_list_by_itself(imported: Any):
    by_llamaindex, *_ = imported
    assert {"PIL", "jinja2", "numpy", "sqlalchemy"} <= set(by_llamaindex)


def test_importing_starts_no_thread_and_leaves_the_event_loop_alone(imported: Any):
    _, idle, *_ = imported
    assert idle == [1, True]


def test_a_prompt_is_read_when_it_is_first_asked_for_and_no_other(imported: Any):
    *_, prompts = imported
    assert prompts == [[], ["claims.yaml"]]


SHOWS_HELP = """
import contextlib, io, json, sys
from llamaindex_rag_eval.cli.app import start
from llamaindex_rag_eval.cli.commands import PATHS

with contextlib.redirect_stdout(io.StringIO()):
    for words in [[], *PATHS.values()]:
        start([*words, "--help"])
print(json.dumps([name for name in HEAVY if name in sys.modules]))
"""
FOR_THE_WORK = ["aiohttp", "llama_index.core", "numpy", "pandas", "scipy", "sqlalchemy"]
FOR_THE_WORK += ["testset.checks", "testset.corpus", "testset.generation", "testset.golden"]


def test_showing_help_loads_no_library_that_only_the_work_needs():
    assert _prints(f"HEAVY = {FOR_THE_WORK}\n{SHOWS_HELP}") == []


SCORES = """
import json, sys
import llamaindex_rag_eval.metrics.base, llamaindex_rag_eval.metrics.faithfulness
made = "llamaindex_rag_eval.metrics.registry" in sys.modules
from llamaindex_rag_eval.metrics import base, context_recall, faithfulness
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
assert llamaindex_rag_eval.metrics.faithfulness is faithfulness
ready = [made, isinstance(faithfulness, Faithfulness), repr(context_recall), base.__name__]
for name in ("pyarrow", "sacrebleu", "sacrebleu.metrics", "starlette", "torch", "transformers"):
    sys.modules[name] = None
from llamaindex_rag_eval import SingleTurnSample, evaluate

sample = SingleTurnSample(id="a", query="Who?", response="Ada is tall.", contexts=("Ada is tall.",))
scored = evaluate([sample], metrics=[faithfulness, "answer_relevancy"], workers=1)
of_models = ("openai", "llama_index.llms.", "llama_index.embeddings.")
clients = [name for name in sys.modules if name.startswith(of_models)]
print(json.dumps([ready, [result.status for result in scored.results], clients]))
"""


@pytest.fixture(scope="module")
def scored() -> Any:
    """Return what ready metrics are, how a run went without extras, clients of models loaded."""
    return _prints(SCORES)


def test_ready_metrics_are_made_when_the_first_is_used_and_stand_before_modules_of_their_name(
    scored: Any,
):
    assert scored[0] == [False, True, "ContextRecall()", "llamaindex_rag_eval.metrics.base"]


def test_a_plain_install_scores_without_the_libraries_of_extras(scored: Any):
    assert scored[1] == ["scored", "scored"]


def test_a_run_without_a_model_loads_no_client_of_any(scored: Any):
    assert scored[2] == []


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
