"""What a metric returns: a `Score` from its formula, which becomes a `Result` for one sample.

A result is scored, undefined or failed, never a mixture. A run keeps many of them packed, as `Row`.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from llama_index.core.evaluation import EvaluationResult
from pydantic import BaseModel, JsonValue, model_validator
from pydantic_core import from_json

from llamaindex_rag_eval.data.keys import without_keys
from llamaindex_rag_eval.data.lines import ReadsLines
from llamaindex_rag_eval.data.plain_text import json_safe
from llamaindex_rag_eval.data.rows import as_json
from llamaindex_rag_eval.data.sample import Sample, SingleTurnSample
from llamaindex_rag_eval.errors import InputError, PendingError, ReplyError, message_of
from llamaindex_rag_eval.judge.answerers import Answerers, comparison_note
from llamaindex_rag_eval.metrics.reasons import reason_of

if TYPE_CHECKING:
    PlainJson = JsonValue
else:
    PlainJson = Any
    """`as_json` has made it plain: to look at each value again takes as long as all the rest."""

Evidence = BaseModel | Sequence[BaseModel] | Mapping[str, object] | None
"""What a person looks at to see why: judgements as they came, or named groups of them."""

Status = Literal["scored", "undefined", "failed", "pending"]

STOPS = (".", "!", "?", "。", "！", "？", "…")
"""What a sentence of the feedback ends with."""

SAMPLE_FIELDS = {"query", "response", "contexts"}
"""Fields that a result repeats from its sample: left out of its JSON line."""


@dataclass(frozen=True, slots=True)
class Score:
    """A measured value, or `None` for undefined; never NaN.

    Attributes:
        value: The number, within the metric's bounds; `None` if the metric is undefined here.
        evidence: The judgements it was computed from.
        note: In words, what the number does not say by itself. If the value is `None`, the
            reason, where it is another one than the metric's usual `undefined` sentence.
        verdict: One of the metric's `verdicts`, where it has such.
    """

    value: float | None
    evidence: Evidence = None
    note: str = ""
    verdict: str = ""


class Result(EvaluationResult):
    """LlamaIndex's `EvaluationResult` with what is needed to trust it.

    `score` is a number if `status` is `scored`, and `None` otherwise. `feedback` gives the outcome
    in words, `reason` why it is that. For `undefined` and `failed`, `invalid_result` is set and
    `invalid_reason` says why, so that LlamaIndex's own tools leave the row out of their means.

    Attributes:
        metric: The metric's spec, as `ndcg@10`.
        sample_id: The sample's id.
        status: Whether there is a score, none by definition, none because something broke, or
            none yet because a reply is asked for in a batch file.
        error_type: The name of the exception if it failed.
        verdict: One of the metric's `verdicts`, where it has such.
        evidence: The judgements the score was computed from, as plain data.
        judged_by: Kind of judgement -> the fingerprint of what answered -> how many judgements.
        seconds: How long it took.
    """

    metric: str = ""
    sample_id: str = ""
    status: Status = "scored"
    error_type: str | None = None
    verdict: str = ""
    evidence: PlainJson = None
    judged_by: Answerers = {}
    seconds: float = 0.0

    @model_validator(mode="after")
    def _no_keys(self) -> "Result":
        """Mask the keys that the message of an error may hold, or the reply that it is about."""
        if self.status == "failed":
            for name in ("feedback", "invalid_reason", "evidence"):
                setattr(self, name, without_keys(getattr(self, name)))
        return self

    @property
    def reason(self) -> str:
        """Why the score is what it is, or why there is none."""
        if self.score is None:
            return self.invalid_reason or ""
        outcome = _outcome(self.metric, self.score)
        said = (self.feedback or "").removeprefix(outcome).strip()
        return said or reason_of(self.evidence) or outcome

    @classmethod
    def from_score(
        cls,
        spec: str,
        sample: Sample,
        score: Score,
        *,
        undefined: str = "",
        passing: bool | None = None,
        seconds: float = 0.0,
        judged_by: Answerers | None = None,
    ) -> "Result":
        """Return the result for a score: scored, or undefined with its reason.

        Args:
            spec: The spec of the metric.
            sample: The sample that was measured.
            score: A number, or `None` for undefined. NaN is neither: the result is failed.
            undefined: Why there may be no value, if the score itself does not say.
            passing: Whether the number reaches the metric's threshold; `None` without one.
            seconds: How long it took.
            judged_by: Who answered; by whom texts were compared is said in `feedback` too.
        """
        if score.value is not None and math.isnan(score.value):
            error = InputError("the metric returned NaN; expected a number, or None for undefined")
            return cls.from_error(spec, sample, error)
        evidence, judged_by = as_json(score.evidence), _in_order(judged_by)
        if score.value is None:
            reason = score.note or undefined or "The metric is not defined here."
            outcome = {"status": "undefined", "feedback": reason, **_invalid(reason)}
        else:
            value = float(score.value)
            words = (score.note, reason_of(evidence), comparison_note(judged_by))
            said = (text if text.endswith(STOPS) else f"{text}." for text in words if text)
            feedback = " ".join((_outcome(spec, value), *said))
            outcome = {"score": value, "passing": passing, "feedback": feedback}
            outcome["verdict"] = score.verdict
        fields = {"evidence": evidence, "judged_by": judged_by, "seconds": seconds, **outcome}
        return cls(metric=spec, sample_id=sample.id, **fields, **sample_fields(sample))

    @classmethod
    def from_error(
        cls,
        spec: str,
        sample: Sample,
        error: Exception,
        *,
        judged_by: Answerers | None = None,
    ) -> "Result":
        """Return the failed result for an exception; a model's raw reply is kept as evidence."""
        pending = isinstance(error, PendingError)
        reason = str(error) if pending else message_of(error)
        raw = error.raw if isinstance(error, ReplyError) else ""
        return cls(
            metric=spec,
            sample_id=sample.id,
            status="pending" if pending else "failed",
            error_type=type(error).__name__,
            feedback=f"{spec} {'is pending' if pending else 'failed'}: {reason}",
            evidence={"reply": raw} if raw else None,
            judged_by={} if pending else _in_order(judged_by),
            **_invalid(reason),
            **sample_fields(sample),
        )


