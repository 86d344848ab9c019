"""MLflow: runs with their report and a trace a question, datasets both ways, metrics as scorers.

    mlflow.genai.evaluate(data=data, scorers=scorers(["faithfulness", "context_recall"]))

Source: https://mlflow.org/docs/latest/genai, "Evaluation datasets" and "Custom code-based
scorers", and the reference of its API.
"""

import json
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.integrations import records
from llamaindex_rag_eval.integrations.http import at_once, parts_of, require_server
from llamaindex_rag_eval.integrations.tool import Published, Tool, import_extra, reaching
from llamaindex_rag_eval.judge import JudgeLike
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.report.html import write_html
from llamaindex_rag_eval.runs.evaluate import metrics_with_judge
from llamaindex_rag_eval.runs.run import Run

EXTRA = "mlflow"
TRACKING_URI = "MLFLOW_TRACKING_URI"
EXPERIMENT = "rag-eval"
SAMPLE_TAG = "rag_eval.sample"
"""The tag of a trace or record that says which sample it is of, as JSON or as an id."""

RUN_FILE = "rag-eval/run.jsonl"
REPORT_FILE = "rag-eval/report.html"
TRACES_AT_ONCE = 100
"""The most that MLflow links to a run in one call."""

EXPECTED = "expected_response"
"""What MLflow's own scorers call the reference."""


