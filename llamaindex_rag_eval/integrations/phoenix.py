"""Phoenix: datasets and experiments, our metrics as evaluators, annotations onto spans.

    client.experiments.run_experiment(dataset=dataset, task=task, evaluators=evaluators(["mrr"]))

Source: https://arize.com/docs/phoenix, "Run experiments" and "Annotate via the client".
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Any

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.integrations import records
from llamaindex_rag_eval.integrations.http import at_once, parts_of, require_server
from llamaindex_rag_eval.integrations.tool import Published, Tool, import_extra, reaching
from llamaindex_rag_eval.judge import JudgeLike
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.runs.evaluate import metrics_with_judge
from llamaindex_rag_eval.runs.run import Run

EXTRA = "phoenix"
SETTINGS = "PHOENIX_ENDPOINT and PHOENIX_API_KEY"
IDENTIFIER = "rag-eval"
"""Tells our annotations from others of the same name; those that are sent again are replaced."""

TIMEOUT = 60
SPANS_AT_ONCE = 500
MOST_SPANS = 100_000
"""Spans that are read at most; the newest."""

Evaluator = Callable[..., dict[str, Any]]


def evaluators(
    metrics: Sequence[BaseMetric | str], judge: JudgeLike | None = None
) -> dict[str, Evaluator]:
    """Return an evaluator for each metric, for Phoenix's `run_experiment(evaluators=…)`.

    The task's output holds `answer` and, for metrics of retrieval, `contexts`, or is a text; the
    example's output holds the right `answer`. Where there is no score, the explanation says why.

    Args:
        metrics: Metrics, or their names, as `"ndcg@10"`.
        judge: Of metrics that have none of their own; as for `evaluate` of this package.

    Raises:
        InputError: A metric is unknown.
        NeedsModelError: A metric needs an LLM, and the judge answers by rules.
    """
    return {metric.spec: _evaluator(metric) for metric in metrics_with_judge(metrics, judge)}


def _evaluator(metric: BaseMetric) -> Evaluator:
    def evaluator(input: Any, output: Any, expected: Any, metadata: Any) -> dict[str, Any]:  # noqa: A002 - Phoenix binds by name
        return _result(records.judged(metric, input, output, expected, metadata))

    return evaluator


def _result(feedback: records.Feedback, link: str = "") -> dict[str, Any]:
    """Return a result as Phoenix's annotations have it: score, label and explanation."""
    score = {} if feedback.score is None else {"score": feedback.score}
    label = {"label": feedback.label} if feedback.label else {}
    return {
        **score,
        **label,
        "explanation": f"{feedback.reason} Evidence: {link}" if link else feedback.reason,
    }


