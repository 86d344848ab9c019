"""LangSmith: our metrics for its `evaluate()`, datasets and experiment results both ways.

    from langsmith import evaluate
    evaluate(target, data="my-questions", evaluators=evaluators(["faithfulness"]))

Source: https://docs.langchain.com/langsmith, "Upload experiments run outside of LangSmith", the
reference of its API, and "How to define a code evaluator".
"""

import os
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.integrations import records
from llamaindex_rag_eval.integrations.http import JsonApi, key_from, parts_of
from llamaindex_rag_eval.integrations.tool import Published, Tool
from llamaindex_rag_eval.judge import JudgeLike
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.runs.evaluate import metrics_with_judge
from llamaindex_rag_eval.runs.run import Run

CLOUD = "https://api.smith.langchain.com"
API = "/api/v1"
NAMESPACE = uuid.UUID("5b8f2a1e-6c1d-5e0a-9d53-0c2f6f1f7a44")
"""Makes ids of examples: what is sent twice is there once."""

PAGE = 100
SHORTEST = timedelta(milliseconds=1)

Evaluator = Callable[..., dict[str, Any]]


def evaluators(
    metrics: Sequence[BaseMetric | str], judge: JudgeLike | None = None
) -> list[Evaluator]:
    """Return an evaluator for each metric, for `evaluate(evaluators=…)` of LangSmith.

    The target's outputs hold `answer` and, for metrics of retrieval, `contexts`; names of other
    tools are known, too. Where there is no score, the comment says why.

    Args:
        metrics: Metrics, or their names, as `"ndcg@10"`.
        judge: Of metrics that have none of their own; as for `evaluate` of this package.

    Raises:
        InputError: A metric is unknown.
        NeedsModelError: A metric needs an LLM, and the judge answers by rules.
    """
    return [_evaluator(metric) for metric in metrics_with_judge(metrics, judge)]


def _evaluator(metric: BaseMetric) -> Evaluator:
    def evaluator(
        inputs: dict[str, Any], outputs: dict[str, Any], reference_outputs: dict[str, Any]
    ) -> dict[str, Any]:
        feedback = records.judged(metric, inputs, outputs, reference_outputs)
        return {"key": feedback.metric, "score": feedback.score, "comment": feedback.comment}

    evaluator.__name__ = metric.name
    return evaluator


