import json
from pathlib import Path
from typing import Any

import pytest

from llamaindex_rag_eval.data.sample import Message, SingleTurnSample
from llamaindex_rag_eval.errors import DatasetError, InputError
from llamaindex_rag_eval.traces.read import read_traces
from tests.traces.recorded import (
    ANSWER,
    GENAI,
    LANGFUSE,
    MLFLOW,
    OPENINFERENCE,
    PHOENIX_API,
    PHOENIX_FRAME,
    QUESTION,
    RERANKED,
    kind,
    otlp,
)


def only(*records: Any, **options: Any) -> SingleTurnSample:
    [sample] = read_traces(records, **options).samples
    assert isinstance(sample, SingleTurnSample)
    return sample


def test_openinference_spans_give_question_answer_contexts_time_and_cost():
    sample = only(otlp(*OPENINFERENCE))

    assert (sample.id, sample.query, sample.response) == ("t1", QUESTION, ANSWER)
    assert sample.contexts == ("The valve is red.", ANSWER)
    assert sample.context_ids == ("n1", "n2")
    assert sample.context_scores == (0.9, 0.5)
    assert sample.latency == 2.5
    assert sample.metadata["conversation"] == "s1"
    assert (sample.metadata["trace_id"], sample.metadata["span_id"]) == ("t1", "root")
    assert sample.metadata["usage"] == {
        "calls": 1,  # `predict` records the tokens of `chat`, its part, once more
        "prompt_tokens": 100,
        "completion_tokens": 10,
        "cost": 0.25,
        "first_token": 0.8,
    }


def test_ids_that_tools_made_stay_as_they_are_where_personal_data_is_masked():
    traced = {"trace": "00000004915123456789000000000000", "id": "4915123456789012"}
    sample = only(otlp({**OPENINFERENCE[0], **traced}))
    assert sample.metadata["trace_id"] == traced["trace"]
    assert sample.metadata["span_id"] == traced["id"]


def test_a_rerankers_documents_take_the_place_of_those_it_was_given():
    sample = only(otlp(*OPENINFERENCE, RERANKED))

    assert (sample.context_ids, sample.context_scores) == (("n2",), (0.99,))


def test_genai_spans_give_the_conversation_and_the_calls_of_tools():
    sample = only(otlp(*GENAI))

    assert (sample.query, sample.response) == (QUESTION, ANSWER)
    assert sample.earlier_messages == (
        Message(role="user", content="Hello."),
        Message(role="assistant", content="What is it?"),
    )
    assert not sample.has("contexts")
    assert sample.metadata["trajectory"] == [
        {"role": "assistant", "tool_calls": [{"name": "look_up", "args": {"part": "pump"}}]},
        {"role": "tool", "content": "5 l"},
        {"role": "assistant", "content": ANSWER},
    ]
    # No price is listed for this model, and none is recorded: the cost is not known.
    usage = {"calls": 2, "prompt_tokens": 110, "completion_tokens": 11, "first_token": 1.5}
    assert sample.metadata["usage"] == usage


def test_genai_messages_in_events_are_read():
    said = [("gen_ai.client.inference.operation.details", 0.5, GENAI[1]["attributes"])]
    replied = [("gen_ai.client.inference.operation.details", 0.5, GENAI[3]["attributes"])]
    bare = {"gen_ai.operation.name": "chat"}
    spans = [
        GENAI[0],
        {**GENAI[1], "attributes": bare, "events": said},
        {**GENAI[3], "attributes": bare, "events": replied},
    ]

    assert (only(otlp(*spans)).query, only(otlp(*spans)).response) == (QUESTION, ANSWER)


def test_older_names_of_messages_are_read():
    attributes = {
        "llm.request.type": "chat",
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": QUESTION,
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.content": ANSWER,
        "gen_ai.usage.prompt_tokens": 7,
    }

    sample = only(otlp({"id": "a", "start": 0, "end": 1, "attributes": attributes}))

    assert (sample.query, sample.response) == (QUESTION, ANSWER)
    assert sample.metadata["usage"]["prompt_tokens"] == 7


