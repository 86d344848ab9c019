"""Our metrics as scorers of MLflow.

    mlflow.genai.evaluate(data=data, scorers=scorers(["faithfulness", "context_recall"]))

Source: https://mlflow.org/docs/latest/genai, "Custom code-based scorers".
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from llamaindex_rag_eval.integrations import records
from llamaindex_rag_eval.integrations.tool import import_extra
from llamaindex_rag_eval.judge import JudgeLike
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.runs.evaluate import metrics_with_judge

EXTRA = "mlflow"


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
