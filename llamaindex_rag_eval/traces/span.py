"""Spans: one step of a trace, in the same terms whichever tool recorded it.

The names of attributes are those of the public documentation of OpenInference, of OpenTelemetry's
semantic conventions for GenAI (with the older names that are still sent), of OpenLLMetry and of
MLflow.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal, cast

import tomllib

from llamaindex_rag_eval.traces.values import (
    amount,
    at,
    decoded,
    entries,
    is_repr,
    seconds,
    tree_of,
)

SpanKind = Literal["llm", "retriever", "reranker", "tool", "other"]

TABLE: Mapping[str, Mapping[str, Sequence[str]]] = tomllib.loads(
    files(__package__).joinpath("attributes.toml").read_text(encoding="utf-8")
)
ATTRIBUTES = TABLE["attributes"]
"""What is read of a span -> where conventions keep it."""

KINDS = {name: kind for kind, names in TABLE["kinds"].items() for name in names}

TEXTS = ("trace_id", "span_id", "parent_id", "name")
"""What a span is as texts."""

FIRST_TOKEN = "First Token Stream Event"  # noqa: S105 - the name of an event
"""OpenInference's event when the first piece of a streamed reply has come."""


@dataclass(frozen=True, slots=True)
class Document:
    """A retrieved document.

    Attributes:
        text: Its text; empty if only its id was recorded.
        id: Its id; empty if unknown.
        score: The retriever's score; `None` if unknown.
    """

    text: str
    id: str = ""
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """One step of a trace.

    Attributes:
        trace_id: Its trace.
        span_id: Its own id.
        parent_id: The step that it is part of; empty for the first.
        name: As the application calls it.
        kind: What it does.
        start: Seconds since 1970; `None` if unknown.
        end: Likewise.
        input: What it was given: a text, JSON, or nothing.
        output: What it returned.
        sent: The messages that a model was sent.
        replied: The messages that it replied with.
        documents: What it retrieved, best first.
        ranked: The documents that a reranker was given.
        tokens: Of prompt and reply; `None` if it does not say.
        cost: Dollars; `None` if it does not say.
        model: The name of the model.
        first_token: When a streamed reply began, in seconds since 1970.
        tool: The name of the tool.
        conversation: The id of the conversation.
        error: Why it failed; empty if it did not.
    """

    trace_id: str
    span_id: str
    parent_id: str = ""
    name: str = ""
    kind: SpanKind = "other"
    start: float | None = None
    end: float | None = None
    input: Any = None
    output: Any = None
    sent: Any = None
    replied: Any = None
    documents: Sequence[Document] = ()
    ranked: Sequence[Document] = ()
    tokens: tuple[int, int] | None = None
    cost: float | None = None
    model: str = ""
    first_token: float | None = None
    tool: str = ""
    conversation: str = ""
    error: str = ""


def span_of(
    record: Mapping[str, Any],
    paths: Mapping[str, Sequence[str]],
    attributes: Mapping[str, Any],
    events: Sequence[Mapping[str, Any]] = (),
    **own: str,
) -> Span:
    """Return a span by what its record tells of it, and by its attributes.

    Args:
        record: A span, as a tool has it.
        paths: What a span is -> where the record has it.
        attributes: Of any of the conventions.
        events: What happened in it.
        own: What a span is, where the record does not say.
    """
    about = {**{name: first(record, several) for name, several in paths.items()}, **own}
    tree = tree_of(attributes)
    for event in events:
        fields = event.get("attributes")
        if isinstance(fields, Mapping):  # older instrumentations tell messages by events
            model = {k: v for k, v in fields.items() if str(k).startswith("gen_ai.")}
            tree = _merged(tree_of(model), tree)
    values = {name: first(tree, several) for name, several in ATTRIBUTES.items()}
    began = seconds(about["start"])
    kind = cast(SpanKind, KINDS.get(str(decoded(values["kind"]) or "").lower(), "other"))
    documents = _documents(values["documents"])
    if not documents and kind in ("retriever", "reranker"):
        documents = _documents(values["output"])
    tokens = [amount(values[f"{name}_tokens"]) for name in ("prompt", "completion")]
    return Span(
        **{name: str(about[name] or "").removeprefix("0x") for name in TEXTS},
        kind=kind,
        start=began,
        end=seconds(about["end"]),
        **{name: values[name] for name in ("input", "output", "sent", "replied")},
        documents=documents,
        ranked=_documents(at(tree, "reranker.input_documents")),
        tokens=None if tokens == [None, None] else (int(tokens[0] or 0), int(tokens[1] or 0)),
        cost=amount(values["cost"]),
        first_token=_first_token(tree, events, began),
        **{name: str(values[name] or "") for name in ("model", "tool", "conversation")},
        error=_error(about["code"], about["message"]),
    )


def _error(code: object, message: object) -> str:
    """Return why a span failed, from the status of any tool; empty if it did not."""
    if "ERROR" not in str(code).upper() and str(code) != "2":
        return ""
    return str(message or "it failed, and does not say why")


def _first_token(
    tree: Any, events: Sequence[Mapping[str, Any]], began: float | None
) -> float | None:
    """Return when a streamed reply began, in seconds since 1970."""
    waited = amount(at(tree, "gen_ai.response.time_to_first_chunk"))
    if waited is not None and began is not None:
        return began + waited
    times = (event.get("timestamp") for event in events if event.get("name") == FIRST_TOKEN)
    return seconds(next(times, None))


def _merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Return two trees as one; where both have a value, that of `above`."""
    merged = dict(below)
    for name, value in above.items():
        both = isinstance(value, dict) and isinstance(merged.get(name), dict)
        merged[name] = _merged(merged[name], value) if both else value
    return merged


def first(tree: Any, paths: Sequence[str]) -> Any:
    """Return what stands at the first path where anything does; `None` if nothing does."""
    values = (at(tree, path) for path in paths)
    return next((value for value in values if value is not None and value != ""), None)


def _documents(value: Any) -> tuple[Document, ...]:
    value = decoded(value)
    if isinstance(value, Mapping) and not all(str(key).isdigit() for key in value):
        inner = ("documents", "nodes", "source_nodes", "results", "result", "output")
        value = next((value[name] for name in inner if name in value), None)
    documents = (document_of(decoded(entry)) for entry in entries(value))
    return tuple(document for document in documents if document is not None)


def document_of(entry: Any) -> Document | None:
    """Return the document that an entry of a list describes: a text, or an object with one."""
    if isinstance(entry, str):
        return Document(entry) if entry.strip() and not is_repr(entry) else None
    if not isinstance(entry, Mapping):
        return None
    inner = (entry.get(name) for name in ("document", "node"))
    both = {**entry, **next((part for part in inner if isinstance(part, Mapping)), {})}
    texts = (both.get(name) for name in TABLE["document"]["text"])
    text = next((text for text in texts if isinstance(text, str)), "")
    key = first(both, TABLE["document"]["id"])
    metadata = decoded(both.get("metadata"))
    score = both.get("score", metadata.get("score") if isinstance(metadata, Mapping) else None)
    known = isinstance(score, int | float) and not isinstance(score, bool)
    if not text and key is None:
        return None
    return Document(text, "" if key is None else str(key), score if known else None)
