"""Every example runs as it stands, offline, and says what it says it says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"

NAMES = sorted(path.name for path in EXAMPLES.glob("*.py"))

SAID = {
    "01_first_score.py": r"faithfulness is 0\.(?:49|50)\d?\. 1 of 2 claims supported",
    "02_evaluate_query_engine.py": r"faithfulness: mean \d\.\d\d \(3 scored, 0 undefined",
    "03_compare_retrievers.py": r"mrr: \d\.\d\d -> \d\.\d\d",
    "04_own_metric.py": r"supported_by_several: 1\.0",
    "06_ci_gate.py": r"(?s)❌ \| context&#95;recall is not worse than main.*the gate: fails",
    "08_sweep.py": r"(?s)top_k=1: out, 0 questions.*Recommended: chunk_size=1600 top_k=5.* saved",
    "05_generate_golden_set.py": r"10 questions written and read back; equal: True",
}


def test_there_are_examples_with_a_result_to_look_for() -> None:
    assert set(SAID) <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_an_example_runs_and_prints_its_result(name: str, tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, str(EXAMPLES / name)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert re.search(SAID.get(name, r"\S"), ran.stdout)
    assert list(tmp_path.iterdir()) == [], "an example leaves nothing behind"


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_short(name: str) -> None:
    assert len((EXAMPLES / name).read_text().splitlines()) < 60
