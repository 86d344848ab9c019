from llamaindex_rag_eval.data.sample import Message, MultiTurnSample
from llamaindex_rag_eval.judge import Critique, CritiqueOf, Judge
from llamaindex_rag_eval.metrics.knowledge_retention import KnowledgeRetention
from llamaindex_rag_eval.models import ScriptedOracle
from tests.scripted import asked_of


def user(text):
    return Message(role="user", content=text)


def bot(text, **fields):
    return Message(role="assistant", content=text, **fields)


def talk(*messages, **fields):
    return MultiTurnSample(id="t", messages=messages, **fields)


PUMPS = talk(user("q1"), bot("a1"), user("q2"), bot("a2"), user("q3"), bot("a3"))


async def test_retention_judges_each_answer_by_what_was_said_before_it():
    oracle = ScriptedOracle(
        Critique(verdict=False),
        Critique(verdict=True, reason="It asks again."),
        Critique(verdict=False),
    )
    result = await KnowledgeRetention(Judge(oracle)).result(
        talk(bot("Hello!"), *PUMPS.messages)  # nothing was said before the greeting
    )
    assert result.score == 2 / 3
    assert [request.contexts for request in asked_of(oracle, CritiqueOf)] == [
        ("q1",),
        ("q1", "q2"),
        ("q1", "q2", "q3"),
    ]
    assert result.evidence["answers"][1] == {
        "answer": "a2",
        "forgets": True,
        "reason": "It asks again.",
    }
