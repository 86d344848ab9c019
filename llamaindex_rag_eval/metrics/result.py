"""The result of one metric on one sample: scored, undefined or failed, never a mixture."""

from typing import Literal

from llama_index.core.evaluation import EvaluationResult
from pydantic import JsonValue

__all__ = ["Result", "Status"]

Status = Literal["scored", "undefined", "failed"]


class Result(EvaluationResult):
    """LlamaIndex's `EvaluationResult` with what is needed to trust it.

    `score` is a number if `status` is `scored`, and `None` otherwise. `feedback` says in words
    what came out. For `undefined` and `failed`, `invalid_result` is set and `invalid_reason` says
    why, so that LlamaIndex's own tools leave the row out of their means.

    Attributes:
        metric: The metric's label, as `ndcg@10`.
        sample_id: The sample's id.
        status: Whether there is a score, none by definition, or none because something broke.
        error_type: The name of the exception if it failed.
        evidence: The judgements the score was computed from, as plain data.
        seconds: How long it took.
    """

    metric: str = ""
    sample_id: str = ""
    status: Status = "scored"
    error_type: str | None = None
    evidence: JsonValue = None
    seconds: float = 0.0

    @property
    def reason(self) -> str:
        """Why there is no score; empty if there is one."""
        return self.invalid_reason or ""
