"""From the spans of a trace to a sample: question, answer, contexts, tools, time and cost."""

from collections.abc import Mapping, Sequence
from typing import Any

from llamaindex_rag_eval.data.sample import Message, SingleTurnSample, ToolCall
from llamaindex_rag_eval.models.usage import price_of
from llamaindex_rag_eval.traces.span import Document, Span
from llamaindex_rag_eval.traces.values import (
    at,
    decoded,
    entries,
    is_repr,
    message_text,
    messages_in,
    text_at,
)

ROLES = {"user": "user", "human": "user", "assistant": "assistant", "ai": "assistant"}
"""Who speaks in the conversation before a question."""


def sample_of_trace(spans: Sequence[Span]) -> SingleTurnSample | None:
    """Return what a trace tells of one question; `None` if it asks none.

    The question and the answer are those of the first span, or else of the calls of models: the
    user's last message to the first, and the last one's reply. The contexts are what retrievers
    found, each document once; a reranker's documents take the place of those it was given.

    Args:
        spans: Of one trace, in any order.
    """
    ordered = sorted(spans, key=lambda span: span.start or 0.0)
    root = _root(ordered)
    models = [span for span in ordered if span.kind == "llm"]
    question, earlier = _question(root, models)
    if not question.strip():
        return None
    answer = _answer(root, models)
    documents = _documents(ordered)
    row: dict[str, object] = {"id": root.trace_id, "query": question}
    if answer.strip():
        row["response"] = answer
    if earlier:
        row["earlier_messages"] = earlier
    if documents or any(span.kind == "retriever" for span in ordered):
        row |= _context_fields(documents)
    if root.start is not None and root.end is not None:
        row["latency"] = round(max(0.0, root.end - root.start), 6)
    if root.error and not answer.strip():
        row["error"] = root.error
    about: dict[str, object] = {
        "trace_id": root.trace_id,
        "span_id": root.span_id,
        "usage": _usage(models, root),
        "trajectory": _trajectory(ordered, answer),
        "conversation": next((span.conversation for span in ordered if span.conversation), ""),
        "model": next((span.model for span in models if span.model), ""),
    }
    row["metadata"] = {name: value for name, value in about.items() if value}
    return SingleTurnSample.model_validate(row)


def _root(spans: Sequence[Span]) -> Span:
    """Return the first span without a parent among the spans."""
    known = {span.span_id for span in spans}
    return next((span for span in spans if span.parent_id not in known), spans[0])


def _question(root: Span, models: Sequence[Span]) -> tuple[str, tuple[Message, ...]]:
    """Return the question, and the conversation before it."""
    text = _said(root.input, "question")
    first = next((span.sent for span in models if messages_in(span.sent)), None)
    for sent in (root.sent, root.input, first):
        talk = _talk(sent)
        last = next((n for n in reversed(range(len(talk))) if talk[n].role == "user"), None)
        if last is not None and (not text or talk[last].content.strip() == text.strip()):
            return talk[last].content, talk[:last]
    return text, ()


def _talk(sent: Any) -> tuple[Message, ...]:
    """Return the messages of user and assistant that have a text."""
    said = [(ROLES.get(str(m["role"]).lower()), message_text(m)) for m in messages_in(sent)]
    return tuple(Message(role=role, content=text) for role, text in said if role and text.strip())  # type: ignore[arg-type]  # one of ROLES


def _answer(root: Span, models: Sequence[Span]) -> str:
    text = _said(root.output, "answer")
    if text:
        return text
    last = models[-1:] if root.kind != "llm" else [root]
    said = (text_at(value, "answer") for span in last for value in (_replied(span), span.output))
    return next((text for text in said if text and not is_repr(text)), "")


def _replied(span: Span) -> list[Mapping[str, Any]]:
    """Return the messages of a reply; some name no role, since it can only be the assistant's."""
    return [{"role": "assistant", **message} for message in entries(span.replied) if message]


def _said(value: Any, kind: str) -> str:
    text = text_at(value, kind)
    return "" if is_repr(text) else text