class LangSmith(Tool):
    """LangSmith's API; the key is read from `LANGSMITH_API_KEY`.

    Args:
        url: Where it is; by default `LANGSMITH_ENDPOINT`, or LangSmith's cloud in the US.
        project: The name of experiments; by default that of the run.

    Raises:
        InputError: The key is not set.
    """

    def __init__(self, url: str = "", project: str = "") -> None:
        address = (url or os.environ.get("LANGSMITH_ENDPOINT") or CLOUD).rstrip("/")
        headers = {"x-api-key": key_from("LANGSMITH_API_KEY", "LangSmith")}
        if workspace := os.environ.get("LANGSMITH_WORKSPACE_ID"):
            headers["x-tenant-id"] = workspace
        root = address.removesuffix(API).removesuffix("/api")
        settings = "LANGSMITH_ENDPOINT and LANGSMITH_API_KEY"
        self._api = JsonApi("LangSmith", root + API, settings=settings, headers=headers)
        self._project = project

    def log_run(self, run: Run, *, dataset: str = "", link: str = "") -> Published:
        """Write a run as an experiment: answers, scores with reasons, means with intervals.

        Its dataset holds experiments from outside alone: runs with the same dataset can be compared
        there; it cannot be one that was made in LangSmith.

        Raises:
            OutputError: LangSmith is away or refuses.
        """
        name, started = self._project or run.name or "run", records.started_of(run)
        rows = [_row(sample, results, started, link) for sample, results in records.rows_of(run)]
        last = max((row["end_time"] for row in rows), default=started.isoformat())
        body = {
            "experiment_name": name,
            "experiment_description": " ".join(run.provenance.notes),
            "experiment_start_time": started.isoformat(),
            "experiment_end_time": max(last, (started + SHORTEST).isoformat()),
            "dataset_name": dataset or f"{run.name or 'run'} questions",
            "experiment_metadata": {**run.provenance.versions, "dataset": run.provenance.dataset},
            "summary_experiment_scores": _means(run),
            "results": rows,
        }
        reply = self._api.post("datasets/upload-experiment", body)
        where = reply["dataset"]["name"]
        line = f"{len(rows)} answers in experiment {name!r} of dataset {where!r} in LangSmith."
        return Published(
            self._api.url, (line,), {"experiment": name, "dataset": where, "answers": len(rows)}
        )

    def log_dataset(self, samples: Sequence[Sample], name: str) -> Published:
        """Write questions and references as a dataset; those that are there already stay.

        Raises:
            OutputError: LangSmith is away or refuses.
        """
        datasets = self._api.get("datasets", name=name, limit=1)
        dataset = datasets[0] if datasets else self._api.post("datasets", {"name": name})
        known = {example["id"] for example in self._examples(dataset["id"])} if datasets else set()
        new = [
            example
            for sample in samples
            if (example := _example(sample, dataset["id"]))["id"] not in known
        ]
        for part in parts_of(new, PAGE):
            self._api.post("examples/bulk", part)
        line = f"{len(new)} new questions in dataset {name!r} in LangSmith, {len(known)} before."
        return Published(self._api.url, (line,), {"dataset": name, "questions": len(new)})

    def read_dataset(self, name: str) -> EvaluationDataset:
        """Return the questions and references of a dataset.

        Raises:
            InputError: There is no such dataset, or an example is no question.
            OutputError: LangSmith is away or refuses.
        """
        datasets = self._api.get("datasets", name=name, limit=1)
        if not datasets:
            raise InputError(f"LangSmith has no dataset {name!r}")
        return EvaluationDataset(_sample(row) for row in self._examples(datasets[0]["id"]))

    def _examples(self, dataset_id: str) -> Iterator[dict[str, Any]]:
        offset = 0
        while True:
            page = self._api.get("examples", dataset=dataset_id, offset=offset, limit=PAGE)
            yield from page
            offset += len(page)
            if len(page) < PAGE:
                return


def _row(
    sample: Sample, results: Sequence[records.Feedback], started: datetime, link: str
) -> dict[str, Any]:
    took = max(timedelta(seconds=sample.latency or 0), SHORTEST)
    return {
        "row_id": str(uuid.uuid5(NAMESPACE, sample.id)),
        "inputs": records.inputs_of(sample),
        "expected_outputs": records.expected_of(sample),
        "actual_outputs": records.outputs_of(sample),
        "evaluation_scores": [_score(feedback) for feedback in results],
        "start_time": started.isoformat(),
        "end_time": (started + took).isoformat(),
        "error": sample.error or None,
        "run_metadata": {
            **records.metadata_of(sample),
            **({"evidence": records.evidence_link(link, sample.id)} if link else {}),
        },
    }


def _score(feedback: records.Feedback) -> dict[str, Any]:
    source = {"type": "model" if feedback.by == "LLM" else "api"}
    value = {"value": feedback.label} if feedback.label else {}
    return {
        "key": feedback.metric,
        "score": feedback.score,
        **value,
        "comment": feedback.reason,
        "feedback_source": source,
    }


def _means(run: Run) -> list[dict[str, Any]]:
    return [
        {
            "key": cells[0],
            "score": summary.mean,
            "comment": f"95% interval {cells[2]}; scored / undefined / failed: {cells[3]}",
        }
        for summary in run.summary()
        if (cells := summary.cells())
    ]


def _example(sample: Sample, dataset_id: str) -> dict[str, Any]:
    return {
        "id": str(uuid.uuid5(NAMESPACE, f"{dataset_id}/{sample.id}")),
        "dataset_id": dataset_id,
        "inputs": records.inputs_of(sample),
        "outputs": records.expected_of(sample),
        "metadata": records.metadata_of(sample),
        "split": str(sample.metadata.get("split") or "base"),
    }


def _sample(example: Mapping[str, Any]) -> Sample:
    """Return the sample of an example."""
    metadata = {"id": example["id"], **(example.get("metadata") or {})}
    metadata.pop("dataset_split", None)
    outputs = example.get("outputs")
    return records.sample_from(example.get("inputs"), None, outputs, metadata)
