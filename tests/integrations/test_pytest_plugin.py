"""The pytest plugin, in sessions of its own: silent unless asked, and it can fail."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest
import tomllib

from tests import prepared

PLUGIN = "llamaindex_rag_eval.integrations.pytest_plugin"

GOOD = {
    "id": "good",
    "question": "Where does the lamp stand?",
    "answer": "The lamp stands on the left shelf.",
    "contexts": ["The lamp stands on the left shelf."],
}
BAD = {**GOOD, "id": "bad", "answer": "The lamp hangs from a wooden ceiling in Paris."}
REFUSAL = {**GOOD, "id": "refusal", "answer": ""}

CASES = f"""
import pytest
from llamaindex_rag_eval import EvaluationDataset, evaluate

GOOD, BAD, REFUSAL = {GOOD!r}, {BAD!r}, {REFUSAL!r}

def answers(*rows):
    return EvaluationDataset.from_rows(rows)

@pytest.fixture(scope="module")
def half_good():
    copies = [{{**row, "id": row["id"] + n}} for row in (GOOD, BAD) for n in "123"]
    return answers(*copies)

@pytest.mark.rag_golden("golden.jsonl")
def test_item(golden_item, assert_rag):
    results = assert_rag(golden_item, {{"faithfulness": 0.9}})
    assert results["faithfulness"].score > 0.95

@pytest.mark.rag_eval(faithfulness=0.9)
def test_marked_good(assert_rag):
    assert_rag(GOOD)

@pytest.mark.rag_eval(faithfulness=0.9)
def test_marked_bad(assert_rag):
    assert_rag(BAD)

@pytest.mark.rag_eval(faithfulness=0.9)
def test_limits_of_its_own(assert_rag):
    assert_rag(BAD, {{"faithfulness": 0.0}})

def test_undefined(assert_rag):
    assert_rag(REFUSAL, {{"faithfulness": 0.0}})

def test_undefined_allowed(assert_rag):
    assert_rag(REFUSAL, {{"faithfulness": 0.0}}, undefined=True)

def test_mean(half_good, assert_run):
    assert_run(evaluate(half_good, metrics=["faithfulness"]), {{"faithfulness": 0.45}})

def test_bound(half_good, assert_run):
    run = evaluate(half_good, metrics=["faithfulness"])
    assert_run(run, {{"faithfulness": 0.45}}, lower_bound=True)

def test_lower_is_better(assert_run):
    run = evaluate(answers(GOOD), metrics=["contradiction_rate"])
    assert_run(run, {{"contradiction_rate": 0.0}})

def test_lower_is_better_fails(assert_rag):
    assert_rag(GOOD, {{"contradiction_rate": -0.1}})
"""

BROKEN_SETS = """
import pytest

@pytest.mark.rag_golden("FILE")
def test_item(golden_item):
    pass
"""

BROKEN_JUDGE = f"""
import pytest
from llamaindex_rag_eval import ScriptedOracle
from llamaindex_rag_eval.errors import CallError

@pytest.fixture(scope="session")
def rag_eval_judge():
    return ScriptedOracle(CallError("no judge today"))

def test_judge_of_its_own(assert_rag):
    assert_rag({GOOD!r}, {{"faithfulness": 0.0}})
"""

UNUSED = """
import sys

def test_it():
    heavy = {"scipy", "pandas", "torch", "sklearn", "sacrebleu", "nltk", "rouge_score"}
    assert not heavy & set(sys.modules)
    assert "llamaindex_rag_eval.decisions.gate" not in sys.modules
"""


def ran(
    folder: Path,
    files: Mapping[str, str],
    *options: str,
    run: Callable[..., "subprocess.CompletedProcess[str]"] = prepared.run,
) -> str:
    """Return what a session over these files prints; no other plugin is loaded."""
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    root = str(Path(__file__).parents[2])
    settings = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": root, "PYTEST_ADDOPTS": ""}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--strict-markers"]
    command += ["--rootdir", str(folder), *options]
    done = run(command, cwd=folder, env={**os.environ, **settings})
    return done.stdout + done.stderr


def outcomes(printed: str) -> dict[str, str]:
    """Return test -> how it ended, from pytest's short summary."""
    found = re.findall(r"^(PASSED|FAILED|ERROR) \S+\.py(?:::(\S+))?", printed, re.MULTILINE)
    return {name: outcome for outcome, name in found}


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return what a session over all cases prints: one session, for each takes seconds."""
    folder = tmp_path_factory.mktemp("cases")
    golden = "".join(json.dumps(row) + "\n" for row in (GOOD, BAD))
    files = {"golden.jsonl": golden, "test_cases.py": CASES, "test_judge.py": BROKEN_JUDGE}
    return ran(folder, files, "-p", PLUGIN, "-rA")


def test_each_item_of_a_golden_set_is_a_test_named_by_its_id(printed: str) -> None:
    found = outcomes(printed)
    assert (found["test_item[good]"], found["test_item[bad]"]) == ("PASSED", "FAILED")


def test_an_item_whose_id_is_a_hash_is_named_by_its_question(tmp_path: Path) -> None:
    row = {key: value for key, value in GOOD.items() if key != "id"}
    case = """
