"""Formats of traces: those of OTLP, Phoenix, MLflow and Langfuse, as spans."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from llamaindex_rag_eval.errors import DatasetError
from llamaindex_rag_eval.traces.span import Span, span_of
from llamaindex_rag_eval.traces.values import amount, at, decoded, entries

EXPECTED = (
    "expected traces: OTLP JSON ('resourceSpans'), spans of Phoenix or an OpenTelemetry exporter "
    "('context.trace_id'), traces of MLflow ('info' and 'data'), or of Langfuse ('observations')"
)

PARTS = ("data", "traces", "spans", "observations")
"""Names of lists that hold records, in pages and files of several tools."""

KINDS_OF_LANGFUSE = {"generation": "LLM", "retriever": "RETRIEVER", "tool": "TOOL"}
"""Langfuse's types of observations -> kinds of OpenInference, in which they are read."""


def spans_of(record: object) -> Iterator[Span]:
    """Yield the spans in a record: a span, a trace, or a page of either.

    Raises:
        DatasetError: It is of no known form.
    """
    record = decoded(record)
    if isinstance(record, list):
        for entry in record:
            yield from spans_of(entry)
    elif not isinstance(record, Mapping):
        raise DatasetError(f"{EXPECTED}; got {type(record).__name__}")
    elif "resourceSpans" in record or "resource_spans" in record:
        yield from _otlp(record.get("resourceSpans") or record.get("resource_spans"))
    elif "data" in record and isinstance(at(record, "data.spans"), list):
        yield from map(_mlflow, record["data"]["spans"])
    elif isinstance(decoded(record.get("trace")), Mapping) and "observations" not in record:
        yield from spans_of(record["trace"])  # a row of MLflow's data frame
    else:
        yield from _single(record)


def _single(record: Mapping[str, Any]) -> Iterator[Span]:
    if _context(record, "trace_id"):
        yield _flat(record)
    elif record.get("traceId") and record.get("spanId"):
        yield _otlp_span(record, {})
    elif isinstance(record.get("observations"), list):
        yield from _langfuse_trace(record)
    elif record.get("traceId") and record.get("type"):
        yield _langfuse(record, str(record["traceId"]), "")
    elif record.get("id") and ("latency" in record or "totalCost" in record):
        yield _langfuse(record, str(record["id"]), "")
    elif found := [record[name] for name in PARTS if isinstance(record.get(name), list)]:
        for part in found:
            yield from spans_of(part)
    else:
        names = ", ".join(map(repr, list(record)[:8])) or "none"
        raise DatasetError(f"{EXPECTED}; found the names {names}")


def _otlp(resources: Any) -> Iterator[Span]:
    for resource in entries(resources):
        about = _attributes(at(resource, "resource.attributes"))
        for scope in entries(resource.get("scopeSpans") or resource.get("scope_spans")):
            for span in entries(scope.get("spans")):
                yield _otlp_span(span, about)


def _otlp_span(span: Mapping[str, Any], resource: Mapping[str, Any]) -> Span:
    attributes = {**resource, **_attributes(span.get("attributes"))}
    events = [
        {
            "name": event.get("name"),
            "timestamp": event.get("timeUnixNano"),
            "attributes": _attributes(event.get("attributes")),
        }
        for event in entries(span.get("events"))
        if isinstance(event, Mapping)
    ]
    return span_of(
        trace_id=_id(span, "traceId", "trace_id"),
        span_id=_id(span, "spanId", "span_id"),
        parent_id=_id(span, "parentSpanId", "parent_span_id"),
        name=str(span.get("name") or ""),
        start=span.get("startTimeUnixNano", span.get("start_time_unix_nano")),
        end=span.get("endTimeUnixNano", span.get("end_time_unix_nano")),
        attributes=attributes,
        events=events,
        error=_error(at(span, "status.code"), at(span, "status.message")),
    )


def _attributes(pairs: Any) -> dict[str, Any]:
    """Return OTLP's list of keys and values as names and values; names and values as they are."""
    if isinstance(pairs, Mapping):
        return dict(pairs)
    named = [pair for pair in entries(pairs) if isinstance(pair, Mapping) and "key" in pair]
    return {str(pair["key"]): _value(pair.get("value")) for pair in named}


def _value(value: Any) -> Any:
    """Return the value in an OTLP `AnyValue`, `{"stringValue": …}`."""
    if not isinstance(value, Mapping) or len(value) != 1:
        return value
    [(kind, inside)] = value.items()
    if kind in ("arrayValue", "array_value"):
        return [_value(entry) for entry in entries(at(inside, "values"))]
    if kind in ("kvlistValue", "kvlist_value"):
        return _attributes(at(inside, "values"))
    if kind in ("intValue", "int_value"):
        return amount(inside)
    return inside


def _context(span: Mapping[str, Any], name: str) -> str:
    return str(span.get(f"context.{name}") or at(span, f"context.{name}") or "").removeprefix("0x")


