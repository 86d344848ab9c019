"""Langfuse: scores onto the traces that were evaluated, and datasets both ways.

Source: the public API, https://api.reference.langfuse.com, "Create score" and "Dataset items".
"""

import os
import uuid
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.integrations import records
from llamaindex_rag_eval.integrations.http import JsonApi, key_from
from llamaindex_rag_eval.integrations.tool import Published, Tool
from llamaindex_rag_eval.runs.run import Run

CLOUD = "https://cloud.langfuse.com"
NAMESPACE = uuid.UUID("3a1f4f0e-8f5a-5d0c-9a41-6f0de1b1c0aa")
"""Makes ids of scores and items: what is sent twice is there once."""

PAGE = 100


class Langfuse(Tool):
    """A Langfuse server; keys are read from the environment.

    Args:
        url: Where it is; by default `LANGFUSE_HOST`, or Langfuse's cloud in the EU.
        project: Not used: the keys `LANGFUSE_PUBLIC_KEY` and `LANGFUSE_SECRET_KEY` name it.

    Raises:
        InputError: A key is not set.
    """

    def __init__(self, url: str = "", project: str = "") -> None:
        del project
        host = os.environ.get("LANGFUSE_HOST") or os.environ.get("LANGFUSE_BASE_URL") or CLOUD
        public, secret = (
            key_from(f"LANGFUSE_{kind}_KEY", "Langfuse") for kind in ("PUBLIC", "SECRET")
        )
        settings = "LANGFUSE_HOST, LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY"
        self._api = JsonApi("Langfuse", url or host, settings=settings, auth=(public, secret))

    def log_run(self, run: Run, *, dataset: str = "", link: str = "") -> Published:
        """Write each score onto its trace, with its reason; one that is there is replaced.

        Samples say where they come from in `metadata`: `trace_id`, and `observation_id` if the
        score is of one observation. Results without a score are left out.

        Raises:
            InputError: No sample has a `trace_id`.
            OutputError: Langfuse is away or refuses.
        """
        del dataset
        scores = list(_scores(run, link))
        if not scores:
            raise InputError(
                "Langfuse keeps scores on traces, and no scored sample of this run has a "
                "'trace_id' in its metadata; evaluate answers that were read from traces"
            )
        count = self._api.post_all("api/public/scores", scores)
        traces = len({score["traceId"] for score in scores})
        return Published(
            self._api.url,
            (f"{count} scores on {traces} traces at {self._api.url}.",),
            {"scores": count, "traces": traces},
        )

    def log_dataset(self, samples: Sequence[Sample], name: str) -> Published:
        """Write questions and references as a dataset; items that are there are replaced.

        Raises:
            OutputError: Langfuse is away or refuses.
        """
        self._api.post("api/public/v2/datasets", {"name": name})
        items = (
            {
                "id": str(uuid.uuid5(NAMESPACE, f"{name}/{sample.id}")),
                "datasetName": name,
                "input": records.inputs_of(sample),
                "expectedOutput": records.expected_of(sample),
                "metadata": records.metadata_of(sample),
            }
            for sample in samples
        )
        count = self._api.post_all("api/public/dataset-items", items)
        line = f"{count} questions in dataset {name!r} at {self._api.url}."
        return Published(self._api.url, (line,), {"dataset": name, "questions": count})

    def read_dataset(self, name: str) -> EvaluationDataset:
        """Return the questions and references of a dataset.

        Raises:
            OutputError: Langfuse is away or refuses.
            InputError: An item is no question.
        """
        return EvaluationDataset(
            records.sample_from(
                item.get("input"),
                expected=item.get("expectedOutput"),
                metadata=item.get("metadata"),
                key=item["id"],
            )
            for item in self._items(name)
        )

    def read_spans(self, since: datetime) -> Sequence[Mapping[str, Any]]:
        """Return the traces and observations since a time.

        Raises:
            OutputError: Langfuse is away or refuses.
        """
        start = since.isoformat()
        traces = self._pages("api/public/traces", fromTimestamp=start)
        steps = self._pages("api/public/observations", fromStartTime=start)
        return [*traces, *steps]

    def _items(self, name: str) -> Iterator[dict[str, Any]]:
        items = self._pages("api/public/dataset-items", datasetName=name)
        return (item for item in items if item.get("status") != "ARCHIVED")

    def _pages(self, path: str, **query: str) -> Iterator[dict[str, Any]]:
        page, last = 1, 1
        while page <= last:
            reply = self._api.get(path, page=page, limit=PAGE, **query)
            yield from reply["data"]
            page, last = page + 1, reply["meta"]["totalPages"]


def _scores(run: Run, link: str) -> Iterator[dict[str, Any]]:
    for sample, results in records.rows_of(run):
        trace, part = (sample.metadata.get(name) for name in ("trace_id", "observation_id"))
        if not trace:
            continue
        target = {"traceId": str(trace), **({"observationId": str(part)} if part else {})}
        about = records.origin_of(sample, run, link)
        for feedback in results:
            if feedback.score is not None:
                yield {**target, **_score(feedback, run, f"{trace}/{part}"), "metadata": about}


def _score(feedback: records.Feedback, run: Run, where: str) -> dict[str, Any]:
    return {
        "id": str(uuid.uuid5(NAMESPACE, f"{run.name}/{where}/{feedback.metric}")),
        "name": feedback.metric,
        "value": feedback.score,
        "dataType": "NUMERIC",
        "comment": feedback.comment,
        # A score is replaced if both its id and its time are sent again.
        **({"timestamp": run.provenance.started} if run.provenance.started else {}),
    }