class Phoenix(Tool):
    """A Phoenix server; its client reads address and key from the environment.

    Args:
        url: Where it is; by default `PHOENIX_ENDPOINT`, or http://localhost:6006.
        project: The name of experiments; by default that of the run.

    Raises:
        InputError: Phoenix's client is not installed.
        OutputError: No server answers there.
    """

    def __init__(self, url: str = "", project: str = "") -> None:
        client: Any = import_extra("phoenix.client", EXTRA)
        self._client = client.Client(base_url=url or None)
        self._url = str(self._client._client.base_url).rstrip("/")
        require_server("Phoenix", self._url, SETTINGS)
        self._project = project

    def log_run(self, run: Run, *, dataset: str = "", link: str = "") -> Published:
        """Write a run as an experiment over its questions, and annotate the spans it was read from.

        Samples that were read from spans of Phoenix (`span_id` in their `metadata`) have their
        scores annotated there, with reason and evidence; annotations that are there are replaced.

        Raises:
            OutputError: Phoenix is away or refuses, or does not know a span.
        """
        name = dataset or f"{run.name or 'run'} questions"
        with self._reaching():
            known = self._upload(list(run.samples), name)
            experiment = self._client.experiments.create(
                dataset_id=known.id,
                dataset_version_id=known.version_id,
                experiment_name=self._project or run.name or None,
                experiment_description=" ".join(run.provenance.notes) or None,
                experiment_metadata=_means(run),
                timeout=TIMEOUT,
            )
            examples = {example["metadata"]["id"]: example["node_id"] for example in known.examples}
            self._log_answers(run, experiment["id"], examples, link)
            annotated = self._annotate(run, link)
            address = self._client.experiments.get_experiment_url(
                dataset_id=known.id, experiment_id=experiment["id"]
            )
        lines = [f"{len(run)} answers in an experiment on dataset {name!r} of Phoenix: {address}"]
        lines += [f"{annotated} annotations on the spans answers came from."] if annotated else []
        data = {"experiment_id": experiment["id"], "dataset": name, "answers": len(run)}
        return Published(address, tuple(lines), {**data, "annotations": annotated})

    def log_dataset(self, samples: Sequence[Sample], name: str) -> Published:
        """Write questions and references as a dataset, or as a new version of it.

        Raises:
            OutputError: Phoenix is away or refuses.
        """
        with self._reaching():
            made = self._upload(samples, name)
            address = self._client.experiments.get_dataset_experiments_url(made.id)
        line = f"{len(made)} questions in dataset {name!r} of Phoenix: {address}"
        return Published(address, (line,), {"dataset": name, "questions": len(made)})

    def read_dataset(self, name: str) -> EvaluationDataset:
        """Return the questions and references of a dataset, in its newest version.

        Raises:
            InputError: There is no such dataset, or an example is no question.
            OutputError: Phoenix is away or refuses.
        """
        with self._reaching():
            examples = self._examples(name)
        return EvaluationDataset(_sample(example) for example in examples)

    def read_spans(self, since: datetime) -> Sequence[Mapping[str, Any]]:
        """Return the spans of the project since a time; without a project, those of `default`.

        Raises:
            OutputError: Phoenix is away or refuses, or does not know the project.
        """
        with self._reaching():
            project = self._project or "default"
            spans: Sequence[Mapping[str, Any]] = self._client.spans.get_spans(
                project_identifier=project, start_time=since, limit=MOST_SPANS, timeout=TIMEOUT
            )
        return spans

    def _examples(self, name: str) -> list[Any]:
        try:
            dataset = self._client.datasets.get_dataset(dataset=name, timeout=TIMEOUT)
        except ValueError as error:
            raise InputError(f"Phoenix: {error}") from None
        return list(dataset.examples)

    def _upload(self, samples: Sequence[Sample], name: str) -> Any:
        examples = [
            {
                "id": sample.id,
                "input": records.inputs_of(sample),
                "output": records.expected_of(sample),
                "metadata": records.metadata_of(sample),
                "splits": str(sample.metadata.get("split") or "") or None,
            }
            for sample in samples
        ]
        return self._client.datasets.create_dataset(name=name, examples=examples, timeout=TIMEOUT)

    def _log_answers(
        self, run: Run, experiment_id: str, examples: Mapping[str, str], link: str
    ) -> None:
        started = records.started_of(run)

        def log(row: tuple[Sample, tuple[records.Feedback, ...]]) -> None:
            sample, results = row
            logged = self._client.experiments.log_run(
                experiment_id=experiment_id,
                dataset_example_id=examples[sample.id],
                output=records.outputs_of(sample),
                start_time=started,
                end_time=started + timedelta(seconds=sample.latency or 0),
                trace_id=sample.metadata.get("trace_id"),
                error=sample.error or None,
                timeout=TIMEOUT,
            )
            where = records.evidence_link(link, sample.id)
            for feedback in results:
                self._client.experiments.log_evaluation(
                    experiment_run_id=logged["id"],
                    name=feedback.metric,
                    annotator_kind=feedback.by,
                    **_result(feedback, where),
                    timeout=TIMEOUT,
                )

        at_once(log, records.rows_of(run))

    def _annotate(self, run: Run, link: str) -> int:
        """Annotate the spans that answers were read from."""
        annotations = list(_annotations(run, link))
        for part in parts_of(annotations, SPANS_AT_ONCE):
            self._client.spans.log_span_annotations(span_annotations=part, sync=True)
        return len(annotations)

    def _reaching(self) -> AbstractContextManager[None]:
        import httpx

        return reaching("Phoenix", self._url, SETTINGS, httpx.HTTPError)


def _annotations(run: Run, link: str) -> Iterator[dict[str, Any]]:
    for sample, results in records.rows_of(run):
        about = records.origin_of(sample, run, link)
        for feedback in results if sample.metadata.get("span_id") else ():
            yield {
                "span_id": str(sample.metadata["span_id"]),
                "name": feedback.metric,
                "annotator_kind": feedback.by,
                "identifier": IDENTIFIER,
                "result": _result(feedback, about["evidence"]),
                "metadata": about,
            }


def _means(run: Run) -> dict[str, Any]:
    cells = (summary.cells() for summary in run.summary())
    means = {spec: f"{mean} ({ends})" for spec, mean, ends, _ in cells}
    return {**means, **run.provenance.versions, "dataset": run.provenance.dataset}


def _sample(example: Mapping[str, Any]) -> Sample:
    record = example["input"], None, example["output"], example["metadata"]
    return records.sample_from(*record, key=example["id"])
