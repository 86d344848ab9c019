"""Checking by a classifier: scores to chances, and pairs in batches off the event loop."""

import asyncio
import pickle
import threading
from collections.abc import Sequence

import numpy as np
import pytest

from llamaindex_rag_eval.errors import CallError, InputError
from llamaindex_rag_eval.judge.fact_check import Chance, ClassifierChecker
from llamaindex_rag_eval.judge.fact_check.classifier import MOST_PAIRS
from tests.judge.fact_check.words import WordOverlap

TWO = ("not_supported", "supported")


class Fixed:
    """Gives every pair the same scores; `config` as a model of transformers has it."""

    def __init__(self, *scores: float) -> None:
        self.scores = scores

    def predict(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        return np.array([self.scores for _ in pairs])


def checker_of(*scores: float, labels: Sequence[str] = TWO) -> ClassifierChecker:
    return ClassifierChecker(Fixed(*scores), labels=labels, name="fixed")


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((0.25, 0.75), 0.75),  # probabilities
        ((0.0, np.log(3.0)), 3 / 4),  # logits: e^log 3 / (1 + e^log 3)
        ((-800.0, 800.0), 1.0),  # and no overflow
    ],
)
async def test_logits_and_probabilities_are_told_apart(scores: tuple[float, ...], expected: float):
    (chance,) = await checker_of(*scores).chances([("a", "b")])
    assert chance.supported == pytest.approx(expected)


async def test_one_output_must_be_a_probability_and_be_named():
    (chance,) = await checker_of(0.7, labels=["supported"]).chances([("a", "b")])
    assert chance.supported == pytest.approx(0.7)
    with pytest.raises(CallError, match="no probability"):
        await checker_of(1.7, labels=["supported"]).chances([("a", "b")])


async def test_what_is_no_score_is_an_error():
    with pytest.raises(CallError, match="not a number"):
        await checker_of(float("nan"), 1.0).chances([("a", "b")])
    with pytest.raises(InputError, match="gives 3 numbers a pair, but has the labels not_"):
        await checker_of(1.0, 2.0, 3.0).chances([("a", "b")])


async def test_what_is_asked_at_the_same_time_is_one_call_and_each_pair_is_in_it_once():
    model = WordOverlap()
    checker = ClassifierChecker(
        model, labels=("contradiction", "entailment", "neutral"), name="words"
    )
    pairs = [("Ada is tall.", "Ada is tall."), ("It rains.", "Ada is tall.")]
    found = await asyncio.gather(*(checker.chances(pairs) for _ in range(20)))
    assert model.asked == [pairs]
    assert [chance.supported for chance in found[7]] == [1.0, 0.0]
    assert await checker.chances([]) == []


async def test_the_event_loop_goes_on_and_one_batch_runs_at_a_time():
    class Slow(Fixed):
        running = 0
        sizes: list[int] = []  # noqa: RUF012 - of this test
        threads: set[int] = set()  # noqa: RUF012

        def predict(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
            Slow.running += 1
            assert Slow.running == 1
            Slow.sizes.append(len(pairs))
            Slow.threads.add(threading.get_ident())
            released.wait(10)
            Slow.running -= 1
            return super().predict(pairs)

    released = threading.Event()
    checker = ClassifierChecker(Slow(0.5, 0.5), labels=TWO, name="slow")
    tasks = [
        asyncio.create_task(checker.chances([(f"{task} {number}", "c") for number in range(100)]))
        for task in range(6)
    ]
    await asyncio.sleep(0.05)  # the loop goes on while the model is at work
    assert not any(task.done() for task in tasks)
    released.set()
    await asyncio.gather(*tasks)
    assert threading.get_ident() not in Slow.threads
    assert sum(Slow.sizes) == 600
    assert max(Slow.sizes) < MOST_PAIRS + 100


async def test_a_model_that_fails_fails_those_who_wait_and_is_asked_again():
    class Failing(Fixed):
        calls = 0

        def predict(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
            Failing.calls += 1
            if Failing.calls == 1:
                raise RuntimeError("out of memory")
            return super().predict(pairs)

    checker = ClassifierChecker(Failing(0.0, 1.0), labels=TWO, name="failing")
    results = await asyncio.gather(
        *(checker.chances([("a", "b")]) for _ in range(2)), return_exceptions=True
    )
    assert {str(one) for one in results} == {"the fact checker failed: RuntimeError: out of memory"}
    assert all(isinstance(one, CallError) for one in results)
    assert await checker.chances([("a", "b")]) == [Chance(1.0)]


async def test_a_caller_who_gives_up_leaves_the_others_their_answer():
    checker = checker_of(0.0, 1.0)
    gone = asyncio.create_task(checker.chances([("a", "b")]))
    stays = asyncio.create_task(checker.chances([("a", "b")]))
    await asyncio.sleep(0)
    gone.cancel()
    assert await stays == [Chance(1.0)]


def test_each_event_loop_is_answered_and_settings_survive_a_pickle():
    checker = checker_of(0.0, 1.0)
    for one in (checker, pickle.loads(pickle.dumps(checker))):  # noqa: S301 - our own
        for _ in range(2):
            assert asyncio.run(one.chances([("a", "b")])) == [Chance(1.0)]
