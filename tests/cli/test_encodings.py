"""The command line where the output cannot show every character, as on Windows or in a log."""

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from llamaindex_rag_eval import SingleTurnSample, evaluate
from llamaindex_rag_eval.__main__ import main
from tests.cli.command_line import run_file
from tests.testset.corpora import documents

POLISH = "Zażółć gęślą jaźń: pompa waży 40 kg − nie więcej."


def printed(encoding: str, *arguments: str) -> str:
    """Return what a command prints where the output has this encoding; 5: fewer were written."""
    out, handler = (
        io.TextIOWrapper(io.BytesIO(), encoding=encoding),
        signal.getsignal(signal.SIGINT),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "argv", ["rag-eval", *arguments])
        try:
            main()
        except SystemExit as ended:
            if ended.code not in (None, 0, 5):
                raise
        finally:
            signal.signal(signal.SIGINT, handler)
    out.flush()
    return out.buffer.getvalue().decode(encoding)


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "ascii"])
def test_commands_print_in_an_encoding_that_lacks_their_characters(tmp_path: Path, encoding: str):
    docs = tmp_path / "docs"
    docs.mkdir()
    for entry in documents(6, sheets=True):
        (docs / f"źródło-{entry.doc_id}").write_text(entry.text, encoding="utf-8")
    sample = SingleTurnSample(id="żó", query=POLISH, response=POLISH, contexts=(POLISH,))
    run = evaluate([sample], metrics=["faithfulness"], name="źródło")
    scores = str(run.to_jsonl(tmp_path / "scores.jsonl"))
    runs = [run_file(tmp_path, name, faithfulness=[0.5, 1, 0]) for name in "ab"]
    commands = [
        ["--help"],
        ["metrics"],
        ["more", "metrics", "faithfulness"],
        ["compare", *runs],
        ["runs", "show", scores],
        ["runs", "show", scores, "--json"],
    ]
    if encoding == "ascii":  # the others have all of its characters, and it takes long
        words = ["--out", str(tmp_path / "out"), "--size", "1", "-m", "mrr,faithfulness"]
        commands[1:1] = [["demo", str(docs), *words]]
    usage, *tables, shown = [printed(encoding, *words) for words in commands]
    assert "Usage" in usage
    assert all("faithfulness" in table for table in tables)
    assert "źródło" in json.dumps(json.loads(shown), ensure_ascii=False)  # nothing is lost


def test_a_minus_is_not_lost_where_the_output_lacks_it():
    script = "import llamaindex_rag_eval.__main__, sys"
    script += "; sys.stdout.reconfigure(errors='rag-eval.shown-in-ascii')"
    script += r"; print('\u22120.5 \u2026 \u017c \u2192')"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )
    assert done.stdout.split() == [b"-0.5", b"...", b"z", b"?"]
