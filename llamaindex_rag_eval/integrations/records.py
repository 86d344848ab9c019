"""What other tools are given of a run, and what they give back.

A sample is `inputs`, `outputs` and `expected` (mappings, as all of them have it) with `metadata`;
a result is a `Feedback`. What a tool has no place for stands in the metadata under `OWN`, so that a
sample comes back whole.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, Literal

from pydantic import JsonValue, ValidationError

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.data.images import without_paths
from llamaindex_rag_eval.data.plain_text import mapped_texts
from llamaindex_rag_eval.data.rows import as_json
from llamaindex_rag_eval.data.sample import MultiTurnSample, Sample, SingleTurnSample, sample_of
from llamaindex_rag_eval.engines.answers import ANSWER_FIELDS
from llamaindex_rag_eval.engines.engine import ENGINE_SETTINGS
from llamaindex_rag_eval.errors import InputError, RagEvalError
from llamaindex_rag_eval.judge.answerers import by_rules, compares_texts
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.result import Result
from llamaindex_rag_eval.runs.run import Run

OWN = "rag_eval"
"""The key of our own fields in another tool's metadata."""

QUESTIONS = ("query", "question", "user_input", "input", "message", "prompt")
ANSWERS = ("response", "answer", "output", "outputs", "prediction", "text", "content")
REFERENCES = ("reference", "expected_response", "expected_output", "ground_truth", *ANSWERS[1:])
CONTEXTS = ("contexts", "retrieved_contexts", "context", "documents", "source_nodes")
"""What tools and their users call a field; the first that is there is taken."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """One result as other tools show it.

    Attributes:
        metric: The metric's spec.
        score: The number; `None` where it is undefined or failed.
        label: The metric's verdict, else `pass` or `fail` by its threshold, else its status where
            it has no score; empty for a plain score.
        reason: Why, in words.
        by: `LLM` if a model judged, else `CODE`.
        error: The name of the exception if it failed.
    """

    metric: str
    score: float | None
    label: str
    reason: str
    by: Literal["LLM", "CODE"]
    error: str = ""

    @property
    def comment(self) -> str:
        """The label and the reason, for tools that have one text."""
        return f"{self.label}: {self.reason}" if self.label else self.reason


def feedback_of(result: Result) -> Feedback:
    """Return a result as other tools show it."""
    answered = [who for counts in result.judged_by.values() for who in counts]
    by_model = any(not by_rules(who) and not compares_texts(who) for who in answered)
    passing = {None: "", True: "pass", False: "fail"}[result.passing]
    return Feedback(
        metric=result.metric,
        score=result.score,
        label=result.verdict or passing if result.score is not None else result.status,
        reason=result.reason,
        by="LLM" if by_model else "CODE",
        error=result.error_type or "",
    )


def judged(
    metric: BaseMetric,
    inputs: object,
    outputs: object = None,
    expected: object = None,
    metadata: Mapping[str, object] | None = None,
) -> Feedback:
    """Return the result of a metric on another tool's record, given as `sample_from` takes it.

    A record that lacks what the metric needs is a failure with its reason.
    """
    try:
        return feedback_of(
            run_sync(metric.result(sample_from(inputs, outputs, expected, metadata)))
        )
    except RagEvalError as error:
        name = type(error).__name__
        return Feedback(metric.spec, None, "failed", f"{name}: {error}", "CODE", name)


def rows_of(run: Run) -> Iterator[tuple[Sample, tuple[Feedback, ...]]]:
    """Yield each sample of a run with its results."""
    specs = [info.spec for info in run.metrics]
    for sample in run.samples:
        results = (run.result(sample.id, spec) for spec in specs)
        yield sample, tuple(feedback_of(result) for result in results if result is not None)


def started_of(run: Run) -> datetime:
    """Return when a run began; now if it does not say."""
    said = run.provenance.started
    return datetime.fromisoformat(said) if said else datetime.now(timezone.utc)


def evidence_link(link: str, sample_id: str) -> str:
    """Return where the evidence of a sample is: the report at this address, opened there."""
    from urllib.parse import quote

    return f"{link}#question={quote(sample_id, safe='')}" if link else ""


def origin_of(sample: Sample, run: Run, link: str) -> dict[str, str]:
    """Return what a score's metadata says of where it comes from."""
    return {"sample": sample.id, "run": run.name, "evidence": evidence_link(link, sample.id)}


def inputs_of(sample: Sample) -> dict[str, JsonValue]:
    """Return what an engine is asked: `question`, with `history` if it is a follow-up."""
    if isinstance(sample, MultiTurnSample):
        return {"messages": _messages(sample.messages)}
    history = {"history": _messages(sample.earlier_messages)} if sample.earlier_messages else {}
    return {"question": sample.query, **history}


def outputs_of(sample: Sample) -> dict[str, JsonValue]:
    """Return what an engine gave: `answer` and `contexts`, or `error`."""
    if sample.error:
        return {"error": sample.error}
    if isinstance(sample, MultiTurnSample):
        said = [m.content for m in sample.messages if m.role == "assistant" and m.content]
        return {"answer": said[-1] if said else ""}
    outputs: dict[str, JsonValue] = {"answer": sample.response}
    return outputs | ({"contexts": list(sample.texts)} if sample.has("contexts") else {})


