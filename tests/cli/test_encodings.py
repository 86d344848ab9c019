"""The command line where the output cannot show every character, as on Windows or in a log."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from llamaindex_rag_eval import SingleTurnSample, evaluate
from tests.cli.command_line import run_file

POLISH = "Zażółć gęślą jaźń: pompa waży 40 kg − nie więcej."


def printed(encoding: str, *arguments: object) -> str:
    """Return what a process prints whose output has this encoding."""
    done = subprocess.run(
        [sys.executable, "-m", "llamaindex_rag_eval", *map(str, arguments)],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )
    told = done.stderr.decode(encoding)
    assert done.returncode in (0, 1, 3), told  # compare may find a difference
    assert "Traceback" not in told
    return done.stdout.decode(encoding)


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "ascii"])
def test_commands_print_in_an_encoding_that_lacks_their_characters(tmp_path: Path, encoding: str):
    sample = SingleTurnSample(id="żó", query=POLISH, response=POLISH, contexts=(POLISH,))
    run = evaluate([sample], metrics=["faithfulness"], name="źródło")
    runs = [run_file(tmp_path, name, faithfulness=[0.5, 1, 0]) for name in "ab"]
    scores = run.to_jsonl(tmp_path / "scores.jsonl")
    assert "Usage" in printed(encoding, "--help")
    assert "faithfulness" in printed(encoding, "metrics")
    assert "faithfulness" in printed(encoding, "metrics", "faithfulness")
    assert "faithfulness" in printed(encoding, "compare", *runs)
    assert "faithfulness" in printed(encoding, "show", scores)
    shown = json.loads(printed(encoding, "show", scores, "--json"))
    assert "źródło" in json.dumps(shown, ensure_ascii=False)  # JSON loses no character


def test_the_demo_prints_its_tables_in_a_code_page(tmp_path: Path):
    docs = tmp_path / "docs"
    docs.mkdir()
    text = f"# Pompa\n\n{POLISH} The pump weighs 40 kg. It was built by Ada Byron in 1843.\n"
    (docs / "pump.md").write_text(text, encoding="utf-8")
    done = printed("cp1252", "demo", docs, "--out", tmp_path / "out", "--size", 1)
    assert "faithfulness" in done
