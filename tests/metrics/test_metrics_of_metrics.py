"""What a composite and a turn-wise metric hand on to the metrics they are made of."""

import pytest

from llamaindex_rag_eval.judge import ClaimsOf, Judge
from llamaindex_rag_eval.metrics.answer_relevancy import AnswerRelevancy
from llamaindex_rag_eval.metrics.composite import HarmonicMean, RagasScore
from llamaindex_rag_eval.metrics.factual_correctness import FactualCorrectness
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.metrics.multimodal import MultimodalFaithfulness
from llamaindex_rag_eval.metrics.turns import turn_wise
from llamaindex_rag_eval.models import CachedOracle, EmbeddedOracle
from llamaindex_rag_eval.runs.evaluate import estimate, evaluate
from tests.contract.samples import FULL, TALK
from tests.models.asking import oracle_at, serving

MADE = {
    "composite": (lambda: RagasScore(), FULL, 4),
    "turn-wise": (lambda: turn_wise(AnswerRelevancy()), TALK, 2),
}


@pytest.fixture(scope="module")
def server():
    with serving() as running:
        yield running


@pytest.mark.parametrize(("made", "sample", "calls"), MADE.values(), ids=MADE)
def test_an_estimate_counts_the_calls_of_the_parts_and_makes_none(server, made, sample, calls):
    server.reset()
    usage = estimate([sample], metrics=[made()], judge=Judge(CachedOracle(oracle_at(server))))
    assert usage.total.calls == calls
    assert server.stats().calls == 0


@pytest.mark.parametrize(("made", "sample", "calls"), MADE.values(), ids=MADE)
def test_a_run_says_who_answered_the_parts_and_what_they_cost(server, made, sample, calls):
    server.reset()
    judge = Judge(CachedOracle(oracle_at(server)))
    run = evaluate([sample], metrics=[made()], judge=judge)
    assert server.stats().calls == calls
    assert run.provenance.usage["calls"] == calls
    for request in made().requests:
        assert run.provenance.answered_by[request.__name__] == judge.oracle.fingerprint(request)


def test_a_part_with_a_judge_of_its_own_keeps_it():
    own, other = Judge(EmbeddedOracle()), Judge(EmbeddedOracle())
    metric = HarmonicMean(parts=[Faithfulness(own), AnswerRelevancy()]).with_judge(other)
    assert [part.judge for part in metric.parts] == [own, other]
    assert turn_wise(Faithfulness(own)).with_judge(other).judge is own


def test_two_parts_of_one_name_have_their_prompts_apart():
    parts = [FactualCorrectness(mode="recall"), FactualCorrectness(mode="precision")]
    names = HarmonicMean(parts=parts).get_prompts()
    assert {name.partition(":")[0] for name in names} == {
        "factual_correctness",
        "factual_correctness_2",
    }


def test_metrics_over_texts_and_images_share_what_they_ask(server):
    server.reset()
    metrics = [Faithfulness(), MultimodalFaithfulness(), "context_recall", "multimodal_relevance"]
    run = evaluate([FULL], metrics=metrics, judge=Judge(CachedOracle(oracle_at(server))))
    assert all(result.status == "scored" for result in run.results)
    # Claims of response and reference, and the support of each by the contexts.
    assert server.stats().calls == 4
    assert ClaimsOf.__name__ in run.provenance.answered_by
