"""The sync door to async code, in a script, in a thread, and where a loop already runs."""

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

__all__ = ["run_sync"]

T = TypeVar("T")


def run_sync(work: Coroutine[object, object, T]) -> T:
    """Run a coroutine to its end and return what it returns.

    With no event loop running this is `asyncio.run`. In a notebook a loop runs already:
    nest-asyncio is applied then, and only then.
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    import nest_asyncio

    nest_asyncio.apply(loop)
    return loop.run_until_complete(work)