class MLflow(Tool):
    """A tracking server of MLflow, or of Databricks.

    Args:
        url: Its tracking URI; by default what `mlflow.set_tracking_uri` or
            `MLFLOW_TRACKING_URI` said.
        project: The experiment that runs go to; by default `rag-eval`.

    Raises:
        InputError: MLflow is not installed, or nothing says where its server is.
        OutputError: No server answers there.
    """

    def __init__(self, url: str = "", project: str = "") -> None:
        self._mlflow: Any = import_extra("mlflow", EXTRA)
        if not (url or os.environ.get(TRACKING_URI) or self._mlflow.is_tracking_uri_set()):
            raise InputError(
                f"where is MLflow? set {TRACKING_URI} or give --url, as http://127.0.0.1:5000"
            )
        if url:
            self._mlflow.set_tracking_uri(url)
        self._url = str(self._mlflow.get_tracking_uri())
        require_server("MLflow", self._url, TRACKING_URI)  # its client would try for minutes
        self._project = project or os.environ.get("MLFLOW_EXPERIMENT_NAME") or EXPERIMENT

    def log_run(self, run: Run, *, dataset: str = "", link: str = "") -> Published:
        """Log a run: parameters, means with intervals, rows, the report, and a trace a question.

        A question's trace has its scores with their reasons. Samples that were read from traces
        of MLflow (`trace_id` in their `metadata`) get scores onto these, too.

        Raises:
            OutputError: MLflow refuses.
        """
        del dataset
        with self._reaching():
            experiment = self._mlflow.set_experiment(self._project)
            nested = self._mlflow.active_run() is not None
            with self._mlflow.start_run(run_name=run.name or None, nested=nested) as started:
                where = f"experiments/{experiment.experiment_id}/runs/{started.info.run_id}"
                address = f"{self._url.rstrip('/')}/#/{where}"
                self._log_values(run)
                self._log_files(run)
                self._log_rows(run, started.info.run_id, link or address)
                traced = self._score_traces(run, link or address)
        lines = [f"{len(run)} questions in run {started.info.run_id} of MLflow: {address}"]
        lines += [f"{traced} scores on the traces that answers came from."] if traced else []
        data = {"run_id": started.info.run_id, "questions": len(run), "trace_scores": traced}
        return Published(address, tuple(lines), data)

    def log_dataset(self, samples: Sequence[Sample], name: str) -> Published:
        """Write questions and references as an evaluation dataset; the same inputs merge.

        Raises:
            OutputError: MLflow refuses.
        """
        rows = [
            {
                "inputs": records.inputs_of(sample),
                "expectations": records.expected_of(sample, EXPECTED),
                "tags": {SAMPLE_TAG: json.dumps(records.metadata_of(sample), ensure_ascii=False)},
            }
            for sample in samples
        ]
        with self._reaching():
            experiment = self._mlflow.set_experiment(self._project)
            into = self._dataset(name, experiment.experiment_id)
            into.merge_records(rows)
        line = f"{len(rows)} questions in dataset {name!r} of MLflow at {self._url}."
        return Published(self._url, (line,), {"dataset": name, "questions": len(rows)})

    def read_dataset(self, name: str) -> EvaluationDataset:
        """Return the questions and references of an evaluation dataset.

        Raises:
            InputError: A record is no question.
            OutputError: There is no such dataset, or MLflow refuses.
        """
        with self._reaching():
            rows = self._datasets().get_dataset(name=name).to_df().to_dict("records")
        return EvaluationDataset(
            records.sample_from(row["inputs"], None, row.get("expectations"), _own(row.get("tags")))
            for row in rows
        )

    def _log_values(self, run: Run) -> None:
        """Log what made the run as parameters, and each metric's numbers."""
        made = run.provenance
        about = {f"answered by/{kind}": who for kind, who in made.answered_by.items()}
        about |= {f"version/{package}": version for package, version in made.versions.items()}
        about |= {"dataset": made.dataset, "samples": str(len(run))}
        self._mlflow.log_params({metric_name(key): value for key, value in about.items() if value})
        self._mlflow.set_tag("mlflow.note.content", " ".join(made.notes))
        numbers = {
            f"{metric_name(summary.metric.spec)}/{name}": float(value)
            for summary in run.summary()
            for name in ("mean", "low", "high", "scored", "undefined", "failed", "missing")
            if (value := getattr(summary, name)) is not None
        }
        self._mlflow.log_metrics(numbers)

    def _log_files(self, run: Run) -> None:
        """Log the report, the run and the table of its rows as artifacts."""
        self._mlflow.log_table(run.to_pandas(), "rag-eval/rows.json")
        with TemporaryDirectory() as folder:
            report = write_html(run, Path(folder) / Path(REPORT_FILE).name)
            sent = replace(run, samples=[records.portable(sample) for sample in run.samples])
            whole = sent.to_jsonl(Path(folder) / Path(RUN_FILE).name)
            for path in (report, whole):
                self._mlflow.log_artifact(str(path), str(Path(RUN_FILE).parent))

    def _log_rows(self, run: Run, run_id: str, link: str) -> None:
        """Log a trace for each question, with its scores, as MLflow's own evaluation does."""
        started = records.started_of(run)
        log = partial(self._log_trace, int(started.timestamp() * 1e9))
        traces = at_once(log, run.samples)
        self._mlflow.flush_trace_async_logging()
        at_once(partial(self._log_scores, link), traces, records.rows_of(run))
        client = self._mlflow.MlflowClient()
        for part in parts_of(traces, TRACES_AT_ONCE):
            client.link_traces_to_run(part, run_id=run_id)
        self._mlflow.set_tag("mlflow.runType", "genai_evaluate")  # where its page looks for traces

    def _log_trace(self, started: int, sample: Sample) -> str:
        """Log a question and its answer as a trace, and return its id; times are nanoseconds."""
        span = self._mlflow.start_span_no_context(
            name="question",
            inputs=records.inputs_of(sample),
            tags={SAMPLE_TAG: sample.id},
            start_time_ns=started,
        )
        took = int(1e9 * (sample.latency or 0))
        span.end(outputs=records.outputs_of(sample), end_time_ns=started + took)
        return str(span.trace_id)

    def _log_scores(
        self, link: str, trace_id: str, row: tuple[Sample, tuple[records.Feedback, ...]]
    ) -> int:
        """Write scores onto a trace, and what was expected; return how many scores."""
        sample, results = row
        for name, value in records.expected_of(sample, EXPECTED).items():
            self._mlflow.log_expectation(trace_id=trace_id, name=name, value=value)
        for feedback in results:
            made = mlflow_feedback(feedback, {"evidence": records.evidence_link(link, sample.id)})
            self._mlflow.log_assessment(trace_id=trace_id, assessment=made)
        return len(results)

    def _score_traces(self, run: Run, link: str) -> int:
        """Write scores onto the traces of MLflow that answers were read from."""
        return sum(
            self._log_scores(link, trace, row)
            for row in records.rows_of(run)
            if (trace := str(row[0].metadata.get("trace_id") or "")).startswith("tr-")
        )

    def _datasets(self) -> Any:
        return import_extra("mlflow.genai.datasets", EXTRA)

    def _dataset(self, name: str, experiment_id: str) -> Any:
        """Return the dataset of a name; made if there is none."""
        errors: Any = import_extra("mlflow.exceptions", EXTRA)
        try:
            return self._datasets().get_dataset(name=name)
        except errors.MlflowException as error:
            if error.error_code != "RESOURCE_DOES_NOT_EXIST":
                raise
        return self._datasets().create_dataset(name=name, experiment_id=experiment_id)

    def _reaching(self) -> AbstractContextManager[None]:
        errors: Any = import_extra("mlflow.exceptions", EXTRA)
        return reaching("MLflow", self._url, TRACKING_URI, errors.MlflowException)


