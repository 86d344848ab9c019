"""Processes of their own for a piece of code, which begin with LlamaIndex loaded.

Loading it takes most of the two seconds that a new interpreter needs; nothing of ours is loaded.
"""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

_CONTEXT = get_context("forkserver")
_CONTEXT.set_forkserver_preload(["llama_index.core"])


@contextmanager
def started(code: str, *arguments: object, out: Path) -> Iterator[BaseProcess]:
    """Run code as `python -c` does, with what it prints in files; end it on leaving."""
    words = [str(argument) for argument in arguments]
    process = _CONTEXT.Process(target=_execute, args=(code, words, out, os.environ.copy()))
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()


def printed(code: str, *arguments: object, status: int = 0) -> str:
    """Run code to its end, which has to be this exit status, and return what it printed."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        with started(code, *arguments, out=out) as process:
            process.join()
        assert process.exitcode == status, _errors_of(out).read_text(encoding="utf-8")
        return out.read_text(encoding="utf-8")


def _errors_of(out: Path) -> Path:
    return out.with_name(f"{out.name}.stderr")


def _execute(code: str, arguments: list[str], out: Path, environ: dict[str, str]) -> None:
    for stream, file in ((1, out), (2, _errors_of(out))):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND), stream)
    os.environ.clear()
    os.environ.update(environ)
    sys.argv = ["-c", *arguments]
    exec(compile(code, "<code>", "exec"), {"__name__": "__main__"})  # noqa: S102 - the tests' own
