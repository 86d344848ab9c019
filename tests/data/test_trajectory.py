import pytest

from llamaindex_rag_eval.data.sample import Message, MultiTurnSample, SingleTurnSample, ToolCall
from llamaindex_rag_eval.data.trajectory import conversation_of, retrieval_steps
from llamaindex_rag_eval.errors import InputError

STEPS = [
    {"role": "assistant", "tool_calls": [{"name": "find", "args": {"k": 2, "q": "pump"}}]},
    {"role": "tool", "content": "5 l", "contexts": ["It holds 5 l."]},
    {"role": "assistant", "content": "5 l."},
]


def test_an_answer_with_a_trajectory_is_a_conversation_with_its_references():
    before = (Message(role="user", content="Hello."),)
    metadata = {"trajectory": STEPS, "reference_tool_calls": [{"name": "find"}], "topic": "pumps"}
    sample = SingleTurnSample(
        id="q", query="What?", reference="5 l", earlier_messages=before, metadata=metadata
    )

    talk = conversation_of(sample)

    assert isinstance(talk, MultiTurnSample)
    assert [m.role for m in talk.messages] == ["user", "user", "assistant", "tool", "assistant"]
    assert (talk.id, talk.reference) == ("q", "5 l")
    assert talk.reference_tool_calls == (ToolCall(name="find"),)
    assert not talk.has("reference_topics")


def test_other_samples_stay_as_they_are():
    for sample in (SingleTurnSample(query="?"), MultiTurnSample(metadata={"trajectory": STEPS})):
        assert conversation_of(sample) is sample


def test_a_trajectory_that_is_none_is_refused_by_name():
    for steps in (5, [{"role": "robot"}], "text"):
        sample = SingleTurnSample(id="q7", query="?", metadata={"trajectory": steps})
        with pytest.raises(InputError, match="the trajectory of sample 'q7' cannot be read"):
            conversation_of(sample)


def test_a_step_that_retrieved_asks_what_its_call_asked_or_the_user():
    numbers = {"role": "assistant", "tool_calls": [{"name": "get", "args": {"id": 5}}]}
    both = {**numbers, "tool_calls": [*STEPS[0]["tool_calls"], *numbers["tool_calls"]]}  # type: ignore[misc]  # lists
    second = {"role": "tool", "contexts": ["A valve."]}
    rows = [{"role": "user", "content": "What?"}, both, STEPS[1], second, {"role": "tool"}]
    talk = MultiTurnSample.model_validate({"id": "t", "messages": rows})

    steps = retrieval_steps(talk)

    assert [(step.query, step.texts) for step in steps] == [
        ("pump", ("It holds 5 l.",)),
        ("What?", ("A valve.",)),
    ]
    assert [step.id for step in steps] == ["t#2", "t#3"]
