"""The nodes of Ray: joined, started on this machine, or used as the caller has opened it."""

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from llamaindex_rag_eval.errors import InputError, RagEvalError

Result = TypeVar("Result")

AHEAD = 2
"""Parts for each core that are sent before their results are there."""


@dataclass(frozen=True, slots=True)
class Nodes:
    """The nodes of a Ray cluster that was joined.

    Attributes:
        cpus: Cores of all nodes.
        machines: How many machines the nodes are on.
    """

    cpus: int
    machines: int


@contextmanager
def ray_nodes(on: str) -> Iterator[Nodes]:
    """Join the cluster that is named, and leave it at the end.

    `ray` is the cluster of `RAY_ADDRESS`, or one on this machine, which is started if there is
    none. A connection that the caller has opened is used, and stays open.

    Raises:
        InputError: `on` is anything else, or Ray is not installed, or does not answer.
    """
    if on != "ray":
        job = "; from outside of a cluster, use `ray job submit`" if on.startswith("ray:") else ""
        raise InputError(f"on is {on!r}; expected 'ray'{job}")
    try:
        import ray
    except ImportError as error:
        raise InputError(
            f"--on ray needs {error.name!r}; install it: pip install 'llamaindex-rag-eval[ray]'"
        ) from error
    opened = not ray.is_initialized()
    if opened:
        _join()
    try:
        nodes = [node for node in ray.nodes() if node["Alive"]]
        yield Nodes(
            cpus=max(1, int(ray.cluster_resources().get("CPU", 1))),
            machines=len({node["NodeManagerHostname"] for node in nodes}),
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


def _join() -> None:
    import ray

    try:
        ray.init(log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise InputError(
            f"Ray at RAY_ADDRESS cannot be joined: {error}; if its nodes ask for a token, set "
            "RAY_AUTH_MODE=token here, too"
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
