"""Spans: one step of a trace, in the same terms whichever tool recorded it.

The names of attributes are those of the public documentation of OpenInference, of OpenTelemetry's
semantic conventions for GenAI (with the older names that are still sent), of OpenLLMetry and of
MLflow.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

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

KINDS: Mapping[str, SpanKind] = {
    "llm": "llm",
    "chat_model": "llm",
    "chat": "llm",
    "completion": "llm",
    "text_completion": "llm",
    "generate_content": "llm",
    "generation": "llm",
    "retriever": "retriever",
    "retrieval": "retriever",
    "reranker": "reranker",
    "rerank": "reranker",
    "tool": "tool",
    "execute_tool": "tool",
}
"""What conventions call the kinds of spans, in lower case."""

KIND = (
    "openinference.span.kind",
    "gen_ai.operation.name",
    "mlflow.spanType",
    "traceloop.span.kind",
    "llm.request.type",
    "langfuse.observation.type",
)
INPUT = (
    "input.value",
    "gen_ai.input.messages",
    "gen_ai.prompt",
    "gen_ai.tool.call.arguments",
    "gen_ai.retrieval.query.text",
    "mlflow.spanInputs",
    "traceloop.entity.input",
    "langfuse.observation.input",
)
OUTPUT = (
    "output.value",
    "gen_ai.output.messages",
    "gen_ai.completion",
    "gen_ai.tool.call.result",
    "mlflow.spanOutputs",
    "traceloop.entity.output",
    "langfuse.observation.output",
)
SENT = ("llm.input_messages", "gen_ai.input.messages", "gen_ai.prompt", "mlflow.spanInputs")
REPLIED = ("llm.output_messages", "gen_ai.output.messages", "gen_ai.completion")
DOCUMENTS = (
    "retrieval.documents",
    "reranker.output_documents",
    "gen_ai.retrieval.documents",
)
PROMPT_TOKENS = (
    "llm.token_count.prompt",
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.prompt_tokens",
    "mlflow.chat.tokenUsage.input_tokens",
)
COMPLETION_TOKENS = (
    "llm.token_count.completion",
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.completion_tokens",
    "mlflow.chat.tokenUsage.output_tokens",
)
COST = ("llm.cost.total", "gen_ai.usage.cost", "mlflow.llm.cost.total_cost")
MODEL = (
    "llm.model_name",
    "gen_ai.response.model",
    "gen_ai.request.model",
    "mlflow.llm.model",
)
TOOL = ("tool.name", "gen_ai.tool.name", "traceloop.entity.name")
CONVERSATION = ("session.id", "gen_ai.conversation.id", "langfuse.session.id")

FIRST_TOKEN = "First Token Stream Event"  # noqa: S105 - the name of an event
"""OpenInference's event when the first piece of a streamed reply has come."""

TEXTS = ("content", "page_content", "pageContent", "text", "chunk")
IDS = ("id", "id_", "node_id", "doc_id", "chunk_id")


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
    error: str = field(default="")


def span_of(
    *,
    trace_id: str,
    span_id: str,
    parent_id: str = "",
    name: str = "",
    start: Any = None,
    end: Any = None,
    attributes: Mapping[str, Any],
    events: Sequence[Any] = (),
    error: str = "",
) -> Span:
    """Return a span by its attributes, of any of the conventions."""
    tree = tree_of(attributes)
    told = [event for event in events if isinstance(event, Mapping)]
    for event in told:
        recorded = event.get("attributes")
        if isinstance(recorded, Mapping):  # older instrumentations tell messages by events
            model = {k: v for k, v in recorded.items() if str(k).startswith("gen_ai.")}
            tree = _merged(tree_of(model), tree)
    first = (seconds(one.get("timestamp")) for one in told if one.get("name") == FIRST_TOKEN)
    began = seconds(start)
    waited = amount(at(tree, "gen_ai.response.time_to_first_chunk"))
    kind = KINDS.get(str(decoded(_first(tree, KIND)) or "").lower(), "other")
    documents = _documents(_first(tree, DOCUMENTS))
    if not documents and kind in ("retriever", "reranker"):
        documents = _documents(_first(tree, OUTPUT))
    sent, received = (amount(_first(tree, n)) for n in (PROMPT_TOKENS, COMPLETION_TOKENS))
    return Span(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=parent_id,
        name=name,
        kind=kind,
        start=began,
        end=seconds(end),
        input=_first(tree, INPUT),
        output=_first(tree, OUTPUT),
        sent=_first(tree, SENT),
        replied=_first(tree, REPLIED),
        documents=documents,
        ranked=_documents(at(tree, "reranker.input_documents")),
        tokens=None if sent is None and received is None else (int(sent or 0), int(received or 0)),
        cost=amount(_first(tree, COST)),
        model=str(_first(tree, MODEL) or ""),
        first_token=next(first, None) if waited is None or began is None else began + waited,
        tool=str(_first(tree, TOOL) or ""),
        conversation=str(_first(tree, CONVERSATION) or ""),
        error=error,
    )


def _merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Return two trees as one; where both have a value, that of `above`."""
    merged = dict(below)
    for name, value in above.items():
        both = isinstance(value, dict) and isinstance(merged.get(name), dict)
        merged[name] = _merged(merged[name], value) if both else value
    return merged


def _first(tree: Any, paths: Sequence[str]) -> Any:
    found = (at(tree, path) for path in paths)
    return next((value for value in found if value is not None and value != ""), None)


def _documents(value: Any) -> tuple[Document, ...]:
    value = decoded(value)
    if isinstance(value, Mapping) and not all(str(key).isdigit() for key in value):
        inner = ("documents", "nodes", "source_nodes", "results", "result", "output")
        value = next((value[name] for name in inner if name in value), None)
    found = (document_of(decoded(entry)) for entry in entries(value))
    return tuple(one for one in found if one is not None)


def document_of(entry: Any) -> Document | None:
    """Return the document that an entry of a list describes: a text, or an object with one."""
    if isinstance(entry, str):
        return Document(entry) if entry.strip() and not is_repr(entry) else None
    if not isinstance(entry, Mapping):
        return None
    inner = (entry.get(name) for name in ("document", "node"))
    both = {**entry, **next((one for one in inner if isinstance(one, Mapping)), {})}
    text = next((both[name] for name in TEXTS if isinstance(both.get(name), str)), "")
    key = next((str(both[name]) for name in IDS if both.get(name) not in (None, "")), "")
    metadata = decoded(both.get("metadata"))
    score = both.get("score", metadata.get("score") if isinstance(metadata, Mapping) else None)
    known = isinstance(score, int | float) and not isinstance(score, bool)
    if not (text or key):
        return None
    return Document(text, key, float(score) if known else None)  # type: ignore[arg-type]  # known
