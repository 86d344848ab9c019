"""Claims that count by their probability, and verdicts that come without one."""

import pytest
from hypothesis import given, strategies as st

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Claims, ClaimsOf, Judge, Support, SupportOf, SupportReply
from llamaindex_rag_eval.metrics.factual_correctness import FactualCorrectness
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness, faithfulness_score
from llamaindex_rag_eval.metrics.hallucination import (
    Hallucination,
    SelfKnowledge,
    hallucination_score,
    self_knowledge_score,
)
from llamaindex_rag_eval.metrics.registry import METRICS, metric_of
from llamaindex_rag_eval.metrics.response_correctness import ResponseF1
from llamaindex_rag_eval.metrics.shared.claims import ClaimMatrix, ProbabilisticMetric
from llamaindex_rag_eval.models import EmbeddedOracle, ScriptedOracle
from tests.metrics.judges import REFERENCE

SAMPLE = SingleTurnSample(query="q", response="res", reference=REFERENCE, contexts=("c",))

# Probabilities by (claim judged, text judging); from 1/2 on the verdict is "supported".
CHANCES = {
    ("r1", "c"): 3 / 4,
    ("r2", "c"): 1 / 4,
    ("r1", REFERENCE): 1 / 2,
    ("r2", REFERENCE): 1 / 4,
    ("g1", "c"): 1 / 4,
    ("g2", "c"): 3 / 4,
    ("g1", "res"): 1 / 2,
    ("g2", "res"): 3 / 4,
}


def judged(claim, chance):
    supported = chance >= 1 / 2
    return Support(
        claim=claim,
        verdict="supported" if supported else "not_mentioned",
        sources=(0,) if supported else (),
        probability=chance,
    )


def oracle(*, sure=True):
    """Two claims a text; `sure` says whether verdicts come with their probabilities."""

    def claims(request):
        return Claims(claims={"res": ("r1", "r2"), REFERENCE: ("g1", "g2")}[request.text])

    def support(request):
        (by,) = request.sources
        entries = [judged(claim, CHANCES[claim, by]) for claim in request.claims]
        if not sure:
            entries = [entry.model_copy(update={"probability": None}) for entry in entries]
        return SupportReply(verdicts=tuple(entries))

    return ScriptedOracle(by_request={ClaimsOf: claims, SupportOf: support})


@pytest.mark.parametrize(
    ("kind", "settings", "plain", "graded"),
    [
        (Faithfulness, {}, 1 / 2, 1 / 2),  # one of two; (3/4 + 1/4) / 2
        (FactualCorrectness, {"mode": "precision"}, 1 / 2, 3 / 8),  # (1/2 + 1/4) / 2
        (FactualCorrectness, {"mode": "recall"}, 1.0, 5 / 8),  # (1/2 + 3/4) / 2
        (ResponseF1, {}, 2 / 3, 15 / 32),  # 2 · 3/8 · 5/8 / (3/8 + 5/8)
        (Hallucination, {}, 1 / 2, 11 / 32),  # (1/4 · 1/2 + 3/4 · 3/4) / 2
        (SelfKnowledge, {}, 0.0, 5 / 32),  # (1/4 · 1/2 + 3/4 · 1/4) / 2
    ],
)
async def test_a_graded_claim_counts_by_its_probability(kind, settings, plain, graded):
    judge = Judge(oracle())
    counted = await kind(judge, graded=False, **settings).result(SAMPLE)
    assert counted.score == pytest.approx(plain)
    found = await kind(judge, **settings).result(SAMPLE)
    assert found.score == pytest.approx(graded)


GRADED_NAMES = [kind.name for kind in METRICS if issubclass(kind, ProbabilisticMetric)]


@pytest.mark.parametrize("name", GRADED_NAMES)
async def test_without_probabilities_a_verdict_counts_as_yes_or_no(name):
    judge = Judge(oracle(sure=False))
    plain = await metric_of(f"{name}(graded=False)", judge).result(SAMPLE)
    graded = await metric_of(name, judge).result(SAMPLE)
    assert graded.score == plain.score


async def test_the_threshold_is_met_by_the_graded_value():
    metric = FactualCorrectness(Judge(oracle()), mode="recall", graded=True, threshold=0.9)
    assert (await metric.result(SAMPLE)).passing is False  # 5/8, though all claims are supported


def test_the_rules_tell_a_nearly_supported_claim_from_one_that_is_not_at_all():
    def score_of(response):
        metric = Faithfulness(Judge(EmbeddedOracle()), graded=True)
        contexts = ["The red mill on the river was built of oak in 1890."]
        return metric.evaluate(query="q", response=response, contexts=contexts).score

    near, far = score_of("The mill was rebuilt of oak and stone."), score_of("Penguins cannot fly.")
    assert 0 < far < near < 1


def test_the_option_is_part_of_the_label_and_is_read_back():
    metric = metric_of("faithfulness(graded=False)")
    assert metric.spec == "faithfulness(graded=False)"
    assert repr(metric) == "Faithfulness(graded=False)"
    assert metric_of("faithfulness").spec == "faithfulness"


@pytest.mark.parametrize("word", ["true", "yes", "0"])
def test_only_true_and_false_are_read_as_the_option(word):
    with pytest.raises(InputError, match="graded must be True or False"):
        metric_of(f"faithfulness(graded={word})")


chances = st.floats(0, 1)


@given(st.lists(st.tuples(chances, chances), min_size=1, max_size=6))
def test_graded_claims_too_are_retrieved_hallucinated_or_known(pairs):
    in_contexts = tuple(judged("a", chance) for chance, _ in pairs)
    in_reference = tuple(judged("a", chance) for _, chance in pairs)
    matrix = ClaimMatrix(response_in_contexts=in_contexts, response_in_reference=in_reference)
    total = (
        faithfulness_score(in_contexts, graded=True)
        + hallucination_score(matrix, graded=True)
        + self_knowledge_score(matrix, graded=True)
    )
    assert total == pytest.approx(1)


def test_the_probability_of_a_vote_is_the_share_that_calls_the_claim_supported():
    def vote(verdict):
        sources = (0,) if verdict == "supported" else ()
        entry = Support(claim="a", verdict=verdict, sources=sources)
        return SupportReply(verdicts=(entry,))

    votes = [vote("not_mentioned"), vote("supported"), vote("not_mentioned")]
    (entry,) = SupportOf(claims=("a",), sources=("c",)).majority(votes).verdicts
    assert (entry.verdict, entry.probability) == ("not_mentioned", 1 / 3)
    assert faithfulness_score([entry], graded=True) == 1 / 3
    assert faithfulness_score([entry]) == 0
