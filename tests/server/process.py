"""The server in a process of its own, as a context manager; the process serves again and again."""

import atexit
import json
import subprocess
import sys
from collections.abc import Mapping
from http.client import HTTPConnection
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.server.faults import Faults
from tests.server.responder import JsonObject
from tests.server.stats import Tally

ROOT = Path(__file__).parents[2]


_idle: list["subprocess.Popen[str]"] = []
"""Processes that serve nobody now."""


def _started() -> "subprocess.Popen[str]":
    """Return a process that serves what it is told to; it ends with this one."""
    command = [sys.executable, "-m", "tests.server", "--orders"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    process = subprocess.Popen(command, cwd=ROOT, text=True, **pipes)
    atexit.register(process.communicate)
    return process


class LoopbackServer:
    """An OpenAI-compatible server on 127.0.0.1, there while the context is open.

    Args:
        latency: Seconds from the arrival of a request to its reply.
        faults: Which calls fail; None is no fault.
        responders: `module:attribute` of a mapping from names to responders, importable from
            the root of the repository; None leaves all to the generic responder.
        seed: Of the generic replies.
        headers: Sent with every good reply.
        record: Keep the bodies of model calls for `requests`.
        batches: Options of `tests.server.batches.BatchOptions`.
        forms: Options of `tests.server.forms.Forms`.
        port: 0 picks a free one.

    Raises:
        ChildProcessError: On entry, if the server does not start; it says why.
    """

    def __init__(
        self,
        *,
        latency: float = 0.0,
        faults: Faults | None = None,
        responders: str | None = None,
        seed: int = 0,
        headers: Mapping[str, str] | None = None,
        record: bool = False,
        batches: Mapping[str, object] | None = None,
        forms: Mapping[str, object] | None = None,
        port: int = 0,
    ) -> None:
        self._record = record
        self._arguments = [
            f"--port={port}",
            f"--latency={latency}",
            f"--faults={(faults or Faults()).to_json()}",
            f"--seed={seed}",
            f"--headers={json.dumps(dict(headers or {}))}",
        ]
        if batches is not None:
            self._arguments.append(f"--batches={json.dumps(dict(batches))}")
        if forms is not None:
            self._arguments.append(f"--forms={json.dumps(dict(forms))}")
        if responders is not None:
            self._arguments.append(f"--responders={responders}")
        if record:
            self._arguments.append("--record")
        self.port = port
        self._serves = False

    @property
    def url(self) -> str:
        """The base address of the API, for `api_base` or `base_url`."""
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> "LoopbackServer":
        self._process = _idle.pop() if _idle else _started()
        said = self._order(self._arguments)
        if "error" in said:
            _idle.append(self._process)
            raise ChildProcessError(said["error"])
        self.port = int(said["port"])
        self._serves = True
        return self

    def _order(self, order: list[str]) -> dict[str, Any]:
        """Send a line to the process; return what it answers."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise ChildProcessError(f"the server ended with status {self._process.wait()}")
        said: dict[str, Any] = json.loads(line)
        return said

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End it, unless it was ended before: its process may serve another by now."""
        if self._serves:
            self._serves = False
            self._order([])
            _idle.append(self._process)

    @property
    def pid(self) -> int:
        """The process id of the server."""
        return self._process.pid

    def stats(self) -> Tally:
        """Return what the server has counted since its start or the last `reset`."""
        return Tally(**self._asked("GET", "/stats"))

    def requests(self) -> list[JsonObject]:
        """Return the bodies of the model calls, in order of arrival.

        Raises:
            ValueError: The server does not record.
        """
        if not self._record:
            raise ValueError("no bodies are kept; start the server with record=True")
        bodies: list[JsonObject] = self._asked("GET", "/requests")
        return bodies

    def reset(self) -> None:
        """Forget all counts, attempts and bodies; transient faults begin anew."""
        self._asked("POST", "/reset")

    def befall(self, faults: Faults) -> None:
        """Let these faults befall the calls from now on, in place of all others."""
        self._asked("POST", "/faults", faults.to_json())

    def _asked(self, method: str, path: str, body: str | None = None) -> Any:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=300)
        try:
            connection.request(method, path, body)
            return json.loads(connection.getresponse().read())
        finally:
            connection.close()
