"""ragas's names: which of our metrics each is, and what to write for those that are not here."""

from functools import lru_cache
from typing import Any

from llamaindex_rag_eval.compat.names import TABLE, here
from llamaindex_rag_eval.compat.ragas.metric import RagasMetric
from llamaindex_rag_eval.errors import UnknownMetricError
from llamaindex_rag_eval.metrics.registry import METRICS, metric_class, metric_of, ready_metrics


@lru_cache(maxsize=1024)
def metric_named(name: str) -> Any:
    """Return ragas's class of this name, or the ready metric if it is in small letters.

    Raises:
        ImportError: It is one of ragas's that is not here; the message says what to write.
        AttributeError: No metric of ours is its kin.
    """
    if (value := here("ragas", name)) is not None:
        return value
    if name.startswith("_"):
        raise AttributeError(name)
    name = TABLE["ragas"]["same"].get(name, name)
    kind: type[RagasMetric] = type(
        name, (RagasMetric,), {"class_name": name, "__doc__": f"ragas's {name!r}."}
    )
    try:
        if name.islower():
            return kind.of(metric_of(name), name)
        metric_class(name)
    except UnknownMetricError as error:
        raise AttributeError(f"nothing of ragas is called {name!r} here: {error}") from None
    return kind


def metric_names() -> list[str]:
    """Return ragas's names of our metrics."""
    kin = {kind.kin["ragas"] for kind in METRICS if "ragas" in kind.kin}
    return sorted(name for name in kin | {*ready_metrics()} if name.isidentifier())
