"""Public names with their signatures, the tree of errors, and metrics with their pages."""

import ast
import importlib
import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import llamaindex_rag_eval
import testset
from llamaindex_rag_eval import errors
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.metrics.pages import MetricPage, metric_pages
from llamaindex_rag_eval.metrics.registry import METRICS, metric_of
from llamaindex_rag_eval.models import EmbeddedOracle
from tests.contract.samples import METRIC_SPECS
from tests.golden.text import as_json, digest, lines_of, masked, signature_text

OURS = ("llamaindex_rag_eval", "testset")


def texts() -> Mapping[str, str]:
    """Return the public names of both packages, errors and metrics."""
    return {
        "llamaindex_rag_eval.json": as_json(_public(llamaindex_rag_eval)),
        "testset.json": as_json(_public(testset)),
        "errors.json": lines_of(_errors()),
        "metrics.json": as_json({page.name: _page(page) for page in metric_pages()}),
        "specs.json": lines_of({spec: _spec(spec) for spec in METRIC_SPECS}),
    }


def public_names(package: ModuleType) -> list[str]:
    """Return the names that the stub beside a package gives to its users."""
    stub = Path(str(package.__file__)).with_suffix(".pyi")
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    names = [
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    return sorted(set(names))


def _public(package: ModuleType) -> Mapping[str, Any]:
    values = {name: getattr(package, name) for name in public_names(package)}
    kinds = [value for value in values.values() if inspect.isclass(value)]
    return {name: _described(value, kinds) for name, value in values.items()}


def _described(value: Any, kinds: Sequence[type] = ()) -> Any:
    """Return a class by its signature and public members, a function by its signature.

    What a class has as one of the public classes that it inherits from is not repeated.
    """
    if inspect.isclass(value):
        members = _members(value)
        for base in kinds:
            if base is not value and base in value.__mro__:
                of_base = _members(base)
                members = {k: v for k, v in members.items() if of_base.get(k) != v}
        return {"class": signature_text(value), **members}
    if callable(value):
        return f"{'async ' * inspect.iscoroutinefunction(value)}{signature_text(value)}"
    if isinstance(value, tuple | list):
        return [getattr(entry, "name", None) or masked(str(entry)) for entry in value]
    return type(value).__name__


def _members(kind: type) -> Mapping[str, Any]:
    """Return the public attributes that classes of these packages define, by name."""
    found: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        if base.__module__.partition(".")[0] not in OURS:
            continue
        found |= {name: _member(value) for name, value in vars(base).items() if _is_public(name)}
        annotated = vars(base).get("__annotations__", {})
        found |= {name: "field" for name in annotated if _is_public(name) and name not in found}
    return found


def _is_public(name: str) -> bool:
    return not name.startswith("_") and not name.startswith("model_")


def _member(value: Any) -> str:
    if isinstance(value, staticmethod | classmethod):
        return f"{type(value).__name__} {signature_text(value.__func__)}"
    if isinstance(value, property) or type(value).__name__ in (
        "cached_property",
        "member_descriptor",
    ):
        return "field"
    if inspect.isfunction(value):
        return f"{'async ' * inspect.iscoroutinefunction(value)}{signature_text(value)}"
    return "field"


def _errors() -> Mapping[str, Any]:
    """Return each error with its bases and how it is made."""
    module = importlib.import_module(errors.__name__)
    kinds = [
        value
        for value in vars(module).values()
        if inspect.isclass(value) and issubclass(value, errors.RagEvalError)
    ]
    return {
        kind.__name__: [[base.__name__ for base in kind.__mro__[1:-2]], signature_text(kind)]
        for kind in kinds
    }


def _page(page: MetricPage) -> Mapping[str, Any]:
    """Return the page of a metric: facts in full, paragraphs by their digests."""
    whole = page.as_json()
    paragraphs = ("question", "formula", "limitations", "source")
    return {
        **{key: value for key, value in whole.items() if key not in paragraphs},
        "rules": page.rules,
        "facts": digest(page.facts),
        "paragraphs": {key: digest(str(whole[key])) for key in paragraphs}
        | {"about": digest(page.about)},
    }


def _spec(spec: str) -> Mapping[str, Any]:
    """Return a metric's own spec, its `repr`, and what all metrics have."""
    metric = metric_of(spec, Judge(EmbeddedOracle()))
    by_name = next(kind for kind in METRICS if kind.name == metric.name)
    return {
        "spec": metric.spec,
        "repr": masked(repr(metric)),
        "class": by_name.__name__,
        "requests": sorted(request.__name__ for request in metric.requests),
        "label": str(getattr(metric, "label", "")),
    }
