"""A query log gives the traffic of a set, and none of its questions."""

import json
from collections import Counter
from typing import Any

import pytest

from llamaindex_rag_eval.errors import DatasetError, InputError
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.models import ScriptedOracle
from tests.models.asking import oracle_at
from tests.server import LoopbackServer
from tests.testset.corpora import documents
from testset import Category, QueryLog, Traffic, generate
from testset.generation.query_log import traffic_in_log
from testset.requests.classes import Classes, ClassesOf, Classified

FAULTLESS = "tests.server.writer_responders:FAULTLESS"
ENGLISH = ("How much is a winch?", "winch weight", "Why is the crane slow?")
LOG = QueryLog((*ENGLISH, ENGLISH[0], "Wie viel wiegt die Winde in der Halle?"), source="log.csv")


async def test_without_a_model_languages_and_lengths_are_counted():
    traffic = await traffic_in_log(LOG, None, seed=7)
    (category,) = traffic.categories
    # Four of five are English, and all have eight words or fewer.
    assert category.axes == {"language": {"en": 80.0, "de": 20.0}, "length": {"short": 100.0}}
    assert traffic.source == "log.csv: 4 questions"
    assert not traffic.needs_model


async def test_a_model_tells_people_types_kinds_and_styles_apart():
    buyer = Classified(user="A buyer.", type="single_hop", kind="numeric")
    keeper = Classified(user="A keeper.", type="reasoning", kind="numeric", style="odd")
    by_question = dict(
        zip([*ENGLISH, LOG.questions[-1]], [buyer, buyer, keeper, keeper], strict=True)
    )

    def reply(request: ClassesOf) -> Classes:
        return Classes(questions=tuple(by_question[text] for text in request.questions))

    oracle = ScriptedOracle(reply)
    traffic = await traffic_in_log(LOG, Judge(oracle), seed=7)
    assert len(oracle.asked) == 1
    first, second = traffic.categories
    # The first question was asked twice: three of five are a buyer's.
    assert (first.share, second.share) == (60.0, 40.0)
    assert first.axes["user"] == {"A buyer.": 100.0}
    assert first.axes["kind"] == {"numeric": 100.0}
    assert second.axes["type"] == {"reasoning": 100.0}
    assert second.axes["style"] == {"plain": 100.0}
    assert "kind" not in second.axes
    assert traffic.source == "log.csv: 4 questions, 4 of them told apart by the model"


async def test_a_long_log_is_sampled_in_three_calls_that_know_the_people_before():
    def reply(request: ClassesOf) -> Classes:
        one = Classified(user="A buyer.", type="single_hop")
        return Classes(questions=(one,) * len(request.questions))

    oracle = ScriptedOracle(reply, reply, reply)
    log = QueryLog(tuple(f"What is number {n}?" for n in range(400)))
    await traffic_in_log(log, Judge(oracle), seed=7)
    asked: list[Any] = [*oracle.asked]
    assert [len(request.questions) for request in asked] == [50, 50, 50]
    assert [request.users for request in asked] == [(), ("A buyer.",), ("A buyer.",)]


@pytest.mark.parametrize(
    "question", ["How much is a winch?", "how much is a winch", "How much is the winch?"]
)
def test_a_question_of_the_log_and_a_near_copy_are_known(question):
    assert LOG.holds(question)
    assert not LOG.holds("Which hall keeps the turbines of Arden?")
    assert QueryLog(("東京の人口は何人ですか？",)).holds("東京の人口は何人ですか")


def test_a_set_follows_the_log_and_copies_nothing_of_it(tmp_path):
    with LoopbackServer(responders=FAULTLESS) as server:
        plain = generate(documents(24), size=6, types=["single_hop"], judge=oracle_at(server))
        copied = [item.question for item in plain]
        path = tmp_path / "log.jsonl"
        rows = [{"query": text} for text in (*copied, *ENGLISH)]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        log, journal = QueryLog.read(path), tmp_path / "journal"
        golden = generate(documents(24), size=8, log=log, judge=oracle_at(server), journal=journal)
        calls = server.stats().by_name
    assert len(golden) == 8
    assert calls["classes"] == 1
    assert not any(log.holds(item.question) for item in golden)
    assert golden.facts["traffic"].startswith("log.jsonl: 9 questions, 9 of them")
    assert "traffic, user" in golden.facts
    written = "".join(map(str, golden.rejected)) + (tmp_path / "journal.account").read_text()
    assert not any(text in written for text in copied)
    assert Counter(item.axes.persona for item in golden)


def test_mistakes_are_told(tmp_path):
    empty = tmp_path / "log.csv"
    empty.write_text("query\n\n", "utf-8")
    with pytest.raises(DatasetError, match="holds no question"):
        QueryLog.read(empty)
    empty.write_text("colour\nred\n", "utf-8")
    with pytest.raises(DatasetError, match="expected 'query'"):
        QueryLog.read(empty)
    with pytest.raises(InputError, match="leave out all but one"):
        generate(documents(2), log=LOG, traffic=Traffic((Category(100),)))
    with pytest.raises(InputError, match="leave out types, styles and"):
        generate(documents(2), log=LOG, types=["table"])
