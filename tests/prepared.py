"""Processes that have the packages imported: each is forked from one that has imported them.

They are interrupted, killed and limited as any other, and start in milliseconds. What they do not
show is what happens while a program imports. As a program, this is the one process; it serves all
processes of a test run, and ends with the first of them. `tests/forked.py` is a command that starts
in it, for what starts commands by itself.
"""

import atexit
import contextlib
import gc
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType, TracebackType
from typing import IO, Any, NoReturn

ROOT = Path(__file__).parents[1]

PACKAGES = ("llamaindex_rag_eval", "testset")

IMPORTED_LATE = ("joblib", "openai.resources", "pandas", "scipy.special")
"""What the packages import when it is first used, and takes long."""

PROSE = "# Kelm\n\nKelm is a town on the Orla. The Kelm bridge was opened in 1931.\n"

SELDOM = (10_000, 20, 20)
"""When to search for garbage: by default, it takes a tenth of the time of the tests."""

NUMBER = 4
"""Bytes of a process id, and of an exit code."""

STREAMS = 3
"""Of a process, at most: where it prints, its errors, and one that it is given."""

GIVEN = "PREPARED_GIVEN"
"""Environment variable with the number of the file that a process is given."""

OWNER = "PREPARED_FOR"
"""Environment variable with the id of the process that all of this is for."""

AT = "PREPARED_AT"
"""Environment variable with the address at which `FORKED` finds the process."""

FORKED = Path(__file__).with_name("forked.py")
"""A command that takes the place of Python's, where something else starts it."""