def _own(tags: Mapping[str, str] | None) -> object:
    """Return our metadata among the tags of a record, if it has any."""
    try:
        return json.loads((tags or {}).get(SAMPLE_TAG, ""))
    except ValueError:  # or a tag that somebody else wrote
        return None


def metric_name(spec: str) -> str:
    """Return a metric's spec in the characters that MLflow allows.

    Example:
        >>> metric_name("ndcg@10"), metric_name("factual_correctness(mode=recall)")
        ('ndcg_at_10', 'factual_correctness mode recall')
    """
    return re.sub(r"[^\w\-.:/]+", " ", spec.replace("@", "_at_"), flags=re.ASCII).strip()


def scorers(metrics: Sequence[BaseMetric | str], judge: JudgeLike | None = None) -> list[Any]:
    """Return a scorer for each metric, for `mlflow.genai.evaluate(scorers=…)`.

    Outputs hold `answer` and `contexts`, or are a text; contexts that are not there are those of
    the trace's retrievers. The right answer is `expected_response` among the expectations.

    Args:
        metrics: Metrics, or their names, as `"ndcg@10"`.
        judge: Of metrics that have none of their own; as for `evaluate` of this package.

    Returns:
        Instances of `mlflow.genai.scorers.Scorer`.

    Raises:
        InputError: A metric is unknown, or MLflow is not installed.
        NeedsModelError: A metric needs an LLM, and the judge answers by rules.
    """
    return [_scorer(metric) for metric in metrics_with_judge(metrics, judge)]


def _scorer(metric: BaseMetric) -> Any:
    def score(
        inputs: Any = None, outputs: Any = None, expectations: Any = None, trace: Any = None
    ) -> Any:
        feedback = records.judged(metric, inputs, with_contexts(outputs, trace), expectations)
        return mlflow_feedback(feedback, {})

    about = (type(metric).__doc__ or metric.name).partition("\n")[0]
    make: Any = import_extra("mlflow.genai", EXTRA).scorer
    return make(score, name=metric_name(metric.spec), description=about)


def with_contexts(outputs: Any, trace: Any) -> Any:
    """Return the outputs with the documents that the trace's retrievers found, if they lack any."""
    if trace is None or (isinstance(outputs, Mapping) and len(outputs) > 1):
        return outputs
    spans = trace.search_spans(span_type="RETRIEVER")
    nodes = [node for span in spans if isinstance(span.outputs, list) for node in span.outputs]
    if not nodes:
        return outputs
    answer = outputs if isinstance(outputs, Mapping) else {"answer": outputs}
    return {**answer, "contexts": nodes}


def mlflow_feedback(feedback: records.Feedback, metadata: Mapping[str, str]) -> Any:
    """Return a result as MLflow's feedback; one without a score is an error with its reason."""
    entities: Any = import_extra("mlflow.entities", EXTRA)
    kind = "LLM_JUDGE" if feedback.by == "LLM" else "CODE"
    error = None
    if feedback.score is None:
        code = feedback.error or feedback.label.upper()
        error = entities.AssessmentError(error_code=code, error_message=feedback.reason)
    return entities.Feedback(
        name=metric_name(feedback.metric),
        value=feedback.score,
        error=error,
        rationale=feedback.reason,
        source=entities.AssessmentSource(source_type=kind, source_id="llamaindex-rag-eval"),
        metadata={**metadata, **({"label": feedback.label} if feedback.label else {})},
    )
