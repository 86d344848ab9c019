"""What a metric is given: its settings, and its judge.

An annotated attribute with a default is a setting: an argument, checked and shown.

    class Rank(Metric):
        k: int = setting(default=10, valid=lambda k: k >= 1, expected="at least 1")
        gain: Literal["linear", "exponential"] = "linear"

gives `Rank(judge=None, *, k=10, gain="linear", threshold=None)`. A class that has an `__init__` of
its own declares nothing: the arguments of that are its settings.
"""

import inspect
from collections import ChainMap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, TypeVar, dataclass_transform, get_args, get_origin

from llama_index.core.prompts.mixin import PromptDictType, PromptMixinType

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Judge, JudgeLike, judge_of
from llamaindex_rag_eval.judge.prompts import instructions_of, with_instructions
from llamaindex_rag_eval.models.request import Request

JudgedT = TypeVar("JudgedT", bound="Judged")

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
class Judged:
    """What has settings, each kept as an attribute of its name, and may ask a judge.

    A class declares its own settings before those that it inherits. One that it declares again
    stands there. A user's class may also take settings by an `__init__` of its own.

    A metric over other metrics has them as settings: their judges are asked, and not its own.

    Attributes:
        requests: The requests to the judge, one entry a call. What is not of this package may ask
            the judge without saying so here.
    """

    name: ClassVar[str]
    requests: ClassVar[tuple[type[Request[Any]], ...]] = ()
    _declared: ClassVar[Mapping[str, Setting]] = {}
    _setting_fields: ClassVar[Mapping[str, Setting]] = {}
    _judge: JudgeLike | None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        generated = cls.__init__ is Judged.__init__
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
        for name, field in self._setting_fields.items():
            value = settings.get(name, field.default)
            if value is REQUIRED:
                raise TypeError(f"{type(self).__name__}() needs {name!r}")
            field.check(name, value)
            setattr(self, name, field.keep(value))
        self.__post_init__()

    def __post_init__(self) -> None:
        """Give the judge to the metrics that this one is made of.

        Subclasses also check what concerns several settings, or keep what follows from them.
        """
        if (judge := self._judge) is not None:
            self._change_parts(lambda part: part.with_judge(judge))

    @property
    def judge(self) -> Judge:
        """The judge given, or the one that all metrics share."""
        return self._parts[0].judge if self._parts else judge_of(self._judge)

    def with_judge(self: JudgedT, judge: JudgeLike) -> JudgedT:
        """Return this metric with the judge, unless it was given one of its own."""
        if self._parts:
            return self._copy()._change_parts(lambda part: part.with_judge(judge))
        return self if self._judge is not None else self.replace_judge(judge_of(judge))

    def replace_judge(self: JudgedT, judge: Judge) -> JudgedT:
        """Return this metric with the judge, in place of the one it had."""
        return self.map_judges(lambda _: judge)

    def map_judges(self: JudgedT, change: Callable[[Judge], Judge]) -> JudgedT:
        """Return this metric with what a function makes of each judge that it may ask."""
        if self._parts:
            return self._copy()._change_parts(lambda part: part.map_judges(change))
        if not self._asks:
            return self
        changed = self._copy()
        changed._judge = change(self.judge)
        return changed

    @property
    def judges(self) -> tuple[Judge, ...]:
        """The judges that it may ask, one or none; of a metric over metrics, theirs."""
        if self._parts:
            return tuple(judge for part in self._parts for judge in part.judges)
        return (self.judge,) if self._asks else ()

    @property
    def _asks(self) -> bool:
        """Whether it may ask a judge: `requests` need not say so of a metric of the user's own."""
        package, _, _ = __name__.partition(".")
        return bool(self.requests) or not type(self).__module__.startswith(f"{package}.")

    @property
    def _parts(self) -> tuple["Judged", ...]:
        """The metrics among its settings."""
        values = (getattr(self, name) for name in self._setting_fields)
        several = (value if isinstance(value, tuple) else (value,) for value in values)
        return tuple(part for parts in several for part in parts if isinstance(part, Judged))

    def _copy(self: JudgedT) -> JudgedT:
        copied = object.__new__(type(self))  # `copy` would ask a metric how it is pickled
        copied.__dict__.update(self.__dict__)
        return copied

    def _change_parts(self: JudgedT, change: Callable[["Judged"], "Judged"]) -> JudgedT:
        """Replace the metrics among its settings; only what was just made may be changed."""
        for name in self._setting_fields:
            value = getattr(self, name)
            if isinstance(value, Judged):
                setattr(self, name, change(value))
            elif isinstance(value, tuple) and any(isinstance(part, Judged) for part in value):
                setattr(self, name, tuple(map(change, value)))
        return self

    def answerable(self) -> bool:
        """Return whether everything that the metric asks can be answered."""
        if self._parts:
            return all(part.answerable() for part in self._parts)
        return all(self.judge.oracle.answers(request) for request in self.requests)

    def _get_prompts(self) -> PromptDictType:
        return {} if self._parts else instructions_of(self.judge, self.requests)

    def _update_prompts(self, prompts_dict: PromptDictType) -> None:
        """Change the prompts of its own; those of parts are changed by their names."""
        if not self._parts:
            self._judge = with_instructions(self.judge, self.requests, prompts_dict) or self._judge

    def _get_prompt_modules(self) -> PromptMixinType:
        """Return the parts by name, so that prompts are `faithfulness:claims`.

        A second part of a name is `faithfulness_2`.
        """
        modules: PromptMixinType = {}
        names = [part.name for part in self._parts]
        for number, part in enumerate(self._parts):
            before = names[:number].count(part.name)
            modules[f"{part.name}_{before + 1}" if before else part.name] = part  # type: ignore[assignment]
        return modules


def _inherited(kind: type[Judged]) -> dict[str, Setting]:
    """Return the settings of a class by name, its own first."""
    declared = [vars(base).get("_declared", {}) for base in kind.__mro__]
    names = dict.fromkeys(name for settings in declared for name in settings)
    return {name: ChainMap(*declared)[name] for name in names}


def _declarations(kind: type[Judged]) -> dict[str, Setting]:
    """Return the annotated attributes of a class that have a default and are no class variables."""
    known, declared = _inherited(kind), {}
    bases = [inspect.get_annotations(base) for base in kind.__mro__[1:]]
    for name, annotation in inspect.get_annotations(kind).items():
        of_class = "ClassVar" in str(annotation) or any(name in base for base in bases)
        if name.startswith("_") or name not in vars(kind) or (of_class and name not in known):
            continue
        value = vars(kind)[name]
        field = value if isinstance(value, Setting) else Setting(value)
        declared[name] = replace(field, annotation=annotation)
    return declared


def _signature(kind: type[Judged], generated: bool) -> inspect.Signature:
    whole = inspect.signature(kind.__init__)
    parameters = list(whole.parameters.values())[1:]
    if generated:
        by_name = inspect.Parameter.KEYWORD_ONLY
        parameters[1:] = [
            inspect.Parameter(name, by_name, default=field.default, annotation=field.annotation)
            for name, field in kind._setting_fields.items()
        ]
    return inspect.Signature(parameters, return_annotation=whole.return_annotation)
