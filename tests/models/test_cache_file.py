"""A cache in a file is an artefact: copied, cut off, damaged, mounted read-only."""

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from subprocess import PIPE, STDOUT

import pytest

from llamaindex_rag_eval.errors import OutputError
from llamaindex_rag_eval.models import Store
from llamaindex_rag_eval.models.store_tables import StoredReply
from tests.benchmarks.kill_account import evaluation_of, killed_and_resumed
from tests.prepared import Process
from tests.server import LoopbackServer

RESPONDERS = "tests.server.judge_responders:RESPONDERS"


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name.startswith("replies"))


def evaluated(command: Sequence[str], environ: dict[str, str]) -> str:
    """Evaluate, and return what is printed."""
    child = Process(command, env=environ, stdout=PIPE, stderr=STDOUT)
    printed, _ = child.communicate()
    assert child.returncode == 0, printed
    return printed


def test_a_command_leaves_one_file_that_pays_for_everything(tmp_path: Path) -> None:
    with LoopbackServer(responders=RESPONDERS) as server:
        command, environ = evaluation_of(server, tmp_path, samples=3)
        evaluated(command, environ)
        assert files_in(tmp_path) == ["replies.db"]
        (tmp_path / "other").mkdir()
        shutil.copy(tmp_path / "replies.db", tmp_path / "other")
        server.reset()
        command, environ = evaluation_of(server, tmp_path / "other", samples=3)
        evaluated(command, environ)
        assert server.stats().calls == 0


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_leaves_one_file_that_pays_for_what_was_answered(tmp_path: Path) -> None:
    at_once = 4
    with LoopbackServer(responders=RESPONDERS, latency=0.05) as server:
        command, environ = evaluation_of(server, tmp_path, samples=24, concurrency=at_once)
        with Process(command, env=environ, stderr=subprocess.DEVNULL) as child:
            while server.stats().answered < 4 * at_once:
                time.sleep(0.01)
            child.send_signal(signal.SIGINT)
        assert child.returncode == 130
        assert files_in(tmp_path) == ["replies.db"]
        (tmp_path / "other").mkdir()
        shutil.copy(tmp_path / "replies.db", tmp_path / "other")
        command, environ = evaluation_of(server, tmp_path / "other", samples=24)
        evaluated(command, environ)
        assert server.stats().answered_again <= at_once + 1, "those in flight, and the first try"


def damage(file: Path, seed: int, first: float, last: float) -> None:
    """Write noise over the pages in a part of a file."""
    pages = file.stat().st_size // 4096
    noise = random.Random(seed)
    with file.open("r+b") as opened:
        for page in range(max(1, int(first * pages)), int(last * pages)):
            opened.seek(page * 4096)
            opened.write(noise.randbytes(4096))


def test_a_damaged_file_is_refused_with_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "replies.db"
    with closing(Store(file)) as store:
        store.keep([StoredReply(str(number), "k", "f", "{}") for number in range(2000)])
    damage(file, 1, 0.3, 0.7)
    with pytest.raises(OutputError, match="malformed; move the file away: `sqlite3"):
        dict(enumerate(Store(file).rows()))


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_killed_run_accounts_for_every_call_that_was_answered(tmp_path: Path) -> None:
    at_once, share = 4, random.uniform(0.2, 0.8)
    with LoopbackServer(responders=RESPONDERS, latency=0.05) as server:
        row = killed_and_resumed(server, tmp_path, 8, share, at_once)
    assert row.holds
