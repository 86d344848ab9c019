"""The registry: every metric, found by its name, its spec, or the name that other tools use.

`metric_of("ndcg@10")`, `metric_of("factual_correctness(mode=recall)")`,
`metric_of("LLMContextRecall")`.

The metrics are found in the modules of this package: a class with a `name` of its own is a metric,
a base class has none. Metrics defined elsewhere are used as objects and have no name here.
"""

import difflib
import importlib
import inspect
import pkgutil
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache

from llamaindex_rag_eval import metrics
from llamaindex_rag_eval.errors import EngineError, InputError, UnknownMetricError
from llamaindex_rag_eval.judge import JudgeLike
from llamaindex_rag_eval.metrics.base import OTHER_NAMES, BaseMetric
from llamaindex_rag_eval.metrics.spec import parse_spec
from llamaindex_rag_eval.models.providers import object_in

READERS = {"pages", "registry"}
"""Modules of this package that read the list of metrics and define none."""


def metric_classes() -> tuple[type[BaseMetric], ...]:
    """Return the metrics that the modules of this package define, by name."""
    names = [module.name for module in pkgutil.iter_modules(metrics.__path__)]
    modules = [
        importlib.import_module(f"{metrics.__name__}.{name}")
        for name in names
        if name not in READERS
    ]
    kinds = {
        kind
        for module in modules
        for kind in vars(module).values()
        # To Python 3.10 an alias as `list[str]` is a class, and no subclass of any.
        if issubclass(type(kind), type) and issubclass(kind, BaseMetric)
        if kind.__module__ == module.__name__ and "name" in vars(kind)
    }
    return tuple(sorted(kinds, key=lambda kind: kind.name))


METRICS: tuple[type[BaseMetric], ...] = metric_classes()
"""Every metric, by name."""

REMOVED: Mapping[str, str] = {
    "diagnosis": "`rag-eval diagnose`, or `llamaindex_rag_eval.diagnose`",
}
"""Metric of an earlier version -> what does its work."""

DEFAULT_METRICS: tuple[str, ...] = (
    "answer_verdict",
    "faithfulness",
    "context_recall",
    "context_precision",
    "response_relevance",
    "hit_rate@5",
    "mrr",
    "ndcg@10",
)
"""The specs of the metrics that a run uses if none are given."""


def metric_of(name: str, judge: JudgeLike | None = None) -> BaseMetric:
    """Return the metric of this name.

    Args:
        name: `name`, `name@k` or `name(key=value,…)`; case does not count, nor does the tool it
            comes from: ragas's, DeepEval's, Bedrock's and LangChain's names are known.
        judge: Who judges; the judge of the run if not given.

    Raises:
        UnknownMetricError: No metric has that name; the message names the nearest.
        InputError: The settings cannot be read, or are not settings of this metric.

    Example:
        >>> metric_of("ndcg@10")
        Ndcg(k=10)
        >>> metric_of("LLMContextRecall")
        ContextRecall()
    """
    named = [entry.get("specs", {}) for entry in OTHER_NAMES.values()]
    shorthands = {_plain(short): spec for specs in named for short, spec in specs.items()}
    bare, settings = parse_spec(shorthands.get(_plain(name), name))
    return _made(metric_class(bare), settings, judge)


def metric_at(name: str) -> BaseMetric | str:
    """Return a metric of the user's own at `module:attribute`; any other name as it is.

    The attribute is a metric, or a class of metrics, perhaps with settings behind it in brackets.
    Importing the module runs its code, so take such a name from nobody but the user.

    Raises:
        InputError: The settings cannot be read, or are not settings of this class.
        EngineError: There is no such module or attribute, or it is no metric.
    """
    bare, settings = parse_spec(name)
    if ":" not in bare:
        return name
    own = object_in(*bare.split(":", 1))
    if isinstance(own, BaseMetric) and not settings:
        return own
    if not isinstance(own, type) or not issubclass(own, BaseMetric):
        raise EngineError(f"{bare!r} is {own!r}; expected a metric, or a class of metrics")
    return _made(own, settings)


def _made(
    kind: type[BaseMetric], settings: dict[str, object], judge: JudgeLike | None = None
) -> BaseMetric:
    """Return a metric of a class, with settings that were read from a text."""
    parameters = inspect.signature(kind).parameters
    known = [p for p in parameters if p != "judge"]
    for key in settings:
        if key not in known:
            raise InputError(f"{kind.name!r} has no setting {key!r}; it has {', '.join(known)}")
    for key in known:
        if key not in settings and parameters[key].default is inspect.Parameter.empty:
            raise InputError(f"{kind.name!r} needs {key!r}, as {kind.name}({key}=…)")
    parts, metric = settings.get("parts"), settings.get("metric")
    if isinstance(parts, tuple | list):
        settings["parts"] = tuple(metric_of(str(part)) for part in parts)
    if isinstance(metric, str):
        settings["metric"] = metric_of(metric)
    try:
        return kind(judge, **settings)  # type: ignore[arg-type]  # settings were read from text
    except TypeError as error:
        raise InputError(f"{kind.name!r} cannot be made: {error}") from None


@lru_cache(maxsize=1)
def ready_metrics() -> Mapping[str, BaseMetric]:
    """Return the metrics that need no settings and whose libraries are installed, by name."""
    ready = {}
    for kind in METRICS:
        parameters = inspect.signature(kind).parameters.values()
        if all(parameter.default is not parameter.empty for parameter in parameters):
            with suppress(InputError):  # BLEU without sacrebleu, which is an extra
                ready[kind.name] = kind()
    return ready


def metric_from(given: object) -> BaseMetric:
    """Return a metric, given as itself or by its name.

    Raises:
        InputError: It is neither; the message says what to write instead of a class.
        UnknownMetricError: No metric has that name.
    """
    if isinstance(given, BaseMetric):
        return given
    if isinstance(given, str):
        return metric_of(given)
    if isinstance(given, type):
        raise InputError(f"{given.__name__!r} is a class: write `{given.__name__}()` for a metric")
    raise InputError(f"{given!r} is no metric; `rag-eval more metrics` lists them")


def metric_class(name: str) -> type[BaseMetric]:
    """Return the class of the metric of this name or alias.

    Raises:
        UnknownMetricError: No metric has that name; the message names the nearest.
    """
    names = _by_name()
    kind = names.get(_plain(name))
    if kind is None:
        wanted = _plain(name)
        if wanted in REMOVED:
            raise UnknownMetricError(name, successor=REMOVED[wanted])
        close = difflib.get_close_matches(wanted, names, n=5, cutoff=0.6)
        close += [known for known in names if wanted and known.startswith(wanted)]
        raise UnknownMetricError(name, dict.fromkeys(names[match].name for match in close[:3]))
    return kind


@lru_cache(maxsize=1)
def _by_name() -> Mapping[str, type[BaseMetric]]:
    """Return the classes by every name: a metric's own name first, then aliases, then kin."""
    names = {_plain(kind.name): kind for kind in METRICS}
    aliases = [(alias, kind) for kind in METRICS for alias in (kind.__name__, *kind.aliases)]
    kin = [(alias, kind) for kind in METRICS for alias in kind.kin.values()]
    for alias, kind in (*aliases, *kin):
        names.setdefault(_plain(alias.removesuffix("@k")), kind)
    return names


def _plain(name: str) -> str:
    """Return a name without case, blanks, hyphens and underscores: `HitRate` is `hit_rate`."""
    return "".join(character for character in name.casefold() if character not in " -_")
