"""A driver outside the cluster: what it asks for is done inside, and its errors come out."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.runs.evaluate import evaluate
from llamaindex_rag_eval.runs.folder import RunFolder
from tests.ray_cluster import QUIET
from tests.runs.evaluations import samples

pytestmark = QUIET


def test_the_command_works_through_ray_client(ray_cluster: Any, tmp_path: Path) -> None:
    answers = EvaluationDataset(samples(30))
    answers.write(tmp_path / "a.jsonl")
    command = [sys.executable, "-m", "llamaindex_rag_eval", "evaluate", "a.jsonl", "-o", "scores"]
    options = ["-m", "faithfulness", "--on", ray_cluster.client_address, "--json"]
    here = str(Path(__file__).parents[3])
    outside = {key: value for key, value in os.environ.items() if key != "RAY_ADDRESS"}
    done = subprocess.run(
        [*command, *options],
        cwd=tmp_path,
        env={**outside, "PYTHONPATH": here},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    alone = evaluate(answers, metrics=["faithfulness"], workers=1)
    assert RunFolder(tmp_path / "scores").summary() == alone.summary()
    assert json.loads(done.stdout)["questions"] == 30
    wrong = subprocess.run(
        [*command[:4], "no.jsonl", *command[5:], *options],
        cwd=tmp_path,
        env={**outside, "PYTHONPATH": here},
        capture_output=True,
        text=True,
    )
    assert wrong.returncode == 2
    assert "there is no such file" in wrong.stderr