def test_a_first_span_of_printed_objects_leaves_the_word_to_the_models():
    root = {
        **kind("CHAIN"),
        "input.value": '{"init_state": {"is_running": false}}',
        "output.value": "StopEvent(result=AgentOutput(response=ChatMessage(role='x')))",
    }
    chat = {
        **kind("LLM"),
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": QUESTION,
        "llm.output_messages.0.message.content": ANSWER,
    }
    inner = {
        **kind("RETRIEVER"),
        "output.value": '["<NodeWithScore(node=TextNode(id_=n1), score=1.0)>"]',
    }
    spans = [
        {"id": "root", "start": 0, "end": 1, "attributes": root},
        {"id": "find", "parent": "root", "start": 0.1, "end": 0.2, "attributes": inner},
        {"id": "chat", "parent": "root", "start": 0.3, "end": 1, "attributes": chat},
    ]

    sample = only(otlp(*spans))

    assert (sample.query, sample.response, sample.contexts) == (QUESTION, ANSWER, ())


def test_calls_that_only_a_models_reply_tells_of_are_the_trajectory():
    call = "llm.output_messages.0.message.tool_calls.0.tool_call.function"
    chat = {
        **kind("LLM"),
        "input.value": QUESTION,
        f"{call}.name": "look_up",
        f"{call}.arguments": '{"part": "pump"}',
    }

    sample = only(otlp({"id": "a", "start": 0, "end": 1, "attributes": chat}))

    [first, _] = sample.metadata["trajectory"]
    assert first["tool_calls"] == [{"name": "look_up", "args": {"part": "pump"}}]


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".parquet"])
def test_phoenixs_data_frame_is_read(tmp_path: Path, suffix: str):
    path = tmp_path / f"spans{suffix}"
    if suffix == ".parquet":
        import pandas as pd

        frame = pd.DataFrame(PHOENIX_FRAME)
        for column in ("start_time", "end_time"):
            frame[column] = pd.to_datetime(frame[column], format="ISO8601")
        frame.to_parquet(path)
    elif suffix == ".json":
        path.write_text(json.dumps(PHOENIX_FRAME))
    else:
        path.write_text("\n".join(map(json.dumps, PHOENIX_FRAME)))

    [sample] = read_traces(path).samples

    assert isinstance(sample, SingleTurnSample)
    assert (sample.query, sample.response, sample.latency) == (QUESTION, ANSWER, 1.5)
    assert (sample.contexts, sample.context_ids) == ((ANSWER,), ("n2",))


def test_phoenixs_api_is_read_and_an_error_is_the_samples():
    sample = only({"data": PHOENIX_API, "next_cursor": None})

    assert (sample.query, sample.error) == (QUESTION, "the pump is off")
    assert not sample.has("response")


@pytest.mark.parametrize("record", [MLFLOW, {"trace_id": "tr-1", "trace": json.dumps(MLFLOW)}])
def test_mlflows_traces_are_read(record: Any):
    sample = only(record)

    assert (sample.query, sample.response, sample.latency) == (QUESTION, ANSWER, 1.5)
    assert (sample.contexts, sample.context_ids) == ((ANSWER,), ("n2",))
    assert sample.context_scores == (0.5,)
    usage = {"calls": 1, "prompt_tokens": 10, "completion_tokens": 3, "cost": 0.5}
    assert sample.metadata["usage"] == usage


def test_langfuses_traces_are_read_without_the_users_id():
    sample = only(LANGFUSE)

    assert (sample.id, sample.query, sample.response) == ("lf-1", QUESTION, ANSWER)
    assert (sample.contexts, sample.latency) == ((ANSWER,), 1.5)
    usage = sample.metadata["usage"]
    assert (usage["cost"], usage["first_token"]) == (0.5, pytest.approx(0.7))
    assert "ann" not in sample.model_dump_json()


def test_langfuses_table_of_observations_is_read():
    rows = [{**row, "input": row.get("input", QUESTION)} for row in LANGFUSE["observations"]]

    sample = only(*rows)

    assert (sample.id, sample.query, sample.contexts) == ("lf-1", QUESTION, (ANSWER,))


def test_documents_of_which_only_the_ids_were_recorded_give_no_contexts():
    attributes = {
        "gen_ai.operation.name": "retrieval",
        "gen_ai.retrieval.query.text": QUESTION,
        "gen_ai.retrieval.documents": '[{"id": "d1", "score": 0.5}]',
    }

    sample = only(otlp({"id": "a", "start": 0, "end": 1, "attributes": attributes}))

    assert (sample.query, sample.context_ids) == (QUESTION, ("d1",))
    assert not sample.has("contexts")


