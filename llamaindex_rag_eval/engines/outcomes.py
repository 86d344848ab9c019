"""A question joined with what became of it: an answer, or the reason why there is none."""

import json
from collections.abc import Mapping

from llamaindex_rag_eval.data.rows import row_of
from llamaindex_rag_eval.data.sample import MultiTurnSample, Sample, sample_of
from llamaindex_rag_eval.engines.query import OUTCOME

__all__ = ["answered", "failed", "taken_over"]

KEPT_IN_METADATA = frozenset({"context_metadata", "retrieved"})
"""What a pipeline fills that has no field of its own."""

SPOKEN_BY_USER = frozenset({"user", "system"})


def answered(question: Sample, fields: Mapping[str, object], *, latency: float) -> Sample:
    """Return the question with its answer, in the place of any that it had before."""
    return _joined(question, {**fields, "latency": round(latency, 6)})


def failed(question: Sample, error: BaseException) -> Sample:
    """Return the question without an answer and with the error, as `Type: message`."""
    said = str(error)
    kind = type(error).__name__
    return _joined(question, {"error": f"{kind}: {said}" if said else kind})


def taken_over(question: Sample, earlier: Sample) -> Sample:
    """Return the question as it is now, with the answer it got in an earlier run."""
    outcome = OUTCOME | {"messages"} if isinstance(earlier, MultiTurnSample) else OUTCOME
    fields = {name: getattr(earlier, name) for name in earlier.model_fields_set & outcome}
    kept = {k: v for k, v in earlier.metadata.items() if k in KEPT_IN_METADATA}
    return _joined(question, {**fields, **kept})


def _joined(question: Sample, outcome: Mapping[str, object]) -> Sample:
    names = question.model_fields_set - OUTCOME - {"metadata"}
    row: dict[str, object] = {name: getattr(question, name) for name in names}
    if isinstance(question, MultiTurnSample):
        row["messages"] = tuple(m for m in question.messages if m.role in SPOKEN_BY_USER)
    row.update(outcome)
    if question.metadata:
        row["metadata"] = {k: v for k, v in question.metadata.items() if k not in KEPT_IN_METADATA}
    return _unicode(sample_of(row))


def _unicode(sample: Sample) -> Sample:
    """Return the sample with U+FFFD for halves of surrogate pairs, which no file can hold."""
    text = json.dumps(row_of(sample), ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return sample_of(json.loads(whole))
    return sample
