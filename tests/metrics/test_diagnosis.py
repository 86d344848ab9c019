import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.judge import Support
from llamaindex_rag_eval.metrics.diagnosis import Diagnosis, finding_of
from llamaindex_rag_eval.metrics.shared.claims import ClaimMatrix, supports_of
from llamaindex_rag_eval.models import EmbeddedOracle


def rows(response=(), by_reference=(), reference=(), by_response=()):
    return ClaimMatrix(
        response_in_contexts=supports_of(*response),
        response_in_reference=supports_of(*by_reference),
        reference_in_contexts=supports_of(*reference),
        reference_in_response=supports_of(*by_response),
        contexts=2,
    )


@pytest.mark.parametrize(
    ("matrix", "expected"),
    [
        (rows(["10"], ["1"], ["10"], ["1"]), "correct"),
        (rows(["00"], ["1"], ["00"], ["1"]), "correct"),  # known without the contexts
        (rows(["10"], ["1"], ["10", "00"], ["1", "0"]), "retrieval_miss"),
        (rows(["10", "01"], ["1", "0"], ["10"], ["1"]), "retrieval_noise"),
        (rows(["10", "10"], ["1", "0"], ["10"], ["1"]), "correct"),  # more, from the right place
        (rows(["10", "00"], ["1", "0"], ["10"], ["1"]), "hallucination"),
        (rows(["10"], ["1"], ["10", "10"], ["1", "0"]), "generation_miss"),
        (rows(["00"], ["0"], ["00"], ["0"]), "retrieval_miss"),  # the first cause is named
    ],
)
def test_the_diagnosis_names_the_first_thing_that_went_wrong(matrix, expected):
    assert finding_of(matrix) == expected
    assert finding_of(matrix, refused=True) == "refusal"


def test_a_contradicted_claim_is_called_a_contradiction():
    wrong = Support(claim="a", verdict="contradicted", contradicted_by=(0,))
    matrix = ClaimMatrix(
        response_in_contexts=(wrong,),
        response_in_reference=supports_of("0"),
        reference_in_contexts=supports_of("1"),
        reference_in_response=supports_of("1"),
    )
    assert finding_of(matrix) == "contradiction"


FACT = "The Lunara pump was built in Graz in 1998."


@pytest.mark.parametrize(
    ("response", "behaviour", "expected"),
    [
        (FACT, "answer", "correct"),
        ("I do not know.", "answer", "refusal"),
        ("", "answer", "refusal"),
        ("I do not know.", "refuse", "correct"),
        (FACT, "refuse", "hallucination"),
    ],
)
async def test_the_embedded_rules_diagnose_and_the_evidence_says_what(
    response, behaviour, expected
):
    sample = SingleTurnSample(
        query="Where was the Lunara pump built?",
        response=response,
        contexts=(FACT,),
        reference=FACT,
        expected_behaviour=behaviour,
    )
    result = await Diagnosis(EmbeddedOracle()).result(sample)
    assert result.evidence["diagnosis"] == expected
    assert result.score == float(expected == "correct")
    assert expected in result.feedback
