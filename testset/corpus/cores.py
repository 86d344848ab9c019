"""Work on every core: parts of much work, done by processes of their own, or by Ray's nodes."""

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from functools import cache
from itertools import chain
from typing import TypeVar

from llamaindex_rag_eval._ray import AHEAD, Nodes, on_every_node, ray_nodes
from llamaindex_rag_eval.errors import InputError

Part = TypeVar("Part")
Result = TypeVar("Result")

_nodes: ContextVar[Nodes | None] = ContextVar("nodes", default=None)
"""The nodes of Ray that work; `None` for this machine."""

_freeze_once = cache(gc.freeze)
"""Leave what was imported, which is no garbage, out of each search for it."""

_workers: ContextVar[int | None] = ContextVar("workers", default=None)
"""Processes of this machine that work; `None` for one on each core."""


@contextmanager
def working_on(on: str | None, workers: int | None = None) -> Iterator[None]:
    """Say who does the work that is for every core, while the block lasts.

    Args:
        on: `ray`, for the nodes of Ray (see `ray_nodes`); `None` for this machine.
        workers: How many processes of this machine; `None` for as many as there were to be.

    Raises:
        InputError: Ray is not installed, or does not answer; or `workers` is below 1.
    """
    if workers is not None and workers < 1:
        raise InputError(f"expected 1 worker or more, got {workers!r}")
    with ExitStack() as stack:
        if on is not None:
            stack.callback(_nodes.reset, _nodes.set(stack.enter_context(ray_nodes(on))))
        if workers is not None:
            stack.callback(_workers.reset, _workers.set(workers))
        yield


def on_every_core(work: Callable[[Part], Result], parts: Iterable[Part]) -> Iterator[Result]:
    """Yield what work gives for each part, in their order; a single part is worked on right here.

    Args:
        work: A function of a module, so that another process finds it.
        parts: What it is called with; asked for as the work goes on.
    """
    rest = iter(parts)
    first = [part for _, part in zip(range(2), rest, strict=False)]
    if len(first) < 2:
        yield from map(work, first)
        return
    nodes, workers, every = _nodes.get(), _workers.get(), chain(first, rest)
    if nodes is not None:
        sent = ((work, part) for part in every)
        yield from on_every_node(_done, sent, AHEAD * nodes.cpus, in_order=True)
        return
    if workers == 1:
        yield from map(work, every)
        return
    from joblib import Parallel, delayed  # slow to import

    run = Parallel(n_jobs=workers or -1, return_as="generator", max_nbytes=None)
    yield from run(delayed(_worked)(work, part) for part in every)


def in_parts(items: Iterable[Part], size: Callable[[Part], int], most: int) -> Iterator[list[Part]]:
    """Yield items in parts that take about as long to work on; one part at least.

    Args:
        items: What is worked on.
        size: How much work an item is.
        most: The size from which a part is full.

    Example:
        >>> list(in_parts([1, 2, 3], int, 3)), list(in_parts([], int, 3))
        ([[1, 2], [3]], [[]])
    """
    part: list[Part] = []
    done, full = 0, False
    for item in items:
        part.append(item)
        done += size(item)
        if done >= most:
            yield part
            part, done, full = [], 0, True
    if part or not full:
        yield part


def _done(work: Callable[[Part], Result], part: Part) -> Result:
    """Work on a part; unlike `work`, which may have settings bound, this is a plain function."""
    return work(part)


def _worked(work: Callable[[Part], Result], part: Part) -> Result:
    """Work on a part in a process of its own, where no search for garbage holds it up."""
    _freeze_once()
    gc.disable()
    try:
        return work(part)
    finally:
        gc.collect()
        gc.enable()
