"""Settings: what a sweep tries, grids of parameters and functions that make engines of them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import product

from llamaindex_rag_eval.data.files import plain_name
from llamaindex_rag_eval.engines.engine import Engine, EngineFactory, engine_from
from llamaindex_rag_eval.errors import InputError

Grid = Mapping[str, Sequence[object]] | Sequence["Setting | Mapping[str, object]"]
"""Parameter -> the values it takes, all of them combined; or the settings one by one."""


def combinations(settings: Mapping[str, Sequence[object]]) -> dict[str, dict[str, object]]:
    """Return every combination of values by its name, the last setting changing fastest.

    Raises:
        InputError: A setting has no value, or two combinations have one name.

    Example:
        >>> list(combinations({"chunk_size": [256, 512], "top_k": [5]}))
        ['chunk_size=256 top_k=5', 'chunk_size=512 top_k=5']
    """
    empty = [key for key, values in settings.items() if not values]
    if empty:
        raise InputError(f"a grid needs at least a value of {empty[0]!r}")
    named: dict[str, dict[str, object]] = {}
    for values in product(*settings.values()):
        parameters = dict(zip(settings, values, strict=True))
        name = _name_of(parameters)
        if name in named:
            raise InputError(f"a grid has {name!r} twice")
        named[name] = parameters
    return named


def _name_of(parameters: Mapping[str, object]) -> str:
    return " ".join(f"{key}={value}" for key, value in parameters.items())


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
    grid: Grid, factory: EngineFactory | None = None, *, label: str = "", import_path: str = ""
) -> tuple[Setting, ...]:
    """Return the settings of a grid, each named by its parameters.

    Args:
        grid: All combinations of values; or a list of parameters or settings.
        factory: Makes the engine of those that bring none.
        label: Put before each name.
        import_path: Where the factory stands, for messages.

    Raises:
        InputError: There is no setting, two have one name, or one has no factory.

    Example:
        >>> [setting.name for setting in settings_of({"top_k": [2, 5]}, str, label="bm25")]
        ['bm25 top_k=2', 'bm25 top_k=5']
    """
    listed = list(combinations(grid).values()) if isinstance(grid, Mapping) else grid
    settings: list[Setting] = []
    for entry in listed:
        if isinstance(entry, Setting):
            settings.append(entry)
            continue
        name = f"{label} {_name_of(entry)}".strip() or "default"
        if factory is None:
            raise InputError(f"the setting {name!r} has no function that makes its engine")
        settings.append(Setting(name, factory, dict(entry), import_path))
    if not settings:
        raise InputError("a sweep needs a setting or more")
    names = [setting.name for setting in settings]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"two settings are named {twice!r}; expected a name of its own for each")
    return tuple(settings)
