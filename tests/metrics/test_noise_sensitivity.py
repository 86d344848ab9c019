import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.metrics.noise_sensitivity import NoiseSensitivity
from tests.metrics.judges import REFERENCE, oracle_of

SAMPLE = SingleTurnSample(query="q", response="res", reference=REFERENCE, contexts=("c", "d"))


async def test_noise_sensitivity_is_a_third_when_one_of_three_claims_follows_a_relevant_context():
    claims = (
        "LIC is the largest insurance company in India.",
        "LIC is known for its vast portfolio of investments.",
        "LIC contributes to the financial stability of the country.",
    )
    verdicts = {
        ("res", "contexts"): ("10", "10", "01"),
        ("res", "ref"): ("1", "1", "0"),
        ("ref", "contexts"): ("10", "01"),  # both contexts are relevant
    }
    oracle = oracle_of(claims, ("g", "h"), verdicts)
    result = await NoiseSensitivity(Judge(oracle)).result(SAMPLE)
    assert result.score == pytest.approx(1 / 3)
    other = await NoiseSensitivity(oracle, mode="irrelevant").result(SAMPLE)
    assert other.score == 0


async def test_a_wrong_claim_from_an_irrelevant_context_is_irrelevant_noise():
    verdicts = {
        ("res", "contexts"): ("01",),
        ("res", "ref"): ("0",),
        ("ref", "contexts"): ("10",),
    }
    oracle = oracle_of(("r",), ("g",), verdicts)
    assert (await NoiseSensitivity(oracle).result(SAMPLE)).score == 0
    assert (await NoiseSensitivity(oracle, mode="irrelevant").result(SAMPLE)).score == 1


async def test_irrelevant_noise_is_undefined_where_the_reference_claims_nothing():
    verdicts = {("res", "contexts"): ("01",), ("res", "ref"): ("0",), ("ref", "contexts"): ()}
    oracle = oracle_of(("r",), (), verdicts)
    assert (await NoiseSensitivity(oracle).result(SAMPLE)).score == 0
    result = await NoiseSensitivity(oracle, mode="irrelevant").result(SAMPLE)
    assert (result.status, result.score) == ("undefined", None)
