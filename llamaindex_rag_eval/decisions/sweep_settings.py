"""Settings: what a sweep tries, each a function that makes an engine and its parameters."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from llamaindex_rag_eval.decisions.pipelines import combinations, plain_name
from llamaindex_rag_eval.engines.engine import Engine, EngineFactory, engine_from
from llamaindex_rag_eval.errors import InputError

Grid = Mapping[str, Sequence[object]] | Sequence["Setting | Mapping[str, object]"]
"""Parameter -> the values it takes, all of them combined; or the settings one by one."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of a pipeline.

    Attributes:
        name: Its name in tables and files.
        factory: Makes the engine; called when the setting is first asked something.
        parameters: What the factory is called with, as keywords.
        place: Where the factory stands, for messages; by default the name it has in Python.
    """

    name: str
    factory: EngineFactory
    parameters: Mapping[str, object] = field(default_factory=dict)
    place: str = ""

    @property
    def file_name(self) -> str:
        """How its files begin: the same in a sweep of more or fewer settings.

        Another factory or another value of a parameter makes other files, under one name too.
        """
        values = {key: repr(value) for key, value in self.parameters.items()}
        whole = json.dumps([self.name, self.described, values], sort_keys=True)
        return f"{plain_name(self.name)}-{sha256(whole.encode()).hexdigest()[:8]}"

    @property
    def described(self) -> str:
        """Where the factory stands."""
        if self.place:
            return self.place
        return str(getattr(self.factory, "__qualname__", type(self.factory).__qualname__))

    def engine(self) -> Engine:
        """Return the engine.

        Raises:
            EngineError: The factory raised an error, or made no engine.
        """
        return engine_from(self.factory, self.described, self.parameters)


def settings_of(
    grid: Grid, factory: EngineFactory | None = None, *, label: str = "", place: str = ""
) -> tuple[Setting, ...]:
    """Return the settings of a grid, each named by its parameters.

    Args:
        grid: All combinations of values; or a list of parameters or settings.
        factory: Makes the engine of those that bring none.
        label: Put before each name.
        place: Where the factory stands, for messages.

    Raises:
        InputError: There is no setting, two have one name, or one has no factory.

    Example:
        >>> [one.name for one in settings_of({"top_k": [2, 5]}, str, label="bm25")]
        ['bm25 top_k=2', 'bm25 top_k=5']
    """
    if isinstance(grid, Mapping):
        chosen: list[Setting | Mapping[str, object]] = list(combinations(grid).values())
    else:
        chosen = list(grid)
    found = [
        one if isinstance(one, Setting) else _setting(one, factory, label, place) for one in chosen
    ]
    if not found:
        raise InputError("a sweep needs a setting or more")
    names = [one.name for one in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"two settings are named {twice!r}; expected a name of its own for each")
    return tuple(found)


def _setting(
    parameters: Mapping[str, object],
    factory: Callable[..., Engine] | None,
    label: str,
    place: str,
) -> Setting:
    text = " ".join(f"{key}={value}" for key, value in parameters.items())
    name = f"{label} {text}".strip() or "default"
    if factory is None:
        raise InputError(f"the setting {name!r} has no function that makes its engine")
    return Setting(name, factory, dict(parameters), place)
