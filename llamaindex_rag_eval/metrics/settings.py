"""Settings: an annotated attribute with a default is an argument of a metric, checked and shown.

    class Rank(Metric):
        k: int = setting(default=10, valid=lambda k: k >= 1, expected="at least 1")
        gain: Literal["linear", "exponential"] = "linear"

gives `Rank(judge=None, *, k=10, gain="linear", threshold=None)`. A class that has an `__init__` of
its own declares nothing: the arguments of that are its settings.
"""

import inspect
import sys
from collections import ChainMap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, get_args, get_origin

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import JudgeLike, judge_of

if sys.version_info >= (3, 11):
    from typing import dataclass_transform
else:
    from typing_extensions import dataclass_transform

REQUIRED: Any = inspect.Parameter.empty
"""The default of a setting that must be given."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One argument of a metric; see `setting`."""

    default: Any = REQUIRED
    valid: Callable[[Any], object] | None = None
    expected: str = "another value"
    convert: Callable[[Any], object] | None = None
    shown: Callable[[Any], object] | None = None
    annotation: Any = REQUIRED

    def keep(self, value: Any) -> Any:
        """Return what is kept of a value."""
        return value if value is REQUIRED or self.convert is None else self.convert(value)

    def show(self, value: Any) -> object:
        """Return what specs show of what is kept."""
        return value if value is self.default or self.shown is None else self.shown(value)

    def check(self, name: str, value: Any) -> None:
        """Raise `InputError` if a value may not be given; the default may."""
        valid, expected = self.valid, self.expected
        if get_origin(self.annotation) is Literal:
            options = get_args(self.annotation)
            valid, expected = options.__contains__, f"one of {options!r}"
        elif self.annotation is bool:
            valid, expected = lambda value: isinstance(value, bool), "True or False"
        try:
            accepted = value is self.default or valid is None or valid(value)
        except TypeError:
            accepted = False
        if not accepted:
            raise InputError(f"{name} must be {expected}, got {value!r}")


def setting(*, default: Any = REQUIRED, **more: Any) -> Any:
    """Return the declaration of a setting that needs more than its annotation and a default.

    Values of `Literal` and `bool` are checked without it.

    Args:
        default: The value if none is given; without one it must be given.
        **more: `valid`: whether a value may be given; it may raise `InputError` itself.
            `expected`: what a value must be, as in "k must be at least 1". `convert`: makes what is
            kept, also of the default. `shown`: makes what specs show of what is kept.
    """
    return Setting(default, **more)


def judge_argument(*, default: None, alias: str, kw_only: bool) -> Any:
    """Return the default of the argument before the settings; type checkers read the rest."""
    del alias, kw_only
    return default


@dataclass_transform(kw_only_default=True, field_specifiers=(setting, judge_argument))
class Configured:
    """What has settings, each kept as an attribute of its name.

    A class declares its own before those that it inherits. One that it declares again stands there.

    A user's class may also take settings by an `__init__` of its own.
    """

    _declared: ClassVar[Mapping[str, Setting]] = {}
    _setting_fields: ClassVar[Mapping[str, Setting]] = {}
    _judge: JudgeLike | None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        generated = cls.__init__ is Configured.__init__
        cls._declared = _declarations(cls) if generated else {}
        cls._setting_fields = _inherited(cls)
        for name, declared in cls._declared.items():
            if declared.default is REQUIRED:
                delattr(cls, name)
            else:
                setattr(cls, name, declared.default)
        cls.__signature__ = _signature(cls, generated)  # type: ignore[attr-defined]  # inspect's

    def __init__(self, judge: JudgeLike | None = None, **settings: Any) -> None:
        if unknown := settings.keys() - self._setting_fields.keys():
            raise TypeError(f"{type(self).__name__}() has no setting {min(unknown)!r}")
        self._judge = None if judge is None else judge_of(judge)
        for name, one in self._setting_fields.items():
            value = settings.get(name, one.default)
            if value is REQUIRED:
                raise TypeError(f"{type(self).__name__}() needs {name!r}")
            one.check(name, value)
            setattr(self, name, one.keep(value))
        self.__post_init__()

    def __post_init__(self) -> None:
        """Check what concerns several settings, or keep what follows from them."""


def _inherited(kind: type[Configured]) -> dict[str, Setting]:
    """Return the settings of a class by name, its own first."""
    declared = [vars(base).get("_declared", {}) for base in kind.__mro__]
    names = dict.fromkeys(name for settings in declared for name in settings)
    return {name: ChainMap(*declared)[name] for name in names}


def _declarations(kind: type[Configured]) -> dict[str, Setting]:
    """Return the annotated attributes of a class that have a default and are no class variables."""
    known, declared = _inherited(kind), {}
    bases = [inspect.get_annotations(base) for base in kind.__mro__[1:]]
    for name, annotation in inspect.get_annotations(kind).items():
        of_class = "ClassVar" in str(annotation) or any(name in base for base in bases)
        if name.startswith("_") or name not in vars(kind) or (of_class and name not in known):
            continue
        value = vars(kind)[name]
        one = value if isinstance(value, Setting) else Setting(value)
        declared[name] = replace(one, annotation=annotation)
    return declared


def _signature(kind: type[Configured], generated: bool) -> inspect.Signature:
    whole = inspect.signature(kind.__init__)
    parameters = list(whole.parameters.values())[1:]
    if generated:
        by_name = inspect.Parameter.KEYWORD_ONLY
        parameters[1:] = [
            inspect.Parameter(name, by_name, default=one.default, annotation=one.annotation)
            for name, one in kind._setting_fields.items()
        ]
    return inspect.Signature(parameters, return_annotation=whole.return_annotation)
