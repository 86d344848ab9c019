"""Known results: what was scored for one pipeline serves another with the same answer."""

import json
from collections.abc import Iterable

from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.metrics.result import Row
from llamaindex_rag_eval.runs.run import Run

INCIDENTAL = frozenset({"latency", "context_scores"})
"""Fields that differ between pipelines with the same answer; most metrics do not read them."""


class KnownResults:
    """Results by sample and metric, for samples with the same question, answer and contexts."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str], Row] = {}

    def add(self, run: Run) -> None:
        """Keep the results of a run, but for those that failed."""
        samples = {sample.id: sample for sample in run.samples}
        needs = {info.spec: info.needs for info in run.metrics}
        for row in run.rows:
            if row.status != "failed":
                key = content_of(samples[row.sample_id], needs.get(row.metric, ()))
                self._rows.setdefault((row.metric, key), row)

    def find(self, sample: Sample, metric: str, needs: Iterable[str]) -> Row | None:
        """Return the result of a metric on an equal sample, or `None`.

        Args:
            sample: The sample; its id counts, since a result carries it.
            metric: The metric's spec.
            needs: The fields that the metric reads.
        """
        return self._rows.get((metric, content_of(sample, needs)))


def content_of(sample: Sample, needs: Iterable[str] = ()) -> str:
    """Return what a metric's result depends on: the sample without its latency and alike.

    Args:
        sample: The sample, with its answer.
        needs: The fields that the metric reads.
    """
    content = sample.model_dump(
        mode="json", exclude_unset=True, exclude=set(INCIDENTAL - set(needs))
    )
    return json.dumps(content, sort_keys=True, ensure_ascii=False)
