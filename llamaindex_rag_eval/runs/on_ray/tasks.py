"""Tasks on Ray: parts of much work, and the whole work of a driver that is outside."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from llamaindex_rag_eval.runs.evaluator import Progress

Result = TypeVar("Result")


def in_any_order(
    work: Callable[..., Result], parts: Iterable[tuple[Any, ...]], most: int
) -> Iterator[Result]:
    """Yield what work gives for each part as it comes; a lost node's parts are done again.

    Args:
        work: A function of a module that all nodes have.
        parts: What it is called with; asked for as the work goes on, one ahead.
        most: How many of them are done at a time.
    """
    import ray

    task = ray.remote(num_cpus=1)(work)
    running: list[Any] = []
    for part in parts:
        if len(running) >= most:
            done, running = ray.wait(running)
            yield from ray.get(done)
        running.append(task.remote(*part))
    while running:
        done, running = ray.wait(running)
        yield from ray.get(done)


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
