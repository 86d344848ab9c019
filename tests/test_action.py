"""action.yml: its shape, and its shell steps with `rag-eval` and `gh` played by scripts."""

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

ACTION = yaml.safe_load((Path(__file__).parents[1] / "action.yml").read_text("utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
USED = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")

GATE = """#!/bin/bash
echo "gate $*" >> "$CALLS"
[ "$1" = gate ] && echo "### summary" > "$3"
exit "${!1:-0}"
"""
GH = """#!/bin/bash
echo "gh $*" >> "$CALLS"
case "$*" in *--paginate*) printf '%s' "$KNOWN" ;; esac
"""


def played(step: str, folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a step's script as a runner does, with scripts in place of programs."""
    for name, text in {"rag-eval": GATE, "gh": GH}.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    places = {name: str(folder / name) for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    known = {"PATH": f"{folder}:{os.environ['PATH']}", "CALLS": str(folder / "calls")}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS[step]["run"]],
        env={**known, **places, "RUNNER_TEMP": str(folder), **env},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_is_a_composite_action_whose_parts_are_named_and_used() -> None:
    assert set(ACTION) == {"name", "description", "inputs", "outputs", "runs"}
    assert ACTION["runs"]["using"] == "composite"
    assert all(step["shell"] == "bash" for step in STEPS.values())
    assert all(set(one) == {"description", "default"} for one in ACTION["inputs"].values())
    used = set(re.findall(r"inputs\.([\w-]+)", str(ACTION["runs"])))
    assert used == set(ACTION["inputs"])
    outputs = set(re.findall(r"steps\.gate\.outputs\.(\w+)", str(ACTION)))
    assert outputs == {"outcome", "code"}


def test_nothing_that_somebody_may_write_is_put_into_a_script() -> None:
    assert not [name for name, step in STEPS.items() if USED.search(step["run"])]


@pytest.mark.parametrize(
    ("code", "outcome"), [("0", "holds"), ("3", "fails"), ("5", "too few questions")]
)
def test_the_gate_is_held_with_its_options_and_its_code_kept(
    code: str, outcome: str, tmp_path: Path
) -> None:
    done = played("Gate", tmp_path, gate=code, GATE="--no-worse-than\nthe main run\n")

    assert done.returncode == 0, done.stderr
    (call,) = (tmp_path / "calls").read_text().splitlines()
    assert call.endswith("rag-eval-summary.md --no-worse-than the main run")
    assert (tmp_path / "GITHUB_STEP_SUMMARY").read_text() == "### summary\n"
    kept = (tmp_path / "GITHUB_OUTPUT").read_text().splitlines()
    assert kept == [f"outcome={outcome}", f"code={code}"]
    assert played("Verdict", tmp_path, CODE=code).returncode == int(code)


def test_a_gate_that_could_not_be_held_fails_at_once(tmp_path: Path) -> None:
    done = played("Gate", tmp_path, gate="2", GATE="")

    assert done.returncode == 2
    assert not (tmp_path / "GITHUB_OUTPUT").exists()


def test_answers_that_failed_are_for_the_gate_to_judge_and_wrong_usage_is_not(
    tmp_path: Path,
) -> None:
    assert played("Ask and score", tmp_path, run="1", evaluate="1").returncode == 0
    assert played("Ask and score", tmp_path, run="2").returncode != 0
    assert played("Ask and score", tmp_path, evaluate="6").returncode != 0


@pytest.mark.parametrize(
    ("known", "call"),
    [
        ("", "--method POST repos/o/r/issues/7/comments"),
        ("12\n15\n", "--method PATCH repos/o/r/issues/comments/12"),
    ],
)
def test_a_pull_request_has_one_comment_that_is_written_anew(
    known: str, call: str, tmp_path: Path
) -> None:
    (tmp_path / "rag-eval-summary.md").write_text("### summary\n")

    done = played("Comment", tmp_path, KNOWN=known, REPOSITORY="o/r", NUMBER="7", GH_TOKEN="t")

    assert done.returncode == 0, done.stderr
    assert call in (tmp_path / "calls").read_text().splitlines()[-1]
    assert (tmp_path / "rag-eval-comment.md").read_text() == "<!-- rag-eval -->\n### summary\n"
