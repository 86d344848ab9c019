"""The work of a driver that is outside the cluster, done by a task inside."""

from collections.abc import Callable
from typing import Any

from llamaindex_rag_eval.runs.evaluator import Progress

EVERY = 1.0
"""Seconds between two looks at how far the work is that a task does."""


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
