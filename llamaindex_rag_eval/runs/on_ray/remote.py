"""A driver outside the cluster (`ray://`): Ray Data works inside only, and so a task does all."""

from collections.abc import Callable
from typing import Any

from llamaindex_rag_eval.runs.evaluator import Progress

EVERY = 1.0
"""Seconds between two looks at how far it is."""


def done_inside(work: Callable[[Progress], object], progress: Progress | None) -> None:
    """Do work by a task in the cluster, and wait for it; what it raises is raised.

    Args:
        work: A function that takes a progress function, and can be sent.
        progress: Called here, about once a second.
    """
    import ray

    told = ray.remote(num_cpus=0)(_Told).remote()
    task = ray.remote(num_cpus=0)(_work).remote(work, told)
    finished = False
    while not finished:
        finished = bool(ray.wait([task], timeout=EVERY)[0])
        last = ray.get(told.last.remote())
        if progress is not None and last is not None:
            progress(*last)
    ray.get(task)


class _Told:
    """An actor that knows the last progress."""

    def __init__(self) -> None:
        self._last: tuple[int, int] | None = None

    def tell(self, done: int, total: int) -> None:
        self._last = done, total

    def last(self) -> tuple[int, int] | None:
        return self._last


def _work(work: Callable[[Progress], object], told: Any) -> None:
    import ray

    work(lambda done, total: ray.get(told.tell.remote(done, total)))