class Process:
    """A process that leads a group of its own; it is used as one of `subprocess`.

    Args:
        command: `[sys.executable, ...]`, with `"-m", module`, `"-c", code`, or a file.
        cwd: Its folder; None for that of this process.
        env: Its environment; None for that of this process.
        stdout: `PIPE` to read what it writes, `DEVNULL`, a file's number, or None for where this
            process writes.
        stderr: The same for its errors; `STDOUT` joins them to what it writes.
        root: The folder of the packages that it has imported.
        given: The number of a file, as a pipe's, that it is given; it finds its own by `GIVEN`.
    """

    def __init__(
        self,
        command: Sequence[object],
        *,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        stdout: int | None = None,
        stderr: int | None = None,
        root: Path = ROOT,
        given: int | None = None,
    ) -> None:
        self.returncode: int | None = None
        self.stdout, out = _stream(stdout, 1)
        self.stderr, errors = _stream(stderr, 2) if stderr != subprocess.STDOUT else (None, out)
        words = [str(word) for word in command[1:]]
        order = json.dumps([words, str(cwd or Path.cwd()), dict(env or os.environ)])
        self._told = socket.socket(socket.AF_UNIX)
        self._told.connect(address(root))
        socket.send_fds(self._told, [b"."], [out, errors, *([] if given is None else [given])])
        for number in {out, errors}:
            os.close(number)
        self._told.sendall(f"{order}\n".encode())
        self.pid = self._number()

    def _number(self) -> int:
        return int.from_bytes(self._told.recv(NUMBER, socket.MSG_WAITALL), "big", signed=True)

    def poll(self) -> int | None:
        """Return its exit code, negative for a signal; None while it goes on."""
        return self.wait(0)

    def wait(self, timeout: float | None = None) -> int | None:
        """Return its exit code once it has ended; None if it goes on after some seconds."""
        if self.returncode is None and select.select([self._told], [], [], timeout)[0]:
            self.returncode = self._number()
            self._told.close()
        return self.returncode

    def communicate(self) -> tuple[str, str]:
        """Return what it writes to its pipes until it ends."""
        with self, ThreadPoolExecutor(2) as reading:
            streams = self.stdout, self.stderr
            out, errors = reading.map(lambda stream: stream.read() if stream else "", streams)
        return out, errors

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):  # since then
                os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it, unless it has ended."""
        self.send_signal(signal.SIGKILL)

    def __enter__(self) -> "Process":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is not None:
            self.kill()
        for stream in filter(None, (self.stdout, self.stderr)):
            stream.close()
        self.wait()


def run(
    command: Sequence[object], *, check: bool = False, **options: Any
) -> "subprocess.CompletedProcess[str]":
    """Return what a process wrote to both streams, and how it ended, as `subprocess.run` does."""
    process = Process(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    out, errors = process.communicate()
    done = subprocess.CompletedProcess([*map(str, command)], process.wait(), out, errors)
    if check and done.returncode:
        raise ChildProcessError(f"it ended with {done.returncode}: {errors}")
    return done


def _stream(given: int | None, number: int) -> tuple[IO[str] | None, int]:
    """Return what this process reads from, if anything, and what the other one writes to."""
    if given == subprocess.PIPE:
        ours, theirs = os.pipe()
        return os.fdopen(ours, encoding="utf-8"), theirs
    if given == subprocess.DEVNULL:
        return None, os.open(os.devnull, os.O_WRONLY)
    return None, os.dup(number if given is None else given)


@cache
def address(root: Path = ROOT) -> str:
    """Return where the process takes orders that has imported the packages of a folder.

    Whoever asks first starts it; what is ordered before it has imported all waits in the queue.
    """
    owner = os.environ.setdefault(OWNER, str(_owner()))
    folder = Path(tempfile.gettempdir(), f"prepared-{os.getuid()}")
    folder.mkdir(mode=0o700, exist_ok=True)
    path = str(folder / f"{owner}-{zlib.crc32(bytes(root)):x}")
    own = f"{path}-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(own)
        door.listen(128)
        with contextlib.suppress(FileExistsError):  # another one was first
            os.link(own, path)
            process = subprocess.Popen(
                [sys.executable, __file__, str(root), path, owner, str(door.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[door.fileno()],
                start_new_session=True,
            )
            atexit.register(setattr, process, "returncode", 0)  # it may outlast this one
        os.unlink(own)
    return path


def _owner() -> int:
    """Return the process of the whole test run."""
    return os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()


def main() -> None:
    """Import, and fork for each order; in the process that was ordered, do what it is to do."""
    sys.path[0], path, owner = sys.argv[1:4]
    door = socket.socket(fileno=int(sys.argv[4]))
    gc.disable()  # nothing of what is imported is garbage
    _import_all()
    gc.collect()
    gc.freeze()  # memory is shared until it is written
    gc.set_threshold(*SELDOM)
    gc.enable()
    while True:
        while not select.select([door], [], [], 1)[0]:
            if not _is_there(int(owner)):
                os.unlink(path)
                return
        caller, _ = door.accept()
        if os.fork() == 0:
            break
        caller.close()
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
    door.close()
    with caller:
        _, streams, *_ = socket.recv_fds(caller, 1, STREAMS)
        words, cwd, environ = json.loads(caller.makefile().readline())
        pid = os.fork()
        if pid:
            _watch(pid, caller, streams)
    _become(streams, cwd, environ)
    _work(*words)


def _is_there(pid: int) -> bool:
    """Return whether a process runs; one that has ended may still wait for its parent."""
    state = Path(f"/proc/{pid}/stat")
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return not (state.exists() and state.read_text().rpartition(") ")[2].startswith("Z"))


def _import_all() -> None:
    for package in map(import_module, PACKAGES):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            with contextlib.suppress(ImportError):  # that needs an extra
                if not module.name.endswith("__main__"):
                    import_module(module.name)
    for name in IMPORTED_LATE:
        import_module(name)
    document = import_module("testset").SourceDocument("a.md", PROSE)
    import_module("testset.rules.registry").candidates_of(document)  # its patterns are compiled
    import_module("llamaindex_rag_eval.models.usage").tokens_of(PROSE)  # its table is read


def _watch(pid: int, caller: socket.socket, streams: list[int]) -> NoReturn:
    """Tell who ordered a process its id, and how it ended."""
    for number in streams:
        os.close(number)
    caller.sendall(pid.to_bytes(NUMBER, "big"))
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    with contextlib.suppress(BrokenPipeError):  # nobody asks any more
        caller.sendall(code.to_bytes(NUMBER, "big", signed=True))
    os._exit(0)


def _become(streams: list[int], cwd: str, environ: Mapping[str, str]) -> None:
    """Be a process as one that was just started."""
    os.setsid()
    for ours, theirs in zip((1, 2), streams, strict=False):
        os.dup2(theirs, ours)
        os.close(theirs)
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environ)
    os.environ.update((GIVEN, str(number)) for number in streams[2:])
    time.tzset()
    sys.path.insert(0, cwd)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())  # whoever started the first may have blocked it


def _work(what: str, *arguments: str) -> None:
    """Run a module, code, or a file, as Python does."""
    sys.argv = [what, *arguments]
    if what == "-m":
        name, *sys.argv[1:] = arguments
        runpy.run_module(name, run_name="__main__", alter_sys=True)
    elif what == "-c":
        code, *sys.argv[1:] = arguments
        main_module = sys.modules["__main__"] = ModuleType("__main__")
        exec(code, vars(main_module))  # noqa: S102
    else:
        sys.path[0] = str(Path(what).parent)
        runpy.run_path(what, run_name="__main__")


if __name__ == "__main__":
    main()