def _documents(spans: Sequence[Span]) -> Sequence[Document]:
    documents: dict[str, Document] = {}
    for span in sorted(spans, key=lambda step: step.end or step.start or 0.0):
        if span.kind == "reranker" and span.documents:
            for document in span.ranked or tuple(documents.values()):
                documents.pop(_key(document), None)
        if span.kind in ("retriever", "reranker") or span.documents:
            for document in span.documents:
                documents.setdefault(_key(document), document)
    return tuple(documents.values())


def _key(document: Document) -> str:
    return document.id or document.text


def _context_fields(documents: Sequence[Document]) -> dict[str, object]:
    """Return documents as fields; those of which only the ids were recorded give no contexts."""
    fields: dict[str, object] = {}
    if all(document.text for document in documents):
        fields["contexts"] = tuple(document.text for document in documents)
    if documents and all(document.id for document in documents):
        fields["context_ids"] = tuple(document.id for document in documents)
    if any(document.score is not None for document in documents):
        fields["context_scores"] = tuple(document.score for document in documents)
    return fields


def _usage(models: Sequence[Span], root: Span) -> dict[str, object]:
    """Return calls, tokens, dollars and the seconds to the first token of the last reply.

    Frameworks record a call at several levels, each with its tokens: the innermost count.
    """
    outer = {span.parent_id for span in models if span.tokens}
    counted = [span for span in models if span.tokens and span.span_id not in outer]
    if not counted:
        return {}
    tokens = [span.tokens or (0, 0) for span in counted]
    usage: dict[str, object] = {
        "calls": len(counted),
        "prompt_tokens": sum(sent for sent, _ in tokens),
        "completion_tokens": sum(received for _, received in tokens),
    }
    costs = [_cost(span) for span in counted]
    known = [cost for cost in costs if cost is not None]
    if len(known) == len(costs):
        usage["cost"] = round(sum(known), 8)
    begun = counted[-1].first_token
    if begun is not None and root.start is not None and begun >= root.start:
        usage["first_token"] = round(begun - root.start, 6)
    return usage


def _cost(span: Span) -> float | None:
    price = price_of(span.model)
    if span.cost is not None or price is None or span.tokens is None:
        return span.cost
    return price.cost(*span.tokens)


def _trajectory(spans: Sequence[Span], answer: str) -> list[dict[str, object]]:
    """Return the calls of tools with their outputs as messages, and the answer as the last."""
    messages: list[Message] = []
    for span in spans:
        if span.kind == "tool":
            call = ToolCall(name=span.tool or span.name, args=_arguments(span.input))
            messages.append(Message(role="assistant", tool_calls=(call,)))
            messages.append(Message(role="tool", content=_output(span.output)))
    if not messages:
        calls = tuple(call for span in spans for call in _calls(span))
        messages = [Message(role="assistant", tool_calls=(call,)) for call in calls]
    if not messages:
        return []
    messages.append(Message(role="assistant", content=answer))
    return [message.model_dump(mode="json", exclude_defaults=True) for message in messages]


def _arguments(value: Any) -> dict[str, Any]:
    value = decoded(value)
    if isinstance(value, Mapping):
        inner = value.get("kwargs")
        return dict(inner if isinstance(inner, Mapping) and len(value) <= 2 else value)
    return {} if value in (None, "") else {"input": value}


def _output(value: Any) -> str:
    result = decoded(value)
    text = text_at(result, "answer") if isinstance(result, Mapping) else ""
    return text or ("" if value is None else str(value))


def _calls(span: Span) -> Sequence[ToolCall]:
    """Return the calls of tools that a model's reply asks for."""
    calls = []
    for message in entries(span.replied):
        inner = at(message, "message") or message
        calls_asked = [*entries(at(inner, "tool_calls")), *entries(at(inner, "parts"))]
        for call in (at(entry, "tool_call") or entry for entry in calls_asked):
            function = at(call, "function") or call
            name = at(function, "name")
            if isinstance(name, str) and name:
                calls.append(ToolCall(name=name, args=_arguments(at(function, "arguments"))))
    return calls
