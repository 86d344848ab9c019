"""Evaluation: nothing is lost, nothing touches its neighbour, what cannot be is said before."""

import asyncio
import sys

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import (
    BudgetError,
    InputError,
    MissingFieldError,
    NeedsModelError,
)
from llamaindex_rag_eval.judge import Claims, ClaimsOf, Judge, SupportOf
from llamaindex_rag_eval.metrics.answer_similarity import AnswerSimilarity
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.metrics.result import Score
from llamaindex_rag_eval.models import CachedOracle, ScriptedOracle
from llamaindex_rag_eval.runs.evaluate import aevaluate, evaluate
from tests import prepared
from tests.runs.evaluations import Length, replies, samples, script


class Breaks(Metric):
    name = "breaks"
    needs = frozenset({"response"})

    async def measure(self, sample: SingleTurnSample) -> Score:
        raise ZeroDivisionError("by design")


def test_a_metric_that_raises_is_a_failed_row_and_touches_no_other():
    run = evaluate(samples(), metrics=[Length(), Breaks()])
    assert [r.status for r in run.of("length")] == ["scored"] * 3
    assert [r.status for r in run.of("breaks")] == ["failed"] * 3
    assert run.of("breaks")[0].reason == "ZeroDivisionError: by design"
    length, breaks = run.summary()
    assert (length.scored, length.failed, breaks.scored, breaks.failed) == (3, 0, 0, 3)
    assert breaks.mean is None


def test_nan_is_no_score():
    class Odd(Metric):
        name = "odd"
        needs = frozenset({"response"})

        async def measure(self, sample: SingleTurnSample) -> Score:
            return Score(float("nan"))

    result = evaluate(samples(1), metrics=[Odd()]).results[0]
    assert (result.status, result.score, "NaN" in result.reason) == ("failed", None, True)


def test_metrics_share_judgements():
    oracle = script()
    faith = Faithfulness()
    run = evaluate(samples(1), metrics=[faith, "context_recall"], judge=Judge(CachedOracle(oracle)))
    # claims of response and of reference, support of each: "a" over the same context is one
    assert len(oracle.asked) == 2 + 1
    assert [result.score for result in run.results] == [1.0, 1.0]


def test_a_sample_without_a_field_fails_alone():
    bare = SingleTurnSample(id="bare", query="?", response="x")
    run = evaluate([*samples(1), bare], metrics=["faithfulness"], judge=script())
    assert [result.status for result in run.results] == ["scored", "failed"]
    assert run.results[1].error_type == "MissingFieldError"


def test_a_field_that_no_sample_has_is_an_error_before_anything_is_asked():
    oracle = script()
    with pytest.raises(MissingFieldError, match="'faithfulness' needs 'contexts'"):
        evaluate(
            [SingleTurnSample(query="?", response="x")], metrics=["faithfulness"], judge=oracle
        )
    assert oracle.asked == []


def test_a_pipeline_that_failed_on_a_question_is_named_in_the_reason():
    broken = SingleTurnSample(id="b", query="?", error="ConnectionError: down")
    run = evaluate([*samples(1), broken], metrics=["faithfulness"], judge=script())
    assert "ConnectionError: down" in run.results[1].reason


def test_what_rules_cannot_judge_is_said_before_the_run():
    class Opinion(Metric):
        name = "opinion"
        needs = frozenset({"response"})

        def answerable(self) -> bool:
            return False

        async def measure(self, sample: SingleTurnSample) -> Score:
            raise AssertionError("never reached")

    with pytest.raises(NeedsModelError, match="'opinion' cannot be judged by rules"):
        evaluate(samples(), metrics=[Opinion()])


def test_no_samples_no_metrics_and_the_same_metric_twice_are_errors():
    with pytest.raises(InputError, match="at least one sample"):
        evaluate([], metrics=["faithfulness"])
    with pytest.raises(InputError, match="at least one metric"):
        evaluate(samples(), metrics=[])
    with pytest.raises(InputError, match="'length' is asked for twice"):
        evaluate(samples(), metrics=[Length(), Length()])


NOTEBOOK = """
import asyncio
from llamaindex_rag_eval import Faithfulness, SingleTurnSample, evaluate

async def cell():
    sample = SingleTurnSample(query="?", response="Paris is big.", contexts=("Paris is big.",))
    run = evaluate([sample], metrics=[Faithfulness(graded=False)])
    counted = Faithfulness(graded=False)
    alone = counted.evaluate(query="?", response="Paris is big.", contexts=["Paris is big."])
    print(run.results[0].score, alone.score)

asyncio.run(cell())
"""


def test_works_where_a_loop_already_runs():
    # in a process of its own: nest-asyncio changes asyncio for the rest of the process
    done = prepared.run([sys.executable, "-c", NOTEBOOK], check=True)
    assert done.stdout.split() == ["1.0", "1.0"]


def test_a_spent_budget_ends_the_run_and_keeps_what_was_scored():
    left = iter([Claims(claims=("a",))] * 2)

    def until_spent(request: ClaimsOf) -> Claims:
        try:
            return next(left)
        except StopIteration:
            raise BudgetError("the budget of 4 calls is spent") from None

    judge = Judge(ScriptedOracle(by_request={ClaimsOf: until_spent, SupportOf: replies}))
    run = evaluate(samples(5), metrics=["faithfulness"], judge=judge, concurrency=1)
    summary = run.summary()[0]
    assert (summary.scored, summary.failed, summary.missing) == (2, 0, 3)
    assert "budget of 4 calls" in run.provenance.notes[-1]


def test_the_run_says_what_made_it():
    run = evaluate(samples(), metrics=[Faithfulness(), AnswerSimilarity()])
    made = run.provenance
    assert set(made.answered_by) == {"ClaimsOf", "SupportOf", "SimilaritiesOf"}
    assert all(who.startswith("embedded-rules/") for who in made.answered_by.values())
    assert "not by an LLM" in made.notes[0]
    assert made.dataset
    assert made.versions["llama-index-core"]
    assert [info.spec for info in made.metrics] == ["faithfulness", "answer_similarity"]


def test_progress_counts_every_result():
    seen: list[tuple[int, int]] = []
    evaluate(
        samples(),
        metrics=[Length(), Breaks()],
        progress=lambda done, all_: seen.append((done, all_)),
    )
    assert seen == [(number, 6) for number in range(1, 7)]


async def test_many_evaluations_at_once_do_not_mix():
    runs = await asyncio.gather(
        *(aevaluate(samples(2), metrics=[Length()], name=str(n)) for n in range(5))
    )
    assert [run.name for run in runs] == ["0", "1", "2", "3", "4"]
    assert len({tuple(r.score for r in run.results) for run in runs}) == 1


def test_all_metrics_that_cannot_be_computed_are_named_with_those_that_can():
    rows = [SingleTurnSample(query=q, response="b", contexts=("b",)) for q in "ab"]
    with pytest.raises(MissingFieldError) as failed:
        evaluate(rows, metrics=["faithfulness", "context_recall", "exact_match", Length()])
    assert str(failed.value) == (
        "'context_recall' needs 'reference'; 'exact_match' needs 'reference'; none of 2 samples "
        "has what is needed; the others can be computed: -m faithfulness,length"
    )
    assert (failed.value.metric, failed.value.field) == ("context_recall", "reference")
