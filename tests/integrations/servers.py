"""Servers of MLflow and Phoenix of the tests' own: on loopback, in a temporary folder.

Their programs are in `.venv/servers`, each in an environment of its own: they want other versions
of some packages than we and each other do. `make test` sets them up.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.requirement import require

PROGRAMS = Path(sys.prefix) / "servers"
LOOPBACK = "127.0.0.1"
LONGEST = 480
"""Seconds that a server may take to start; the first time Python compiles its packages."""


@contextmanager
def mlflow_server() -> Iterator[str]:
    """Run `mlflow server`, and yield its address."""
    port = _free_port()
    options = ("--host", LOOPBACK, "--port", str(port), "--workers", "1")
    store = ("--backend-store-uri", "sqlite:///runs.db", "--artifacts-destination", "artifacts")
    quiet = {"MLFLOW_DISABLE_TELEMETRY": "true", "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false"}
    with _running(
        ("mlflow", "server", *options, *store), quiet, f"http://{LOOPBACK}:{port}/health"
    ):
        yield f"http://{LOOPBACK}:{port}"


@contextmanager
def phoenix_server() -> Iterator[str]:
    """Run `phoenix serve`, and yield its address."""
    port = _free_port()
    settings = {
        "PHOENIX_WORKING_DIR": ".",
        "PHOENIX_HOST": LOOPBACK,
        "PHOENIX_PORT": str(port),
        "PHOENIX_GRPC_PORT": str(_free_port()),
        "PHOENIX_TELEMETRY_ENABLED": "false",
        "PHOENIX_DISABLE_AGENT_ASSISTANT": "true",
        "PHOENIX_ENABLE_MCP_SERVER": "false",
    }
    with _running(("phoenix", "serve"), settings, f"http://{LOOPBACK}:{port}/healthz"):
        yield f"http://{LOOPBACK}:{port}"


@contextmanager
def _running(command: Sequence[str], settings: Mapping[str, str], health: str) -> Iterator[None]:
    programs = PROGRAMS / command[0] / "bin"
    program = programs / command[0]
    require(program.is_file(), f"{command[0]} in .venv/servers (`make .venv/.servers`)")
    home = Path(tempfile.mkdtemp(prefix=f"rag-eval-{command[0]}-"))
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, **settings, "PATH": path, "PYTHONPATH": ""}
    with (home / "log").open("wb") as log:
        process = subprocess.Popen(
            [str(program), *command[1:]],
            cwd=home,
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        _wait(process, health, home / "log")
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        shutil.rmtree(home, ignore_errors=True)


def _wait(process: subprocess.Popen[bytes], health: str, log: Path) -> None:
    end = time.monotonic() + LONGEST
    with httpx.Client() as client:  # one, for it takes longer to make than to use
        while time.monotonic() < end and process.poll() is None:
            try:
                if client.get(health).is_success:
                    return
            except httpx.HTTPError:
                time.sleep(0.2)
    raise AssertionError(f"{process.args!r} did not start: {log.read_text()[-3000:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port
