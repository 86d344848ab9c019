"""The outcome of a metric as a result: scored, undefined with its reason, or failed with its."""

import math
from typing import Any

from llamaindex_rag_eval.data.rows import as_json
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import InputError, ReplyError
from llamaindex_rag_eval.metrics.result import Result
from llamaindex_rag_eval.metrics.results import shown
from llamaindex_rag_eval.metrics.score import Score

__all__ = ["failed", "measured"]


def failed(spec: str, sample: Sample, error: Exception) -> Result:
    """Return the result for a sample on which something broke; a model's raw reply is kept."""
    reason = f"{type(error).__name__}: {error}"
    raw = error.raw if isinstance(error, ReplyError) else ""
    return Result(
        metric=spec,
        sample_id=sample.id,
        status="failed",
        error_type=type(error).__name__,
        feedback=f"{spec} failed: {reason}",
        invalid_result=True,
        invalid_reason=reason,
        evidence={"reply": raw} if raw else None,
        **shown(sample),
    )


def measured(
    spec: str,
    sample: Sample,
    score: Score,
    *,
    undefined: str,
    passing: bool | None,
    seconds: float,
) -> Result:
    """Return the result for what a formula came to.

    Args:
        spec: The metric's.
        sample: The one that was measured.
        score: A number, or `None` for undefined. NaN is neither: the result is failed.
        undefined: Why there may be no value, if the score itself does not say.
        passing: Whether the number reaches the metric's threshold.
        seconds: How long it took.
    """
    status: dict[str, Any]
    if score.value is None:
        reason = score.note or undefined or "The metric is not defined here."
        status = {
            "status": "undefined",
            "feedback": reason,
            "invalid_result": True,
            "invalid_reason": reason,
        }
    elif math.isnan(score.value):
        error = InputError("the metric returned NaN; expected a number, or None for undefined")
        return failed(spec, sample, error)
    else:
        value = float(score.value)
        said = f"{spec} is {value:.3g}. {score.note}".rstrip()
        status = {"score": value, "passing": passing, "feedback": said}
    return Result(
        metric=spec,
        sample_id=sample.id,
        evidence=as_json(score.evidence),
        seconds=seconds,
        **status,
        **shown(sample),
    )
