"""A folder with the demo's documents in which commands run, as a user's shell would."""

import atexit
import contextlib
import io
import logging
import os
import shlex
import shutil
import signal
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

DOCS = Path(__file__).parents[2] / "examples" / "docs"

ENVIRONMENT = {
    "COLUMNS": "200",
    "TERMINAL_WIDTH": "200",
    "NO_COLOR": "1",
    "TERM": "dumb",
    "TZ": "UTC",
    "HF_HUB_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
}
"""What a command finds in its environment, whoever runs it."""

UNSET = ("RAG_EVAL_", "OPENAI_", "ANTHROPIC_", "MLFLOW_", "PHOENIX_", "LANGSMITH_", "LANGFUSE_")
"""Beginnings of variables that a command does not find."""


@dataclass(frozen=True)
class Ended:
    """How a command ended.

    Attributes:
        code: Its exit code.
        stdout: What it printed.
        stderr: What it printed to stderr.
    """

    code: int
    stdout: str
    stderr: str


@cache
def demo_folder() -> Path:
    """Return a folder with `docs` and the output of `rag-eval demo docs` in `demo`."""
    folder = Path(tempfile.mkdtemp(prefix="golden-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    shutil.copytree(DOCS, folder / "docs")
    with inside(folder):
        done = rag_eval("demo docs --out demo --json -q")
    if done.code != 0:
        raise ChildProcessError(f"the demo ended with {done.code}: {done.stderr}")
    (folder / "demo.json").write_text(done.stdout, encoding="utf-8")
    return folder


@contextlib.contextmanager
def inside(folder: Path) -> Iterator[None]:
    """Work in a folder, with an environment that is the same everywhere, until the block ends."""
    before, environment, path = Path.cwd(), dict(os.environ), list(sys.path)
    for name in [name for name in os.environ if name.startswith(UNSET)]:
        del os.environ[name]
    os.environ |= ENVIRONMENT | {"XDG_CACHE_HOME": str(folder / ".cache")}
    os.environ.pop("CI", None)
    os.environ.pop("FORCE_COLOR", None)
    os.environ.pop("GITHUB_ACTIONS", None)
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
        os.environ.clear()
        os.environ.update(environment)
        sys.path[:] = path


def rag_eval(words: str | Sequence[str]) -> Ended:
    """Run `rag-eval` with these words in this process, by the entry point that users call."""
    from llamaindex_rag_eval.__main__ import main

    arguments = shlex.split(words) if isinstance(words, str) else [*words]
    out, err, argv = io.StringIO(), io.StringIO(), sys.argv
    handler = None
    if threading.current_thread() is threading.main_thread():
        handler = signal.getsignal(signal.SIGINT)
    sys.argv = ["rag-eval", *arguments]
    try:
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            _logs_to(err),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            main()
        code: object = 0
    except SystemExit as ended:
        code = ended.code
    finally:
        sys.argv = argv
        if handler is not None:
            signal.signal(signal.SIGINT, handler)
    return Ended(code if isinstance(code, int) else int(code is not None),
                 out.getvalue(), err.getvalue())  # fmt: skip


@contextlib.contextmanager
def _logs_to(stream: io.StringIO) -> Iterator[None]:
    """Have log lines written where the command's stderr is, whoever else listens to them."""
    root, of_package = logging.getLogger(), logging.getLogger("llamaindex_rag_eval")
    before = (root.handlers[:], of_package.handlers[:], of_package.level, of_package.propagate)
    root.handlers[:] = []
    last, logging.lastResort = logging.lastResort, logging.StreamHandler(stream)
    logging.lastResort.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logging.lastResort = last
        root.handlers[:], of_package.handlers[:], of_package.level, of_package.propagate = before
