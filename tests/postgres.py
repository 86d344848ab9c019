"""A PostgreSQL cluster of the tests' own: on loopback, in a temporary folder, gone afterwards."""

import getpass
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.requirement import require

__all__ = ["postgres_url"]

LOOPBACK = "127.0.0.1"
OWNER = "postgres"
FLAGS = "-c fsync=off -c shared_buffers=16MB -c max_connections=50"
"""Nothing here outlives the tests, so nothing has to reach the disk."""


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """Start a cluster, yield its SQLAlchemy URL, and stop it when the tests are over."""
    programs = _programs()
    require(programs, "PostgreSQL (Debian: `apt-get install postgresql`)")
    assert programs is not None
    home = Path(tempfile.mkdtemp(prefix="rag-eval-postgres-"))
    if os.geteuid() == 0:
        shutil.chown(home, OWNER)
    port = _free_port()
    data = ["-D", str(home / "data")]
    listening = (
        f"{FLAGS} -c listen_addresses={LOOPBACK} -c unix_socket_directories={home} -p {port}"
    )
    try:
        _as_owner([str(programs / "initdb"), *data, "-U", OWNER, "-A", "trust", "--no-sync"])
        log = str(home / "log")
        _as_owner([str(programs / "pg_ctl"), *data, "-w", "-l", log, "-o", listening, "start"])
        yield f"postgresql+psycopg://{OWNER}@{LOOPBACK}:{port}/postgres"
        _as_owner([str(programs / "pg_ctl"), *data, "-w", "-m", "immediate", "stop"])
    finally:
        shutil.rmtree(home, ignore_errors=True)


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
