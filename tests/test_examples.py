"""Every example runs as it stands, offline, and says what it says it says."""

import json
import os
import re
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests import prepared
from tests.ray_cluster import QUIET
from tests.requirement import require

EXAMPLES = Path(__file__).parents[1] / "examples"

PAGE = """
import sys, pathlib
from docs_pages.notebooks import notebook_page
print(notebook_page(pathlib.Path(sys.argv[1])))
"""

NAMES = sorted(path.name for path in EXAMPLES.glob("*.py"))
ON_RAY = "11_ray.py"

NOTEBOOKS = sorted(path.name for path in EXAMPLES.glob("*.ipynb"))

SAID = {
    "00_quick_start.ipynb": r"context_recall +0\.\d{3}  0\.\d{3} to \d\.\d{3} +12 / 0 / 0",
    "01_first_score.py": r"faithfulness is 0\.5\d+\. 1 of 2 claims supported",
    "02_evaluate_query_engine.py": r"faithfulness: mean \d\.\d\d \(3 scored, 0 undefined",
    "03_compare_retrievers.ipynb": r"mrr: \d\.\d\d -> \d\.\d\d",
    "04_own_metric.py": r"supported_by_several: 1\.0",
    "06_ci_gate.py": r"(?s)❌ \| mean of hit&#95;rate&#64;5 must be at least 0\.7.*cases; worse",
    "08_sweep.py": r"(?s)top_k=1: out, 0 questions.*Recommended: chunk_size=400 top_k=5.* saved",
    "09_agent.py": r"(?s)6 months.*step_efficiency: 0\.67\nretrieval_per_step: 1\.00",
    "10_batch_files.py": r"1 of 1 claims supported\. 0 requests wait",
    ON_RAY: r"faithfulness +0\.\d\d\d .* 200 / 0 / 0\n200 samples in memory",
    "12_diagnose.py": r"never indexed: \d+, then 0\nranked too low: [1-9]\d*, then [0-5]\n",
    "05_generate_golden_set.py": r"10 questions written and read back; equal: True",
}


def test_there_are_examples_with_a_result_to_look_for() -> None:
    assert set(SAID) <= {*NAMES, *NOTEBOOKS}


@pytest.mark.parametrize("name", [name for name in NAMES if name != ON_RAY])
def test_an_example_runs_and_prints_its_result(name: str, tmp_path: Path) -> None:
    prints_its_result(name, tmp_path)


@QUIET
@pytest.mark.usefixtures("ray_cluster")
def test_the_example_runs_on_ray(tmp_path: Path) -> None:
    prints_its_result(ON_RAY, tmp_path)


def prints_its_result(name: str, tmp_path: Path) -> None:
    ran = prepared.run([sys.executable, EXAMPLES / name], cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert re.search(SAID.get(name, r"\S"), ran.stdout)
    assert list(tmp_path.iterdir()) == [], "an example leaves nothing behind"


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_short(name: str) -> None:
    assert len((EXAMPLES / name).read_text().splitlines()) < 60


@pytest.fixture
def kernels(tmp_path: Path) -> Path:
    """Return a folder of Jupyter's in which `python3` starts with the packages imported."""
    kernel = tmp_path / "kernels" / "python3" / "kernel.json"
    kernel.parent.mkdir(parents=True)
    command = [sys.executable, str(prepared.FORKED), "-m", "ipykernel_launcher"]
    spec = {"argv": [*command, "-f", "{connection_file}"], "display_name": "", "language": "python"}
    kernel.write_text(json.dumps(spec), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs_and_its_page_shows_what_it_prints(name: str, kernels: Path) -> None:
    require(find_spec("nbclient") and find_spec("ipykernel"), "nbclient and ipykernel")
    places = {"JUPYTER_PATH": str(kernels), prepared.AT: prepared.address()}
    environment = {**os.environ, **places}
    command = [sys.executable, "-c", PAGE, EXAMPLES / name]
    page = prepared.run(command, env=environment, check=True).stdout
    shown = "".join(re.findall(r"^```text\n(.*?)^```", page, re.DOTALL | re.MULTILINE))
    assert page.startswith("# ")
    assert re.search(SAID[name], shown)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_is_kept_without_what_it_prints(name: str) -> None:
    cells = json.loads((EXAMPLES / name).read_text(encoding="utf-8"))["cells"]
    assert [cell["outputs"] for cell in cells if cell.get("outputs")] == []
