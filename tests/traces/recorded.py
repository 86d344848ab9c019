"""Traces as tools record them, written after their public documentation."""

from typing import Any

QUESTION, ANSWER = "What holds 5 l?", "The pump holds 5 l."
START = 1_700_000_000
"""Seconds since 1970."""


def nano(seconds: float) -> str:
    """Return a time so many seconds after the start, as OTLP writes it."""
    return str(int((START + seconds) * 1e9))


def any_value(value: Any) -> dict[str, Any]:
    """Return a value as OTLP's `AnyValue`."""
    if isinstance(value, list):
        return {"arrayValue": {"values": [any_value(entry) for entry in value]}}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": pairs(value)}}
    if isinstance(value, int):
        return {"intValue": str(value)}
    return {"doubleValue": value} if isinstance(value, float) else {"stringValue": value}


def pairs(attributes: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": any_value(value)} for key, value in attributes.items()]


def otlp(*spans: dict[str, Any]) -> dict[str, Any]:
    """Return OTLP JSON; times are seconds after the start."""
    written = [
        {
            "traceId": span.get("trace", "t1"),
            "spanId": span["id"],
            "parentSpanId": span.get("parent", ""),
            "name": span["id"],
            "startTimeUnixNano": nano(span["start"]),
            "endTimeUnixNano": nano(span["end"]),
            "attributes": pairs(span["attributes"]),
            "events": [
                {
                    "name": name,
                    "timeUnixNano": nano(when),
                    "attributes": pairs(attributes),
                }
                for name, when, attributes in span.get("events", ())
            ],
            "status": span.get("status", {}),
        }
        for span in spans
    ]
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"spans": written}]}]}


def kind(name: str) -> dict[str, str]:
    return {"openinference.span.kind": name}


OPENINFERENCE: list[dict[str, Any]] = [
    {
        "id": "root",
        "start": 0,
        "end": 2.5,
        "attributes": {
            **kind("CHAIN"),
            "input.value": QUESTION,
            "output.value": ANSWER,
            "session.id": "s1",
        },
    },
    {
        "id": "find",
        "parent": "root",
        "start": 0.1,
        "end": 0.2,
        "attributes": {
            **kind("RETRIEVER"),
            "input.value": QUESTION,
            "retrieval.documents.0.document.id": "n1",
            "retrieval.documents.0.document.content": "The valve is red.",
            "retrieval.documents.0.document.score": 0.9,
            "retrieval.documents.1.document.id": "n2",
            "retrieval.documents.1.document.content": ANSWER,
            "retrieval.documents.1.document.score": 0.5,
        },
    },
    {
        "id": "predict",
        "parent": "root",
        "start": 0.3,
        "end": 2.4,
        "attributes": {
            **kind("LLM"),
            "llm.token_count.prompt": 100,
            "llm.token_count.completion": 10,
        },
    },
    {
        "id": "chat",
        "parent": "predict",
        "start": 0.3,
        "end": 2.4,
        "attributes": {
            **kind("LLM"),
            "llm.model_name": "gpt-4o-mini",
            "llm.token_count.prompt": 100,
            "llm.token_count.completion": 10,
            "llm.cost.total": 0.25,
        },
        "events": [("First Token Stream Event", 0.8, {})],
    },
]

RERANKED: dict[str, Any] = {
    "id": "rerank",
    "parent": "root",
    "start": 0.2,
    "end": 0.3,
    "attributes": {
        **kind("RERANKER"),
        "reranker.input_documents.0.document.id": "n1",
        "reranker.input_documents.1.document.id": "n2",
        "reranker.output_documents.0.document.id": "n2",
        "reranker.output_documents.0.document.content": ANSWER,
        "reranker.output_documents.0.document.score": 0.99,
    },
}


def genai_messages(role: str, text: str) -> list[dict[str, Any]]:
    return [{"role": role, "parts": [{"type": "text", "content": text}]}]


GENAI: list[dict[str, Any]] = [
    {
        "id": "agent",
        "start": 0,
        "end": 3,
        "attributes": {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.conversation.id": "c1",
        },
    },
    {
        "id": "chat1",
        "parent": "agent",
        "start": 0.1,
        "end": 1,
        "attributes": {
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": "my-model",
            "gen_ai.usage.input_tokens": 50,
            "gen_ai.usage.output_tokens": 5,
            "gen_ai.input.messages": [
                {"role": "system", "parts": [{"type": "text", "content": "Be brief."}]},
                *genai_messages("user", "Hello."),
                *genai_messages("assistant", "What is it?"),
                *genai_messages("user", QUESTION),
            ],
        },
    },
    {
        "id": "tool1",
        "parent": "agent",
        "start": 1.1,
        "end": 1.2,
        "attributes": {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "look_up",
            "gen_ai.tool.call.arguments": '{"part": "pump"}',
            "gen_ai.tool.call.result": "5 l",
        },
    },
    {
        "id": "chat2",
        "parent": "agent",
        "start": 1.3,
        "end": 3,
        "attributes": {
            "gen_ai.operation.name": "chat",
            "gen_ai.usage.input_tokens": 60,
            "gen_ai.usage.output_tokens": 6,
            "gen_ai.response.time_to_first_chunk": 0.2,
            "gen_ai.output.messages": genai_messages("assistant", ANSWER),
        },
    },
]