@dataclass(frozen=True, slots=True)
class Row:
    """One packed result: what tables and means need, and the rest as a line of JSON.

    Attributes:
        sample_id: The sample's id.
        metric: The metric's spec.
        status: Scored, undefined or failed.
        score: The number if there is one.
        packed: Its line, or where that is: what to read from, the place and the length.
        verdict: One of the metric's `verdicts`, where it has such.
    """

    sample_id: str
    metric: str
    status: Status
    score: float | None
    packed: bytes | tuple[ReadsLines, int, int] = field(compare=False)
    verdict: str = ""

    @property
    def line(self) -> bytes:
        """The whole result as JSON, without the fields that the sample holds."""
        if isinstance(self.packed, bytes):
            return self.packed
        lines, start, length = self.packed
        return lines.read(start, length)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Row) and self.__reduce__() == other.__reduce__()

    def __reduce__(self) -> tuple[type["Row"], tuple[object, ...]]:
        """Take the line along to another process."""
        values = (self.sample_id, self.metric, self.status, self.score, self.line, self.verdict)
        return Row, values

    @property
    def judged_by(self) -> Answerers:
        """Who answered the judgements behind it, as `Result.judged_by`."""
        answerers: Answerers = from_json(self.line).get("judged_by", {})
        return answerers

    @classmethod
    def from_result(cls, result: Result) -> "Row":
        """Return the packed form of a result."""
        fields = result.model_dump(mode="json", exclude=SAMPLE_FIELDS, exclude_defaults=True)
        line = json_safe(json.dumps(fields, ensure_ascii=False)).encode()
        return cls(
            result.sample_id, result.metric, result.status, result.score, line, result.verdict
        )


def _in_order(judged: Answerers | None) -> Answerers:
    """Return judgements by the names of their kinds: whose reply came first is chance."""
    return {kind: dict(sorted(counts.items())) for kind, counts in sorted((judged or {}).items())}


def _outcome(spec: str, value: float) -> str:
    """Return the sentence with which the feedback on a score begins."""
    return f"{spec} is {value:.3g}."


def _invalid(reason: str) -> dict[str, Any]:
    """Return the fields by which LlamaIndex knows that there is no score."""
    return {"invalid_result": True, "invalid_reason": reason}


def sample_fields(sample: Sample) -> dict[str, Any]:
    """Return the fields that LlamaIndex's results repeat from the sample."""
    if not isinstance(sample, SingleTurnSample):
        return {}
    return {
        "query": sample.query if sample.has("query") else None,
        "response": sample.response if sample.has("response") else None,
        "contexts": list(sample.texts) if sample.has("contexts") else None,
    }
