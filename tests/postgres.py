"""PostgreSQL clusters of the tests' own: on loopback, in a temporary folder, gone afterwards."""

import getpass
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from tests.requirement import require

LOOPBACK = "127.0.0.1"
OWNER = "postgres"
FLAGS = "-c fsync=off -c shared_buffers=16MB -c max_connections=50"
"""Nothing here outlives the tests, so nothing has to reach the disk."""


class Cluster:
    """A cluster that can be stopped and started; gone when the context is left.

    Attributes:
        port: Of the server, the same after a restart.
        url: For SQLAlchemy.
    """

    def __enter__(self) -> "Cluster":
        programs = _programs()
        require(programs, "PostgreSQL (Debian: `apt-get install postgresql`)")
        assert programs is not None
        self._programs = programs
        self._home = Path(tempfile.mkdtemp(prefix="rag-eval-postgres-"))
        if os.geteuid() == 0:
            shutil.chown(self._home, OWNER)
        self.port = _free_port()
        self._run("initdb", "-U", OWNER, "-A", "trust", "--no-sync")
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(AssertionError):  # a test may have stopped it
            self.stop()
        shutil.rmtree(self._home, ignore_errors=True)

    @property
    def url(self) -> str:
        return f"postgresql+psycopg://{OWNER}@{LOOPBACK}:{self.port}/postgres"

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        sockets = f"-c unix_socket_directories={self._home} -p {self.port}"
        options = f"{FLAGS} -c listen_addresses={LOOPBACK} {sockets}"
        self._run("pg_ctl", "-w", "-l", str(self._home / "log"), "-o", options, "start")

    def stop(self) -> None:
        """Stop the server at once; who is connected is cut off."""
        self._run("pg_ctl", "-w", "-m", "immediate", "stop")

    def _run(self, program: str, *arguments: str) -> None:
        data = ("-D", str(self._home / "data"))
        _as_owner([str(self._programs / program), *data, *arguments])


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """Start a cluster, yield its SQLAlchemy URL, and stop it when the tests are over."""
    with Cluster() as cluster:
        yield cluster.url


def _programs() -> Path | None:
    """Return the folder of the newest installed server, which Debian keeps off the path."""
    folders = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    on_path = shutil.which("initdb")
    if not folders and on_path:
        folders = [Path(on_path).parent]
    return max(
        folders, key=lambda folder: (len(folder.parent.name), folder.parent.name), default=None
    )


def _as_owner(command: Sequence[str]) -> None:
    """Run a command; as `postgres` if we are root, for whom PostgreSQL does not run."""
    prefix = ["runuser", "-u", OWNER, "--"] if getpass.getuser() == "root" else []
    # Output goes to the null device: the server would inherit a pipe and keep it open.
    done = subprocess.run(
        [*prefix, *command], cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    assert done.returncode == 0, f"{command[0]} failed with {done.returncode}"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port
