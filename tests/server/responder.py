"""Responders: functions that answer for the model, by the name of what is asked."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, TypeAlias

JsonObject: TypeAlias = dict[str, Any]

Responder: TypeAlias = Callable[[JsonObject, JsonObject], JsonObject | str]
"""`responder(input, body)`: the last JSON object of the last user message, and the whole body."""


def load_responders(path: str | None) -> Mapping[str, Responder]:
    """Return the mapping from names to responders at `module:attribute`; empty for None.

    Raises:
        ValueError: The path is not `module:attribute`, or no mapping is there.
    """
    if path is None:
        return {}
    module, separator, attribute = path.partition(":")
    if not separator:
        raise ValueError(f"responders are {path!r}; expected 'module:attribute'")
    responders = getattr(import_module(module), attribute)
    if not isinstance(responders, Mapping):
        raise ValueError(f"{path!r} is {type(responders).__name__}; expected a mapping of names")
    return responders
