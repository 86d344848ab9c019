import pytest
from pydantic import ValidationError

from llamaindex_rag_eval.data.sample import (
    ALIASES,
    Message,
    MultiTurnSample,
    SingleTurnSample,
    sample_of,
    transcript,
)

LISTS = {"contexts", "reference_contexts", "context_ids", "reference_context_ids"}
EVERY_ALIAS = [(alias, ours) for ours, names in ALIASES.items() for alias in names]


@pytest.mark.parametrize(("alias", "ours"), EVERY_ALIAS)
def test_every_alias_fills_our_field(alias: str, ours: str) -> None:
    value: object = ("a",) if ours in LISTS else {"1": "a"} if ours == "rubrics" else "a"
    assert getattr(sample_of({alias: value}), ours) == value


def single(row: dict[str, object]) -> SingleTurnSample:
    sample = sample_of(row)
    assert isinstance(sample, SingleTurnSample)
    return sample


def test_our_name_wins_over_an_alias_wherever_it_stands() -> None:
    assert single({"question": "theirs", "query": "ours"}).query == "ours"
    assert single({"query": "ours", "question": "theirs"}).query == "ours"


def test_of_several_ground_truths_the_first_is_the_reference() -> None:
    assert sample_of({"query": "q", "ground_truths": ["a", "b"]}).reference == "a"


def test_no_ground_truths_are_no_reference() -> None:
    assert not sample_of({"query": "q", "ground_truths": []}).has("reference")


def test_a_field_that_was_given_empty_is_not_a_missing_one() -> None:
    sample = sample_of({"query": "q", "response": "", "contexts": [], "reference": None})
    assert sample.has("response")
    assert sample.has("contexts")
    assert not sample.has("reference")


def test_unknown_fields_become_metadata_and_given_metadata_wins() -> None:
    sample = sample_of({"query": "q", "topic": "a", "split": "b", "metadata": {"topic": "c"}})
    assert sample.metadata == {"topic": "c", "split": "b"}


def test_metadata_that_is_no_mapping_is_refused_also_beside_unknown_fields() -> None:
    with pytest.raises(ValidationError, match="metadata"):
        sample_of({"query": "q", "metadata": "text", "topic": "a"})


def test_numbers_become_text_where_a_text_is_wanted() -> None:
    sample = single({"id": 7, "query": "how many?", "response": 42, "context_ids": [1, 2]})
    assert (sample.id, sample.response, sample.context_ids) == ("7", "42", ("1", "2"))


def test_nan_is_refused() -> None:
    with pytest.raises(ValidationError, match="finite"):
        SingleTurnSample(latency=float("nan"))


def test_a_single_context_may_be_a_plain_text() -> None:
    assert single({"query": "q", "retrieved_contexts": "one"}).contexts == ("one",)


def test_a_list_in_user_input_is_a_conversation() -> None:
    sample = sample_of({"user_input": [{"role": "user", "content": "hi"}], "messages": None})
    assert isinstance(sample, MultiTurnSample)
    assert sample.messages[0].content == "hi"


def test_a_conversation_without_messages_is_still_one() -> None:
    assert isinstance(sample_of({"messages": []}), MultiTurnSample)


def test_turns_pair_every_answer_with_the_question_before_it() -> None:
    talk = MultiTurnSample.model_validate(
        {
            "id": "t",
            "messages": [
                {"role": "user", "content": "a?"},
                {"role": "assistant", "content": "a.", "contexts": ["c"]},
                {"role": "user", "content": "b?"},
                {"role": "assistant", "content": "b."},
            ],
        }
    )
    first, second = talk.turns()
    assert (first.id, first.query, first.response, first.contexts) == ("t#1", "a?", "a.", ("c",))
    assert (second.id, second.query, second.has("contexts")) == ("t#3", "b?", False)


def test_samples_do_not_change() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        setattr(SingleTurnSample(query="q"), "query", "other")  # noqa: B010 - mypy forbids it, too


def test_what_a_conversation_asks_are_the_messages_of_the_user() -> None:
    talk = MultiTurnSample(
        messages=(
            Message(role="system", content="be brief"),
            Message(role="user", content="a?"),
            Message(role="assistant", content="b"),
            Message(role="user", content="c?"),
        )
    )
    assert talk.asked == "a?\nc?"
    assert transcript(talk.messages[1:3]) == "user: a?\nassistant: b"
