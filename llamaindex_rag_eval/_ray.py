"""The nodes of Ray: joined, started on this machine, or used as the caller has opened it."""

import logging
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from llamaindex_rag_eval.errors import InputError, RagEvalError

Result = TypeVar("Result")

Progress = Callable[[int, int], None]
"""Called with how much is done, and of how much."""

ANSWERS_WITHIN = 5.0
"""Seconds in which a cluster must take a connection."""

NOT_STARTED = (
    "Starting Ray client server failed",
    "Proxy failed to Connect to backend",
    "ZombieProcess",
)
"""What Ray Client says when the head node's process for a new connection died or was too slow."""

JOINS = 3
"""How often a connection is asked for: a busy head node starts its process the next time."""

EVERY = 1.0
"""Seconds between two looks at how far the work is that a task does."""

AHEAD = 2
"""Parts for each core that are sent before their results are there."""


@dataclass(frozen=True, slots=True)
class Nodes:
    """The nodes of a Ray cluster that was joined.

    Attributes:
        cpus: Cores of all nodes.
        machines: How many machines the nodes are on.
        remote: Whether it goes through Ray Client, from a machine outside the cluster.
    """

    cpus: int
    machines: int
    remote: bool


def address_of(on: str) -> str | None:
    """Return the address in `ray` or `ray://host:port`; `None` stands for any that Ray finds.

    Raises:
        InputError: It is neither.

    Example:
        >>> address_of("ray"), address_of("ray://head:10001")
        (None, 'ray://head:10001')
    """
    if on == "ray":
        return None
    host, colon, port = on.removeprefix("ray://").rpartition(":")
    if on.startswith("ray://") and host and colon and port.isdecimal():
        return on
    raise InputError(f"on is {on!r}; expected 'ray' or 'ray://HOST:PORT'")


@contextmanager
def ray_nodes(on: str) -> Iterator[Nodes]:
    """Join the cluster that is named, and leave it at the end.

    `ray` is the cluster of `RAY_ADDRESS`, or one on this machine, which is started if there is
    none. A connection that the caller has opened is used, and stays open.

    Raises:
        InputError: Ray is not installed, or does not answer.
    """
    address = address_of(on)
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise InputError(
            f"--on ray needs {error.name!r}; install it: pip install 'llamaindex-rag-eval[ray]'"
        ) from error
    opened = not ray.is_initialized()
    if opened:
        _join(address)
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)  # what fails is raised
    try:
        nodes = [node for node in ray.nodes() if node["Alive"]]
        yield Nodes(
            cpus=max(1, int(ray.cluster_resources().get("CPU", 1))),
            machines=len({node["NodeManagerHostname"] for node in nodes}),
            remote=ray.util.client.ray.is_connected(),
        )
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, RagEvalError):
            raise error.cause from None
        raise InputError(f"a task failed on Ray: {error.cause}") from error
    except ray.exceptions.RayError as error:
        raise InputError(f"Ray gave up: {error}") from error
    finally:
        if opened:
            ray.shutdown()


def _join(address: str | None) -> None:
    if address is not None:
        _require_answer(address)
    try:
        _connect(
            address=address,
            log_to_driver=False,
            logging_level=logging.ERROR,
        )
    except ImportError as error:
        raise InputError(
            f"{address} needs {error.name or 'ray[client]'!r}; install it: "
            "pip install 'llamaindex-rag-eval[ray]'"
        ) from error
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise InputError(
            f"Ray at {address or 'RAY_ADDRESS'} cannot be joined: {error}; if its nodes ask for a "
            "token, set RAY_AUTH_MODE=token here, too"
        ) from error


def _connect(**options: Any) -> None:
    import ray

    for left in reversed(range(JOINS)):
        try:
            ray.init(**options)
            return
        except ConnectionAbortedError as error:
            if not left or not any(words in str(error) for words in NOT_STARTED):
                raise


def _require_answer(address: str) -> None:
    """Raise at once if nothing listens there: Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=ANSWERS_WITHIN).close()
    except (OSError, OverflowError) as error:
        raise InputError(
            f"Ray does not answer at {address}: {error}; does `ray status` on its head node show "
            "it, and is the port that of Ray Client (10001 by default)?"
        ) from error


def on_every_node(
    work: Callable[..., Result],
    parts: Iterable[tuple[Any, ...]],
    most: int,
    *,
    in_order: bool = False,
) -> Iterator[Result]:
    """Yield what work gives for each part; a lost node's parts are done again.

    Args:
        work: A function of a module that all nodes have.
        parts: What it is called with; asked for as the work goes on.
        most: How many parts are sent before their results are there.
        in_order: Whether results come in the order of the parts, and not as they are done.
    """
    import ray

    task = ray.remote(num_cpus=1)(work)
    running: list[Any] = []

    def results() -> Iterator[Result]:
        done = running[:1] if in_order else ray.wait(running)[0]
        running[:] = [reference for reference in running if reference not in done]
        yield from ray.get(done)

    for part in parts:
        if len(running) >= most:
            yield from results()
        running.append(task.remote(*part))
    while running:
        yield from results()


def done_inside(work: Callable[[Progress], object], progress: Progress | None) -> None:
    """Do the work of a driver by a task on Ray, and wait for it; what it raises is raised.

    Args:
        work: A function that takes a progress function, and can be sent.
        progress: Called here, about once a second.
    """
    import ray

    last = ray.remote(num_cpus=0)(_Last).remote()
    task = ray.remote(num_cpus=0)(_work_inside).remote(work, last)
    finished = False
    while not finished:
        finished = bool(ray.wait([task], timeout=EVERY)[0])
        state = ray.get(last.get.remote())
        if progress is not None and state is not None:
            progress(*state)
    ray.get(task)


class _Last:
    """An actor that knows the last progress."""

    _state: tuple[int, int] | None = None

    def set(self, done: int, total: int) -> None:
        self._state = done, total

    def get(self) -> tuple[int, int] | None:
        return self._state


def _work_inside(work: Callable[[Progress], object], last: Any) -> None:
    import ray

    work(lambda done, total: ray.get(last.set.remote(done, total)))
