"""`ragas.metrics`: classes of metrics, and in small letters ready ones, as `faithfulness`."""

from typing import Any

from llamaindex_rag_eval.compat.ragas.names import metric_named, metric_names


def __getattr__(name: str) -> Any:
    """Return what ragas has under this name; see `metric_named`."""
    return metric_named(name)


def __dir__() -> list[str]:
    """Return the names that can be imported."""
    return metric_names()
