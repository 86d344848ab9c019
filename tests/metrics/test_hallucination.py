from llamaindex_rag_eval.judge import Support
from llamaindex_rag_eval.metrics.hallucination import contradiction_rate_score
from llamaindex_rag_eval.metrics.shared.claims import ClaimMatrix


def test_a_claim_that_one_context_supports_and_another_contradicts_is_contradicted():
    torn = Support(claim="a", verdict="supported", sources=(0,), contradicted_by=(1,))
    plain = Support(claim="b", verdict="supported", sources=(0,))
    assert contradiction_rate_score(ClaimMatrix(response_in_contexts=(torn, plain))) == 1 / 2