def _flat(span: Mapping[str, Any]) -> Span:
    """Return a span of Phoenix, of its API or its data frame, or of OpenTelemetry's exporters."""
    prefix = "attributes."
    columns = {k.removeprefix(prefix): v for k, v in span.items() if k.startswith(prefix)}
    given = decoded(span.get("attributes"))
    attributes = {**columns, **(given if isinstance(given, Mapping) else {})}
    kind = span.get("span_kind")
    if (
        kind
        and "openinference.span.kind" not in attributes
        and at(attributes, "openinference") is None
    ):
        attributes["openinference.span.kind"] = kind
    code = span.get("status_code") or at(span, "status.status_code")
    message = span.get("status_message") or at(span, "status.description")
    return span_of(
        trace_id=_context(span, "trace_id"),
        span_id=_context(span, "span_id"),
        parent_id=str(span.get("parent_id") or "").removeprefix("0x"),
        name=str(span.get("name") or ""),
        start=span.get("start_time"),
        end=span.get("end_time"),
        attributes=attributes,
        events=entries(span.get("events")),
        error=_error(code, message),
    )


def _mlflow(span: Any) -> Span:
    """Return a span of MLflow, whose attributes are JSON texts."""
    if not isinstance(span, Mapping):
        raise DatasetError(f"{EXPECTED}; got {type(span).__name__} for a span")
    if _context(span, "trace_id"):  # up to MLflow 2
        return _flat({**span, "attributes": _mlflow_attributes(span)})
    attributes = _mlflow_attributes(span)
    trace_id = attributes.get("mlflow.traceRequestId") or _id(span, "traceId", "trace_id")
    return _otlp_span({**span, "attributes": attributes, "traceId": trace_id}, {})


def _mlflow_attributes(span: Mapping[str, Any]) -> dict[str, Any]:
    return {name: decoded(value) for name, value in _attributes(span.get("attributes")).items()}


def _langfuse_trace(record: Mapping[str, Any]) -> Iterator[Span]:
    inner = record.get("trace")
    trace: Mapping[str, Any] = inner if isinstance(inner, Mapping) else record
    trace_id = str(trace.get("id") or record.get("id") or "")
    root = f"trace:{trace_id}"
    if trace.get("input") is not None or trace.get("output") is not None:
        yield _langfuse({**trace, "id": root, "type": "trace"}, trace_id, "")
    else:
        root = ""
    for observation in record["observations"]:
        if isinstance(observation, Mapping):
            yield _langfuse(observation, trace_id, root)


def _langfuse(record: Mapping[str, Any], trace_id: str, root: str) -> Span:
    """Return an observation of Langfuse, or what it tells of a whole trace."""
    kind = str(record.get("type") or "trace").lower()
    usage = record.get("usageDetails") or record.get("usage") or {}
    cost = at(record, "costDetails.total")
    if cost is None:
        cost = record.get("calculatedTotalCost", record.get("totalCost"))
    start, latency = record.get("startTime", record.get("timestamp")), record.get("latency")
    attributes = {
        "openinference.span.kind": KINDS_OF_LANGFUSE.get(kind, kind),
        "input.value": record.get("input"),
        "output.value": record.get("output"),
        "llm.model_name": record.get("model") or record.get("providedModelName"),
        "tool.name": record.get("name") if kind == "tool" else None,
        "session.id": record.get("sessionId"),
    }
    if kind != "trace":  # a trace's own are the sums of its observations
        attributes |= {
            "llm.token_count.prompt": _count(usage, "input", "promptTokens"),
            "llm.token_count.completion": _count(usage, "output", "completionTokens"),
            "llm.cost.total": cost,
            "llm.input_messages": record.get("input") if kind == "generation" else None,
        }
    begun = {"name": "First Token Stream Event", "timestamp": record.get("completionStartTime")}
    span = span_of(
        trace_id=trace_id,
        span_id=str(record.get("id") or ""),
        parent_id=str(record.get("parentObservationId") or root),
        name=str(record.get("name") or ""),
        start=start,
        end=record.get("endTime"),
        attributes={name: value for name, value in attributes.items() if value is not None},
        events=[begun] if begun["timestamp"] else [],
        error=_error(record.get("level"), record.get("statusMessage")),
    )
    took = amount(latency) if kind == "trace" else None
    if took is None:
        return span
    return replace(span, start=span.start or 0.0, end=(span.start or 0.0) + took)


def _count(usage: Any, *names: str) -> float | None:
    decoded_usage = decoded(usage)
    found = decoded_usage if isinstance(decoded_usage, Mapping) else {}
    return next((amount(found[name]) for name in names if found.get(name) is not None), None)


def _id(span: Mapping[str, Any], *names: str) -> str:
    return next((str(span[name]) for name in names if span.get(name)), "")


def _error(code: object, message: object) -> str:
    """Return why a span failed, from the status of any tool; empty if it did not."""
    if "ERROR" not in str(code).upper() and str(code) != "2":
        return ""
    return str(message or "it failed, and does not say why")
