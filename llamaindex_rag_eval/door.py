"""The sync door to async code, in a script, in a thread, and where a loop already runs."""

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

from llamaindex_rag_eval.kept_loop import run_on_kept_loop

__all__ = ["run_sync"]

T = TypeVar("T")


def run_sync(work: Coroutine[object, object, T]) -> T:
    """Run a coroutine to its end and return what it returns.

    With no event loop running it runs on this thread's own, which is kept, so that connections
    are too. In a notebook a loop runs already: nest-asyncio is applied then, and only then.
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return run_on_kept_loop(work)
    import nest_asyncio

    nest_asyncio.apply(loop)
    return loop.run_until_complete(work)