PHOENIX_FRAME: list[dict[str, Any]] = [
    {
        "context.trace_id": "t1",
        "context.span_id": "a",
        "parent_id": None,
        "name": "query",
        "span_kind": "CHAIN",
        "start_time": "2023-11-14T22:13:20+00:00",
        "end_time": "2023-11-14T22:13:21.5+00:00",
        "status_code": "OK",
        "attributes.input.value": QUESTION,
        "attributes.output.value": ANSWER,
        "attributes.retrieval.documents": None,
    },
    {
        "context.trace_id": "t1",
        "context.span_id": "b",
        "parent_id": "a",
        "name": "retrieve",
        "span_kind": "RETRIEVER",
        "start_time": "2023-11-14T22:13:20.1+00:00",
        "end_time": "2023-11-14T22:13:20.2+00:00",
        "status_code": "OK",
        "attributes.input.value": QUESTION,
        "attributes.output.value": None,
        "attributes.retrieval.documents": [
            {"document.content": ANSWER, "document.id": "n2", "document.score": 0.5}
        ],
    },
]

PHOENIX_API: list[dict[str, Any]] = [
    {
        "id": "U3Bhbjox",
        "name": "query",
        "context": {"trace_id": "t1", "span_id": "a"},
        "span_kind": "CHAIN",
        "parent_id": None,
        "start_time": "2023-11-14T22:13:20Z",
        "end_time": "2023-11-14T22:13:21.5Z",
        "status_code": "ERROR",
        "status_message": "the pump is off",
        "attributes": {"input.value": QUESTION},
        "events": [],
    }
]

MLFLOW: dict[str, Any] = {
    "info": {"trace_id": "tr-1", "state": "OK", "request_preview": QUESTION},
    "data": {
        "spans": [
            {
                "trace_id": "AAE=",
                "span_id": "YQ==",
                "parent_span_id": None,
                "name": "ask",
                "start_time_unix_nano": START * 10**9,
                "end_time_unix_nano": START * 10**9 + 1_500_000_000,
                "status": {"code": "STATUS_CODE_OK", "message": ""},
                "attributes": {
                    "mlflow.spanType": '"CHAIN"',
                    "mlflow.spanInputs": '{"question": "What holds 5 l?", "k": 3}',
                    "mlflow.spanOutputs": '"The pump holds 5 l."',
                },
            },
            {
                "trace_id": "AAE=",
                "span_id": "Yg==",
                "parent_span_id": "YQ==",
                "name": "find",
                "start_time_unix_nano": START * 10**9 + 1,
                "end_time_unix_nano": START * 10**9 + 2,
                "attributes": {
                    "mlflow.spanType": '"RETRIEVER"',
                    "mlflow.spanOutputs": '[{"page_content": "The pump holds 5 l.", '
                    '"metadata": {"doc_uri": "pump.md", "score": 0.5}, "id": "n2"}]',
                },
            },
            {
                "trace_id": "AAE=",
                "span_id": "Yw==",
                "parent_span_id": "YQ==",
                "name": "llm",
                "start_time_unix_nano": START * 10**9 + 3,
                "end_time_unix_nano": START * 10**9 + 4,
                "attributes": {
                    "mlflow.spanType": '"CHAT_MODEL"',
                    "mlflow.chat.tokenUsage": '{"input_tokens": 10, "output_tokens": 3}',
                    "mlflow.llm.cost": '{"total_cost": 0.5}',
                },
            },
        ]
    },
}

LANGFUSE: dict[str, Any] = {
    "id": "lf-1",
    "name": "ask",
    "timestamp": "2023-11-14T22:13:20.000Z",
    "input": {"question": QUESTION},
    "output": {"answer": ANSWER},
    "sessionId": "s1",
    "userId": "ann@example.com",
    "latency": 1.5,
    "totalCost": 0.5,
    "observations": [
        {
            "id": "o1",
            "traceId": "lf-1",
            "type": "RETRIEVER",
            "startTime": "2023-11-14T22:13:20.100Z",
            "endTime": "2023-11-14T22:13:20.200Z",
            "output": [{"id": "n2", "text": ANSWER, "score": 0.5}],
            "parentObservationId": None,
        },
        {
            "id": "o2",
            "traceId": "lf-1",
            "type": "GENERATION",
            "startTime": "2023-11-14T22:13:20.300Z",
            "completionStartTime": "2023-11-14T22:13:20.700Z",
            "endTime": "2023-11-14T22:13:21.400Z",
            "model": "gpt-4o-mini",
            "input": [{"role": "user", "content": QUESTION}],
            "output": {"role": "assistant", "content": ANSWER},
            "usageDetails": {"input": 10, "output": 3, "total": 13},
            "costDetails": {"input": 0.2, "output": 0.3, "total": 0.5},
            "parentObservationId": None,
        },
    ],
}
