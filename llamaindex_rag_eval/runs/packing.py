"""Metrics and judges on their way to another process: their limits stay behind."""

import io
from collections.abc import Callable
from typing import Any

import cloudpickle

from llamaindex_rag_eval.models.database import absolute_url
from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.models.store import ReplyStore


def dumps(value: object) -> tuple[bytes, list[Limit], list[str]]:
    """Return a value pickled for other processes, the limits in it, the URLs of its stores.

    Classes and functions of the caller's own modules travel with it.

    Raises:
        TypeError, AttributeError, pickle.PicklingError: Something in it cannot be pickled.
    """
    limits: list[Limit] = []
    stores: list[str] = []

    class Pickler(cloudpickle.CloudPickler):  # type: ignore[misc]  # untyped
        def reducer_override(self, obj: object) -> object:
            if isinstance(obj, Limit):
                limits.append(obj)
                return _limit_here, (len(limits) - 1, obj.__getstate__())
            if isinstance(obj, ReplyStore):
                stores.append(absolute_url(obj.url))
                return ReplyStore, (stores[-1],), {**obj.__getstate__(), "url": stores[-1]}
            return super().reducer_override(obj)

    buffer = io.BytesIO()
    Pickler(buffer).dump(value)
    return buffer.getvalue(), limits, stores


Maker = Callable[[int, dict[str, Any]], Limit]

_here: list[Maker] = []
"""Makes the limits of this process, while a value is unpickled."""


def _limit_here(number: int, state: dict[str, Any]) -> Limit:
    return _here[-1](number, state)


def loads(data: bytes, limit: Maker) -> Any:
    """Return the value that `dumps` pickled.

    Args:
        data: From a process of this run, never from a file.
        limit: Makes what stands for a limit, by its number and the settings of the other one.
    """
    _here.append(limit)
    try:
        return cloudpickle.loads(data)
    finally:
        _here.pop()