def expected_of(sample: Sample, name: str = "answer") -> dict[str, JsonValue]:
    """Return what is right: the reference under a name, with `contexts` if they are known."""
    expected: dict[str, JsonValue] = {name: sample.reference} if sample.has("reference") else {}
    if not isinstance(sample, MultiTurnSample):
        texts = sample.reference_contexts or [group[0].quote for group in sample.gold if group]
        if texts:
            expected["contexts"] = list(texts)
    return expected


def metadata_of(sample: Sample) -> dict[str, JsonValue]:
    """Return the id of a question, and under `OWN` what has no other place, `portable`."""
    left_out = {"id", "query", "response", "reference", *ANSWER_FIELDS}
    own = portable(sample).model_dump(mode="json", exclude_unset=True, exclude=left_out)
    return {"id": sample.id, OWN: own}


def portable(sample: Sample) -> Sample:
    """Return a sample that names no folder of this machine, as it may leave it.

    The metadata of nodes, the places of contexts and the settings of an engine name files, often by
    their whole path: these become relative to the working folder or, outside of it, the name of the
    file.
    """
    sample = without_paths(sample)
    changed: dict[str, Any] = {}
    if with_paths := {"context_metadata", ENGINE_SETTINGS} & sample.metadata.keys():
        plain = {name: mapped_texts(sample.metadata[name], _without_folder) for name in with_paths}
        changed["metadata"] = {**sample.metadata, **plain}
    if isinstance(sample, SingleTurnSample) and sample.context_spans:
        changed["context_spans"] = tuple(
            span and span.model_copy(update={"doc_id": _without_folder(span.doc_id)})
            for span in sample.context_spans
        )
    return sample.model_copy(update=changed)


def _without_folder(text: str) -> str:
    local = text.removeprefix("file://")
    for path in (PurePosixPath(local), PureWindowsPath(local)):
        if path.is_absolute() and path.name and "\n" not in local:
            inside = path.is_relative_to(Path.cwd())
            return (path.relative_to(Path.cwd()) if inside else PurePosixPath(path.name)).as_posix()
    return text


def sample_from(
    inputs: object,
    outputs: object = None,
    expected: object = None,
    metadata: object = None,
    *,
    key: str = "",
) -> Sample:
    """Return the sample that another tool's record describes.

    Args:
        inputs: What was asked: a text, or a mapping with `question`, `query`, `messages`, ….
        outputs: The answer: a text, or a mapping with `answer`, `contexts`, ….
        expected: What is right: a text, or a mapping with `expected_response`, `answer`, ….
        metadata: Anything else; what `metadata_of` wrote is read back.
        key: The record's id in the tool, for one that has no id of ours.

    Raises:
        InputError: They describe no sample.
    """
    given = {"id": key, **_mapping(metadata)}
    own = given.pop(OWN, None)
    fields = dict(own) if isinstance(own, Mapping) else {}
    row: dict[str, Any] = {"id": str(given.pop("id")), **fields}
    row["metadata"] = {**given, **_mapping(fields.get("metadata"))}
    if "messages" not in row:
        row |= _question(inputs)
        row |= _named(outputs, "response", ANSWERS, "contexts")
        row |= {"error": str(error)} if (error := _mapping(outputs).get("error")) else {}
    has_spans = bool(row.get("gold")) and "messages" not in row  # the texts would be theirs
    row |= _named(expected, "reference", REFERENCES, "" if has_spans else "reference_contexts")
    try:
        return without_paths(sample_of(row))
    except ValidationError as error:
        raise InputError(f"a record of another tool cannot be read: {error}") from None


def _question(inputs: object) -> dict[str, Any]:
    """Return the question, and the messages before it."""
    if not isinstance(inputs, Mapping):
        return {} if inputs is None else {"query": str(inputs)}
    messages = inputs.get("messages")
    if isinstance(messages, Sequence) and not isinstance(messages, str) and messages:
        *before, last = (_mapping(message) for message in messages)
        return {"query": str(last.get("content", "")), "earlier_messages": _said(before)}
    history = inputs.get("history")
    before = [_mapping(m) for m in history] if isinstance(history, Sequence) else []
    question = _first(inputs, QUESTIONS)
    return {"query": "" if question is None else str(question)} | (
        {"earlier_messages": _said(before)} if before else {}
    )


def _said(messages: Iterable[Mapping[str, object]]) -> list[dict[str, str]]:
    known = ("user", "assistant", "tool", "system")
    return [
        {"role": str(m["role"]), "content": str(m.get("content") or "")}
        for m in messages
        if m.get("role") in known
    ]


def _named(value: object, field: str, names: Sequence[str], contexts: str) -> dict[str, Any]:
    """Return the text of a value under our name of the field, and the contexts beside it."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        return {field: str(value)}
    text, documents = _first(value, names), _first(value, CONTEXTS)
    row: dict[str, Any] = {} if text is None else {field: str(text)}
    if contexts and documents is not None:
        row[contexts] = list(map(_text, [documents] if isinstance(documents, str) else documents))
    facts = _first(value, ("expected_facts",)) if field == "reference" else None
    return row | ({"reference_facts": facts} if facts else {})


def _text(context: object) -> str:
    fields = _mapping(context)
    text = _first(fields, ("text", "content", "page_content")) if fields else context
    return "" if text is None else str(text)


def _first(row: Mapping[str, Any], names: Iterable[str]) -> Any:
    return next((row[name] for name in names if row.get(name) is not None), None)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _messages(messages: Iterable[Any]) -> JsonValue:
    return as_json([{"role": m.role, "content": m.content} for m in messages])
