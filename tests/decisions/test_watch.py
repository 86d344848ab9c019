"""Watching: passes over traces that grow."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from llama_index.core.llms import MockLLM

from llamaindex_rag_eval.decisions.policy import Threshold
from llamaindex_rag_eval.decisions.watch import Watched, watch
from llamaindex_rag_eval.errors import InputError, MissingFieldError
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.models import LLMOracle
from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.models.usage import Budget
from llamaindex_rag_eval.runs.store.run_store import RunStore
from tests.traces.recorded import kind, otlp

FAITHFUL, INVENTED = "The pump holds 5 l.", "The gate weighs 90 kg."


def trace(number: int, answer: str, question: str = "What holds 5 l?") -> dict[str, Any]:
    about = {"trace": f"t{number}", "start": number, "end": number + 0.5}
    chain = {"input.value": question, "output.value": answer}
    document = "retrieval.documents.0.document.content"
    return otlp(
        {**about, "id": f"c{number}", "attributes": {**kind("CHAIN"), **chain}},
        {
            **about,
            "id": f"r{number}",
            "parent": f"c{number}",
            "attributes": {**kind("RETRIEVER"), document: FAITHFUL},
        },
    )


class Traffic:
    """A file of traces that grows, and the runs that were made of it."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "spans.jsonl"
        self.file.touch()
        self.store = RunStore(folder / "runs.db")
        self.count = 0

    def add(self, answers: Sequence[str], **about: str) -> None:
        with self.file.open("a") as file:
            for answer in answers:
                self.count += 1
                file.write(json.dumps(trace(self.count, answer, **about)) + "\n")

    def watch(self, **options: Any) -> Watched:
        given = {"metrics": ["faithfulness"], "store": self.store, **options}
        return watch(self.file, **given)


@pytest.fixture
def traffic(tmp_path: Path) -> Traffic:
    return Traffic(tmp_path)


LIMIT = Threshold("min", "faithfulness", 0.8)


def test_each_trace_is_scored_once_and_stored(traffic: Traffic) -> None:
    traffic.add([FAITHFUL] * 3)
    first = traffic.watch()
    traffic.add([FAITHFUL] * 2)
    second = traffic.watch()
    third = traffic.watch()

    assert [len(watched.run or ()) for watched in (first, second, third)] == [3, 2, 0]
    assert [run.samples for run in traffic.store.runs(name="live")] == [2, 3]
    assert (third.traces, third.new) == (5, 0)


def test_an_alarm_says_that_the_mean_has_fallen_and_comes_once(traffic: Traffic) -> None:
    options = {"limits": [LIMIT], "false_alarm_every": 200}
    traffic.add([FAITHFUL] * 40)
    assert not traffic.watch(**options).has_alarm
    traffic.add([INVENTED] * 12)
    fallen = traffic.watch(**options)
    traffic.add([FAITHFUL] * 2)
    after = traffic.watch(**options)

    [limit] = fallen.limits
    assert limit.is_new
    assert (limit.scored, limit.recent) == (52, 12)
    assert limit.sentence.startswith("ALARM: faithfulness is below its limit of 0.8: the last 12")
    assert not after.has_alarm
    assert after.limits[0].alarms == limit.alarms


def test_a_limit_from_above_is_held_too(traffic: Traffic) -> None:
    traffic.add([FAITHFUL] * 30)
    limits = [Threshold("max", "faithfulness", 0.2)]
    watched = traffic.watch(limits=limits, false_alarm_every=200)
    assert watched.has_alarm
    assert "faithfulness is above its limit of 0.2" in watched.limits[0].sentence


def test_a_line_that_is_still_written_and_a_trace_that_may_grow_wait(traffic: Traffic) -> None:
    traffic.add([FAITHFUL] * 2)
    whole = json.dumps(trace(3, FAITHFUL))
    with traffic.file.open("a") as file:
        file.write(whole[:90])
    assert traffic.watch().traces == 2
    with traffic.file.open("a") as file:
        file.write(whole[90:])
    waits = traffic.watch(settled=1e10)  # each ended less than this many seconds ago
    assert (waits.unfinished, waits.run) == (3, None)
    assert traffic.watch().new == 1


def test_a_share_and_a_number_limit_what_is_scored(traffic: Traffic) -> None:
    traffic.add([FAITHFUL] * 60)
    first, second, third = (traffic.watch(share=0.5, most=20) for _ in range(3))
    drawn = first.new
    assert 15 < drawn < 45
    scored = [len(watched.run or ()) for watched in (first, second, third)]
    assert scored == [20, min(20, drawn - 20), max(0, drawn - 40)]


def test_answers_that_no_metric_can_read_are_left_out_and_end_no_pass(traffic: Traffic) -> None:
    greeting = otlp(
        {
            "trace": "hello",
            "id": "c0",
            "start": 0,
            "end": 1,
            "attributes": {**kind("CHAIN"), "input.value": "Hello!", "output.value": "Hello."},
        }
    )
    traffic.file.write_text(json.dumps(greeting) + "\n")
    with pytest.raises(MissingFieldError, match="'contexts'"):
        traffic.watch()  # nothing was ever scored: perhaps no contexts are traced
    traffic.add([FAITHFUL])
    first, second = traffic.watch(), traffic.watch()
    assert (len(first.run or ()), first.lacking) == (1, 1)
    assert (second.run, second.new, second.lacking) == (None, 0, 1)


def test_what_a_budget_leaves_waits_and_no_empty_run_is_stored(traffic: Traffic) -> None:
    traffic.add([FAITHFUL] * 2)
    judge = Judge(LLMOracle(MockLLM(), limit=Limit(budget=Budget(calls=0))))
    stopped = traffic.watch(judge=judge)
    assert (stopped.run is None or len(stopped.run), stopped.new) == (0, 2)
    assert traffic.store.runs() == ()
    assert len(traffic.watch().run or ()) == 2


def test_questions_unlike_those_of_a_golden_set_are_named(traffic: Traffic) -> None:
    golden = [f"What holds {number} l of oil in the hall?" for number in range(20)]
    traffic.add([FAITHFUL], question="What holds 21 l of oil in the hall?")
    traffic.add([FAITHFUL], question="Wem gehört der rote Schlüssel?")
    unusual = traffic.watch(golden=golden).unusual
    assert [sample.asked for sample in unusual] == ["Wem gehört der rote Schlüssel?"]


def test_what_cannot_be_watched_is_refused(traffic: Traffic) -> None:
    traffic.add([FAITHFUL])
    for options, said in (
        ({"share": 0.0}, "expected a number above 0"),
        ({"limits": [Threshold("min", "mrr", 0.5)]}, "is of no metric that is scored"),
        ({"limits": [Threshold("min", "faithfulness", 1.0)]}, "needs one between"),
        ({"limits": [LIMIT], "false_alarm_every": 1}, "'every' above 1"),
    ):
        with pytest.raises(InputError, match=said):
            traffic.watch(**options)
    assert traffic.store.runs() == ()
