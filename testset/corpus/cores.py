"""Work on every core: parts of much work, done by processes of their own."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TypeVar

__all__ = ["on_every_core"]

Part = TypeVar("Part")
Result = TypeVar("Result")


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
    from joblib import Parallel, delayed  # slow to import

    run = Parallel(n_jobs=-1, return_as="generator", max_nbytes=None)
    yield from run(delayed(work)(part) for part in chain(first, rest))
