"""`rag-eval more cache`: replies are counted, exported and deleted."""

import json
import sys
from pathlib import Path

import pytest

from tests import prepared
from tests.cli.command_line import rag_eval
from tests.server import LoopbackServer

ON_A_FULL_DISK = """
import resource
from llamaindex_rag_eval.__main__ import main
# The store takes no page more, the files of the run are smaller.
resource.setrlimit(resource.RLIMIT_FSIZE, (48 * 1024, 48 * 1024))
main()
"""


def test_the_cache_is_looked_into_exported_and_cleared(
    answers: Path, server: LoopbackServer, tmp_path: Path
) -> None:
    cache, exported = tmp_path / "replies.db", tmp_path / "replies.jsonl"
    llm, out = f"openai-like:{server.url}:gpt-4o-mini", answers.with_name("scores.csv")
    metrics = "faithfulness,answer_relevancy,context_precision,context_recall"
    command = ("evaluate", answers, "-m", metrics, "-o", out, "--llm", llm, "--cache", cache)
    rag_eval(*command)
    calls = server.stats().calls
    answers.with_name("scores.jsonl").unlink()
    dry = rag_eval(*command, "--dry-run")
    assert (dry.exit_code, dry.output.startswith("0 calls")) == (0, True)
    rag_eval(*command)
    assert server.stats().calls == calls
    stored = json.loads(rag_eval("more", "cache", "stats", cache, "--json").output)["by_request"]
    assert stored.pop("SimilaritiesOf") == 3  # by rule, without a call
    assert sum(stored.values()) == calls
    assert rag_eval("more", "cache", "export", cache, "-o", exported).exit_code == 0
    assert len(exported.read_text().splitlines()) == calls + 3
    assert rag_eval("more", "cache", "clear", cache, "--yes").exit_code == 0
    assert json.loads(rag_eval("more", "cache", "stats", cache, "--json").output)["replies"] == 0


def test_a_cache_that_is_not_there_is_a_message(tmp_path: Path) -> None:
    absent = rag_eval("more", "cache", "stats", tmp_path / "none.db")
    assert (absent.exit_code, "no such cache" in absent.output) == (2, True)


def test_a_full_disk_is_a_line_and_costs_no_result(
    answers: Path, server: LoopbackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    llm, out = f"openai-like:{server.url}:gpt-4o-mini", answers.with_name("scores.csv")
    command = ("evaluate", answers, "-m", "faithfulness,context_recall", "-o", out, "--llm", llm)
    full = prepared.run([sys.executable, "-c", ON_A_FULL_DISK, *command])
    calls = server.stats().calls
    assert (full.returncode, calls > 0) == (0, True), full.stderr
    assert "Traceback" not in full.stderr
    assert full.stderr.count("replies are not in the cache") == 1
    again = rag_eval(*command)  # all results are in the run
    assert (again.exit_code, server.stats().calls) == (0, calls), again.output
