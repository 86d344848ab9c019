import json
import subprocess
import sys

import pytest

HEAVY = ["nltk", "pandas", "rouge_score", "sacrebleu", "scipy", "sentence_transformers", "sklearn"]
HEAVY += ["torch", "transformers"]


def _prints(code: str) -> object:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    "module",
    ["llamaindex_rag_eval", "testset", "llamaindex_rag_eval.cli", "llamaindex_rag_eval.report"],
)
def test_importing_loads_no_heavy_library(module: str):
    loaded = (
        f"import json, sys, {module}; print(json.dumps([m for m in {HEAVY} if m in sys.modules]))"
    )
    assert _prints(loaded) == []


@pytest.mark.parametrize("module", ["llamaindex_rag_eval", "testset"])
def test_everything_public_is_there_in_order(module: str):
    code = (
        f"import json, {module} as m;"
        "print(json.dumps([m.__all__ == sorted(m.__all__), [n for n in m.__all__ if not hasattr(m, n)]]))"
    )
    assert _prints(code) == [True, []]


def test_importing_starts_no_thread_and_leaves_the_event_loop_alone():
    code = (
        "import json, threading, asyncio; run = asyncio.run;"
        "import llamaindex_rag_eval, testset;"
        "print(json.dumps([threading.active_count(), asyncio.run is run]))"
    )
    assert _prints(code) == [1, True]
