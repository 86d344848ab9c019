"""`ragas.metrics.critique` of ragas 0.0 and 0.1: ready metrics that say yes or no.

Source: https://docs.ragas.io/en/v0.1.21/concepts/metrics/critique.html; the definition is ours.
"""

from typing import Any

from llamaindex_rag_eval.compat.ragas.names import metric_named

correctness = metric_named("AspectCritique")(
    name="correctness", definition="Is everything that the response states right?"
)


def __getattr__(name: str) -> Any:
    """Return what ragas has under this name; see `metric_named`."""
    return metric_named(name)
