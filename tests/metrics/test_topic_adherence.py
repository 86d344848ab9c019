import pytest

from llamaindex_rag_eval.data.sample import Message, MultiTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.judge.topics import Topics, TopicsOf, TurnTopics
from llamaindex_rag_eval.metrics.topic_adherence import TopicAdherence, TopicMode
from llamaindex_rag_eval.models import ScriptedOracle


def user(text):
    return Message(role="user", content=text)


def bot(text, **fields):
    return Message(role="assistant", content=text, **fields)


def talk(*messages, **fields):
    return MultiTurnSample(id="t", messages=messages, **fields)


PUMPS = talk(user("q1"), bot("a1"), user("q2"), bot("a2"), user("q3"), bot("a3"))

TOPICAL = MultiTurnSample(messages=PUMPS.messages, reference_topics=("pumps", "orders"))


def about(*turns):
    return Topics(turns=tuple(TurnTopics(topics=t, declined=declined) for t, declined in turns))


@pytest.mark.parametrize(
    ("turns", "precision", "recall", "f1"),
    [
        (about(((0,), False), ((1,), False), ((), True)), 1, 1, 1),
        # Answered: three, on topic: two. On topic: two, both answered.
        (about(((0,), False), ((1,), False), ((), False)), 2 / 3, 1, 4 / 5),
        # Answered: one, on topic. On topic: two, one of them answered.
        (about(((0,), False), ((1,), True), ((), True)), 1, 1 / 2, 2 / 3),
        (about(((), False), ((), False), ((0,), True)), 0, 0, 0),
        (about(((), True), ((), True), ((), True)), None, None, None),
        (about(((0,), True), ((), True), ((), True)), None, 0, None),
    ],
)
async def test_topic_adherence_by_hand(turns, precision, recall, f1):
    by_mode: dict[TopicMode, float | None] = {"precision": precision, "recall": recall, "f1": f1}
    for mode, expected in by_mode.items():
        result = await TopicAdherence(ScriptedOracle(turns), mode=mode).result(TOPICAL)
        assert result.score == (pytest.approx(expected) if expected is not None else None)


async def test_topics_are_asked_once_for_the_whole_conversation():
    oracle = ScriptedOracle(about(((0,), False), ((0,), False), ((0,), False)))
    await TopicAdherence(Judge(oracle)).result(TOPICAL)
    turns = (("q1", "a1"), ("q2", "a2"), ("q3", "a3"))
    assert oracle.asked == [TopicsOf(turns=turns, topics=("pumps", "orders"))]


@pytest.mark.parametrize(
    "reply",
    [
        about(((0,), False)),  # three turns, one verdict
        about(((0,), False), ((2,), False), ((), False)),  # there is no third topic
    ],
)
async def test_a_reply_on_topics_that_breaks_its_contract_is_a_failure(reply):
    result = await TopicAdherence(ScriptedOracle(reply)).result(TOPICAL)
    assert (result.status, result.error_type) == ("failed", "ReplyError")


def test_a_mode_that_does_not_exist_is_refused():
    with pytest.raises(InputError, match="'f1'"):
        TopicAdherence(mode="f2")  # type: ignore[arg-type]  # what is refused
