"""A driver outside the cluster: what it asks for is done inside, and its errors come out."""

import json
import os
import sys
from pathlib import Path
from typing import Any

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.runs.evaluate import evaluate
from llamaindex_rag_eval.runs.folder import RunFolder
from tests import prepared
from tests.ray_cluster import QUIET
from tests.runs.evaluations import samples

pytestmark = QUIET


OUTSIDE = """
import json, sys
from llamaindex_rag_eval._ray import ray_nodes
from tests.cli.command_line import rag_eval

head = sys.argv[1]
options = ("-m", "faithfulness", "-o", "scores", "--on", head, "--json")
with ray_nodes(head) as found:
    assert found.remote
    done = [rag_eval("evaluate", name, *options) for name in ("no.jsonl", "a.jsonl")]
print(json.dumps([(one.exit_code, one.stdout, one.stderr) for one in done]))
"""
"""Both commands in one connection: Ray sets up processes for each."""


def test_the_command_works_through_ray_client(ray_cluster: Any, tmp_path: Path) -> None:
    answers = EvaluationDataset(samples(30))
    answers.write(tmp_path / "a.jsonl")
    outside = {key: value for key, value in os.environ.items() if key != "RAY_ADDRESS"}
    command = [sys.executable, "-c", OUTSIDE, ray_cluster.client_address]
    driver = prepared.run(command, cwd=tmp_path, env=outside)
    assert driver.returncode == 0, driver.stderr
    wrong, right = json.loads(driver.stdout)
    assert wrong[0] == 2
    assert "there is no such file" in wrong[2]
    assert right[0] == 0, right[2]
    assert json.loads(right[1])["questions"] == 30
    alone = evaluate(answers, metrics=["faithfulness"], workers=1)
    assert RunFolder(tmp_path / "scores").summary() == alone.summary()
