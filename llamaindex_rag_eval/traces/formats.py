"""Formats of traces: those of OTLP, Phoenix, MLflow and Langfuse, as spans."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from llamaindex_rag_eval.errors import DatasetError
from llamaindex_rag_eval.traces.span import FIRST_TOKEN, TABLE, Span, first, span_of
from llamaindex_rag_eval.traces.values import amount, at, decoded, entries, tree_of

EXPECTED = (
    "expected traces: OTLP JSON ('resourceSpans'), spans of Phoenix or an OpenTelemetry exporter "
    "('context.trace_id'), traces of MLflow ('info' and 'data'), or of Langfuse ('observations')"
)

PARTS = ("data", "traces", "spans", "observations")
"""Names of lists that hold records, in pages and files of several tools."""

KINDS_OF_LANGFUSE = {"generation": "LLM", "retriever": "RETRIEVER", "tool": "TOOL"}
"""Langfuse's types of observations -> kinds of OpenInference, in which they are read."""


RECORD = TABLE["record"]
"""What a span of OTLP or OpenTelemetry is -> where its record has it."""


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
    exported = record.get("context.trace_id") or at(record, "context.trace_id")
    if exported or (record.get("traceId") and record.get("spanId")):
        yield _span(record)
    elif isinstance(record.get("observations"), list):
        yield from _langfuse_trace(record)
    elif record.get("traceId") and record.get("type"):
        yield _langfuse(record, str(record["traceId"]), "")
    elif record.get("id") and ("latency" in record or "totalCost" in record):
        yield _langfuse(record, str(record["id"]), "")
    elif parts := [record[name] for name in PARTS if isinstance(record.get(name), list)]:
        for part in parts:
            yield from spans_of(part)
    else:
        names = ", ".join(map(repr, list(record)[:8])) or "none"
        raise DatasetError(f"{EXPECTED}; found the names {names}")


def _otlp(resources: Any) -> Iterator[Span]:
    for resource in entries(resources):
        about = _attributes(at(resource, "resource.attributes"))
        for scope in entries(resource.get("scopeSpans") or resource.get("scope_spans")):
            for span in entries(scope.get("spans")):
                yield _span(span, about)


def _span(record: Mapping[str, Any], resource: Mapping[str, Any] | None = None) -> Span:
    """Return a span of OTLP, of OpenTelemetry's exporters, or of Phoenix's API or data frame."""
    about = tree_of({k: v for k, v in record.items() if k not in ("attributes", "events")})
    columns = about.pop("attributes", {})  # of a data frame, one an attribute
    attributes = {**(resource or {}), **columns, **_attributes(decoded(record.get("attributes")))}
    kind = record.get("span_kind")
    if kind and at(tree_of(attributes), "openinference.span.kind") is None:
        attributes["openinference.span.kind"] = kind
    events = [
        {
            "name": event.get("name"),
            "timestamp": event.get("timeUnixNano", event.get("timestamp")),
            "attributes": _attributes(event.get("attributes")),
        }
        for event in entries(record.get("events"))
        if isinstance(event, Mapping)
    ]
    return span_of(about, RECORD, attributes, events)


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


def _mlflow(span: Any) -> Span:
    """Return a span of MLflow, whose attributes are JSON texts."""
    if not isinstance(span, Mapping):
        raise DatasetError(f"{EXPECTED}; got {type(span).__name__} for a span")
    pairs = _attributes(span.get("attributes"))
    attributes = {name: decoded(value) for name, value in pairs.items()}
    request = attributes.get("mlflow.traceRequestId")
    trace = {"traceId": request} if request and "context" not in span else {}
    return _span({**span, "attributes": attributes, **trace})


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
    attributes: dict[str, Any] = {"openinference.span.kind": KINDS_OF_LANGFUSE.get(kind, kind)}
    # The sums of its observations are a trace's own.
    tables = ["langfuse", *([] if kind == "trace" else ["observation"])]
    tables += [f"observation.{kind}"] if f"observation.{kind}" in TABLE else []
    for table in tables:
        values = ((name, first(record, paths)) for name, paths in TABLE[table].items())
        attributes |= {name: value for name, value in values if value is not None}
    begun = {"name": FIRST_TOKEN, "timestamp": record.get("completionStartTime")}
    events = [begun] if begun["timestamp"] else []
    parent = str(record.get("parentObservationId") or root)
    own = {"trace_id": trace_id, "parent_id": parent}
    span = span_of(record, TABLE["langfuse_record"], attributes, events, **own)
    took = amount(record.get("latency")) if kind == "trace" else None
    if took is None:
        return span
    return replace(span, start=span.start or 0.0, end=(span.start or 0.0) + took)