import pytest

@pytest.mark.rag_golden("golden.jsonl")
def test_item(golden_item):
    pass
"""
    files = {"golden.jsonl": json.dumps(row) + "\n", "test_items.py": case}
    (name,) = outcomes(ran(tmp_path, files, "-p", PLUGIN, "-rA"))
    assert re.fullmatch(r"test_item\[[A-Z][a-z]+(-\w+)+\]", name), name


def test_a_failure_says_what_was_expected_and_why_in_words(printed: str) -> None:
    assert re.search(r"faithfulness is 0\.[0-4]\d\d, expected >= 0\.9: 0 of 1 claims", printed)


def test_a_marker_gives_limits_and_limits_of_the_call_go_first(printed: str) -> None:
    found = outcomes(printed)
    assert found["test_marked_good"] == "PASSED"
    assert found["test_marked_bad"] == "FAILED"
    assert found["test_limits_of_its_own"] == "PASSED"


def test_a_metric_that_is_undefined_passes_only_where_that_is_said(printed: str) -> None:
    found = outcomes(printed)
    assert (found["test_undefined"], found["test_undefined_allowed"]) == ("FAILED", "PASSED")


def test_where_lower_is_better_the_limit_is_the_most(printed: str) -> None:
    found = outcomes(printed)
    assert found["test_lower_is_better"] == "PASSED"
    assert found["test_lower_is_better_fails"] == "FAILED"


def test_means_of_a_run_and_their_bounds_are_asserted(printed: str) -> None:
    found = outcomes(printed)
    assert (found["test_mean"], found["test_bound"]) == ("PASSED", "FAILED")


def test_a_judge_of_ones_own_judges_and_its_failure_fails_the_test(printed: str) -> None:
    assert outcomes(printed)["test_judge_of_its_own"] == "FAILED"
    assert re.search("faithfulness failed, expected.*no judge today", printed)


def test_workers_of_xdist_share_the_items_between_them(tmp_path: Path) -> None:
    golden = "".join(json.dumps({**GOOD, "id": f"q{n}"}) + "\n" for n in range(4))
    case = """
import os, pytest

@pytest.mark.rag_golden("golden.jsonl")
def test_item(golden_item):
    assert os.environ["PYTEST_XDIST_WORKER"] in ("gw0", "gw1")
"""
    files = {"golden.jsonl": golden, "test_items.py": case}
    out = ran(tmp_path, files, "-p", PLUGIN, "-p", "xdist", "-n", "2", "-rA")
    assert outcomes(out) == {f"test_item[q{n}]": "PASSED" for n in range(4)}


def test_a_golden_set_that_is_absent_empty_or_broken_is_an_error_and_no_test_passes(
    tmp_path: Path,
) -> None:
    files = {"empty.jsonl": "", "broken.jsonl": "{broken\n"}
    for name in ("absent", "empty", "broken"):
        files[f"test_{name}.py"] = BROKEN_SETS.replace("FILE", f"{name}.jsonl")
    files["test_taken.py"] = BROKEN_SETS.replace("FILE", "x").replace("(golden_item)", "()")
    out = ran(tmp_path, files, "-p", PLUGIN)
    assert "4 errors" in out
    assert "passed" not in out
    assert "is empty: nothing is tested" in out
    assert "expected one JSON object" in out
    assert "absent.jsonl" in out
    assert "over a test that takes 'golden_item'" in out


def test_unused_it_prints_nothing_and_loads_nothing_heavy(tmp_path: Path) -> None:
    files = {"test_it.py": UNUSED}
    run = partial(subprocess.run, capture_output=True, text=True)  # nothing is loaded before
    without = ran(tmp_path, files, "-q", run=run)
    with_it = ran(tmp_path, files, "-q", "-p", PLUGIN, run=run)
    assert "1 passed" in without
    assert re.sub(r" in [\d.]+s", "", with_it) == re.sub(r" in [\d.]+s", "", without)


def test_it_is_registered_where_pytest_looks_for_it() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["entry-points"]["pytest11"] == {"rag_eval": PLUGIN}
