"""Results as JSON: a class names what of it is written, and in which order."""

from operator import attrgetter
from typing import ClassVar

from pydantic import JsonValue
from pydantic_core import to_jsonable_python


class JsonFields:
    """A base for results that are written as JSON.

    A class lists what is written of it, in order, as `namedtuple` takes names: fields and
    properties, or `key=path` where the key is another name, as `low=estimate.low`.

    Example:
        >>> class Point(JsonFields):
        ...     _json = "x height=y.real"
        ...     x, y = (1, 2), 0.5
        >>> Point().as_json()
        {'x': [1, 2], 'height': 0.5}
    """

    __slots__ = ()
    _json: ClassVar[str]

    def as_json(self) -> dict[str, JsonValue]:
        """Return it as plain data."""
        paths = (entry.partition("=") for entry in self._json.split())
        return {key: _plain(attrgetter(path or key)(self)) for key, _, path in paths}


def _plain(value: object) -> JsonValue:
    if isinstance(value, tuple):
        return [_plain(entry) for entry in value]
    plain: JsonValue = value.as_json() if hasattr(value, "as_json") else to_jsonable_python(value)
    return plain