def asked(trace: str, question: str, answer: str = ANSWER) -> dict[str, Any]:
    attributes = {**kind("CHAIN"), "input.value": question, "output.value": answer}
    return {"id": trace, "trace": trace, "start": 0, "end": 1, "attributes": attributes}


def test_traces_without_a_question_are_left_out_and_repeats_are_one():
    index = {"id": "i", "trace": "i", "start": 0, "end": 1, "attributes": kind("EMBEDDING")}
    record = otlp(asked("a", "Who?"), asked("b", "who? "), asked("c", "Who?", "Nobody."), index)

    found = read_traces([record])

    assert [sample.id for sample in found.samples] == ["a", "c"]
    assert found.samples[0].metadata["asked"] == 2
    assert (found.traces, found.repeats, found.without_question) == (4, 1, ("i",))
    assert len(read_traces([record], keep_repeats=True).samples) == 3


def test_a_sample_of_traces_does_not_depend_on_their_order():
    spans = [asked(str(number), f"Question {number}?") for number in range(30)]

    chosen = [one.id for one in read_traces([otlp(*spans)], sample=5).samples]
    turned = [one.id for one in read_traces([otlp(*reversed(spans))], sample=5).samples]
    other = [one.id for one in read_traces([otlp(*spans)], sample=5, seed=1).samples]

    assert len(chosen) == 5
    assert sorted(chosen) == sorted(turned)
    assert sorted(chosen) != sorted(other)


def test_personal_data_is_masked_in_texts_arguments_and_ids():
    tool = {
        **kind("TOOL"),
        "tool.name": "mail",
        "input.value": '{"to": "ann@example.com", "ann@example.com": 1}',
        "output.value": "sent",
    }
    spans = [
        asked("ann@example.com", "Mail ann@example.com"),
        {
            "id": "x",
            "trace": "ann@example.com",
            "parent": "ann@example.com",
            "start": 0.5,
            "end": 0.6,
            "attributes": tool,
        },
    ]

    sample = only(otlp(*spans))

    assert sample.query == "Mail [EMAIL 1]"
    call = sample.metadata["trajectory"][0]["tool_calls"][0]
    assert call["args"] == {"to": "[EMAIL 1]", "[EMAIL 1]": 1}
    assert "ann" not in sample.model_dump_json()
    assert only(otlp(*spans), masker=None).query == "Mail ann@example.com"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1}', "expected traces: OTLP JSON"),
        ("5", "expected traces: OTLP JSON .*; got int"),
        ('{"resourceSpans": []}\nnot JSON', "line 2: expected JSON"),
        ('{"resourceSpans": []}\n{"question": "Who?"}', "line 2: expected .* names 'question'"),
    ],
)
def test_a_file_of_something_else_is_refused_by_name(tmp_path: Path, text: str, said: str):
    path = tmp_path / "traces.json"
    path.write_text(text)

    with pytest.raises(DatasetError, match=said) as refused:
        read_traces(path)
    assert "traces.json" in str(refused.value)


def test_a_missing_file_and_an_empty_sample_are_refused(tmp_path: Path):
    with pytest.raises(DatasetError, match=r"none\.json.*cannot be read"):
        read_traces(tmp_path / "none.json")
    with pytest.raises(InputError, match="'sample' is 0"):
        read_traces([], sample=0)


HOSTILE: list[Any] = [
    {"resourceSpans": {"a": 1}},
    {"resourceSpans": [{"scopeSpans": [{"spans": [{"attributes": [1, {"key": "a"}]}]}]}]},
    {"context": {"trace_id": "t"}, "attributes": {"input": 1, "input.value": "x", "a..b": 1}},
    {"context.trace_id": "t", "attributes": "[" * 5000, "events": [1, None]},
    {"info": None, "data": {"spans": [{"attributes": None}]}},
    {"id": "x", "observations": [None, {"id": 1, "usage": "x", "type": None}]},
    {"traceId": 1, "spanId": 2, "startTimeUnixNano": "x", "status": [], "attributes": {"1": {}}},
]


@pytest.mark.parametrize("record", HOSTILE)
def test_a_broken_record_breaks_nothing_else(record: Any):
    found = read_traces([record, otlp(*OPENINFERENCE)])

    assert QUESTION in [sample.query for sample in found.samples]  # type: ignore[union-attr]  # of one turn all
