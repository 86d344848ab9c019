"""The claim matrix and the metrics over it, counted by verdict and by probability."""

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.judge import (
    Claims,
    ClaimsOf,
    Judge,
    SimilaritiesOf,
    Support,
    SupportOf,
    SupportReply,
)
from llamaindex_rag_eval.metrics.answer_correctness import AnswerCorrectness
from llamaindex_rag_eval.metrics.answer_relevancy import AnswerRelevancy
from llamaindex_rag_eval.metrics.context_precision import (
    ContextPrecision,
    context_precision_by_claims_score,
    context_utilization_by_claims_score,
)
from llamaindex_rag_eval.metrics.context_recall import (
    ContextEntityRecall,
    ContextRecall,
    context_recall_score,
)
from llamaindex_rag_eval.metrics.factual_correctness import FactualCorrectness
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness, faithfulness_score
from llamaindex_rag_eval.metrics.hallucination import (
    hallucination_score,
    self_knowledge_score,
)
from llamaindex_rag_eval.metrics.noise_sensitivity import NoiseSensitivity, noise_sensitivity_score
from llamaindex_rag_eval.metrics.registry import metric_of
from llamaindex_rag_eval.metrics.response_correctness import (
    response_f1_score,
    response_precision_score,
    response_recall_score,
)
from llamaindex_rag_eval.metrics.shared.claims import ClaimMatrix, supports_of
from llamaindex_rag_eval.models import CachedOracle, EmbeddedOracle, ScriptedOracle


def rows(digits):
    """One row a claim, one digit a context."""
    return supports_of(*digits.split())


# The claim-level labels of the example that RAGChecker publishes (amazon-science/RAGChecker,
# examples/, Apache-2.0), entailment as 1, neutral and contradiction as 0; no text of it.
RAGCHECKER = (
    ClaimMatrix(
        response_in_reference=supports_of(*"01111111100"),
        reference_in_response=supports_of(*"1111110011000001000011"),
        response_in_contexts=rows("0100 0000 0000 0000 0000 0000 0100 0000 1001 0001 0000"),
        reference_in_contexts=rows("0100 0000 0000 1000 1100 1001" + " 0000" * 15 + " 0100"),
        contexts=4,
    ),
    ClaimMatrix(
        response_in_reference=supports_of(*"01111"),
        reference_in_response=supports_of(*"11010111"),
        response_in_contexts=rows("010 011 011 101 011"),
        reference_in_contexts=rows("010 011 010 011 001 101 111 011"),
        contexts=3,
    ),
)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (response_precision_score, 76.4),
        (response_recall_score, 62.5),
        (response_f1_score, 68.3),
        (lambda matrix: context_recall_score(matrix.reference_in_contexts), 61.4),
        (context_precision_by_claims_score, 87.5),
        (context_utilization_by_claims_score, 87.5),
        (noise_sensitivity_score, 19.1),
        (lambda matrix: noise_sensitivity_score(matrix, mode="irrelevant"), 0.0),
        (hallucination_score, 4.5),
        (self_knowledge_score, 27.3),
        (lambda matrix: faithfulness_score(matrix.response_in_contexts), 68.2),
    ],
)
def test_the_published_example_of_ragchecker_comes_out_to_one_decimal(formula, expected):
    mean = sum(formula(matrix) for matrix in RAGCHECKER) / 2
    assert round(100 * mean, 1) == expected


@st.composite
def matrices(draw):
    contexts = draw(st.integers(0, 4))
    made, wanted = draw(st.integers(1, 6)), draw(st.integers(0, 6))

    def drawn(claims, sources):
        digits = st.text("01", min_size=sources, max_size=sources)
        return supports_of(*draw(st.lists(digits, min_size=claims, max_size=claims)))

    return ClaimMatrix(
        response_in_contexts=drawn(made, contexts),
        response_in_reference=drawn(made, 1),
        reference_in_contexts=drawn(wanted, contexts),
        reference_in_response=drawn(wanted, 1),
        contexts=contexts,
    )


@given(matrices())
def test_every_claim_of_the_response_is_right_noise_or_hallucinated(matrix):
    irrelevant = noise_sensitivity_score(matrix, mode="irrelevant")
    assert (irrelevant is None) == (not matrix.reference_in_contexts)
    if irrelevant is None:
        return
    total = (
        response_precision_score(matrix)
        + noise_sensitivity_score(matrix, mode="relevant")
        + irrelevant
        + hallucination_score(matrix)
    )
    assert total == pytest.approx(1)


@given(matrices())
def test_every_claim_of_the_response_is_retrieved_hallucinated_or_known(matrix):
    total = (
        faithfulness_score(matrix.response_in_contexts)
        + hallucination_score(matrix)
        + self_knowledge_score(matrix)
    )
    assert total == pytest.approx(1)


class Counting(EmbeddedOracle):
    """The embedded rules, counting what they are asked."""

    def __init__(self):
        super().__init__()
        self.asked = []

    async def ask(self, request):
        self.asked.append(request)
        return await super().ask(request)


async def test_the_suite_of_eight_asks_nine_times_because_judgements_are_shared():
    oracle = Counting()
    judge = Judge(CachedOracle(oracle))
    suite = (
        Faithfulness(judge),
        AnswerRelevancy(judge),
        ContextPrecision(judge),
        ContextRecall(judge),
        FactualCorrectness(judge),
        NoiseSensitivity(judge),
        ContextEntityRecall(judge),
        AnswerCorrectness(judge),
    )
    sample = SingleTurnSample(
        query="Where does the Lunara pump come from?",
        response="The Lunara pump was built in Graz in 1998.",
        contexts=("The Lunara pump was built in Graz in 1998.", "Repairs are free."),
        reference="It was built in Graz.",
    )
    for metric in suite:
        assert (await metric.result(sample)).status == "scored"
    asked = [request for request in oracle.asked if not isinstance(request, SimilaritiesOf)]
    # two claim lists; support of R by contexts and reference, of G by contexts and response;
    # questions, relevance, entities
    assert len(asked) == 9
    assert len(set(asked)) == 9


def short_oracle(*verdicts):
    """Three claims of the response with these verdicts; the reference's one is supported."""

    def support(request):
        entries = verdicts if request.sources == ("Ito",) else ("supported",)
        rows = zip(request.claims, entries, strict=True)
        return SupportReply(
            verdicts=tuple(
                Support(claim=claim, verdict=verdict, sources=(0,) * (verdict == "supported"))
                for claim, verdict in rows
            )
        )

    def claims(request):
        return Claims(claims=("g",) if request.text == "Ito" else ("a", "b", "c"))

    return ScriptedOracle(by_request={ClaimsOf: claims, SupportOf: support})


@pytest.mark.parametrize(
    ("verdicts", "precision", "beside"),
    [
        (("supported", "not_mentioned", "not_mentioned"), 1.0, ["b", "c"]),
        (("supported", "contradicted", "not_mentioned"), 1 / 2, ["c"]),
        (("contradicted", "not_mentioned", "not_mentioned"), 0.0, ["b", "c"]),
        (("not_mentioned", "not_mentioned", "not_mentioned"), 0.0, []),
    ],
)
@pytest.mark.parametrize("name", ["response_precision", "factual_correctness(mode=precision)"])
async def test_claims_beside_the_question_are_not_held_against_a_short_reference(
    name, verdicts, precision, beside
):
    sample = SingleTurnSample(query="Who built the lock?", response="res", reference="Ito")
    result = await metric_of(name, Judge(short_oracle(*verdicts))).result(sample)
    assert result.score == precision
    said = result.evidence.get("beside_the_question", [])
    assert [entry["claim"] for entry in said] == beside


async def test_answer_correctness_by_a_short_reference_is_f_of_the_claims_that_bear_on_it():
    sample = SingleTurnSample(query="Who built the lock?", response="res", reference="Ito")
    judge = Judge(short_oracle("supported", "contradicted", "not_mentioned"))
    # TP 1, FP 1, FN 0: 1 / (1 + 1/2); no similarity is asked for
    assert (await metric_of("answer_correctness", judge).result(sample)).score == 2 / 3


async def test_a_short_reference_in_a_list_of_claims_makes_no_noise_of_what_it_leaves_open():
    matrix = ClaimMatrix(
        response_in_contexts=rows("10 10"),
        response_in_reference=supports_of("1", "0"),
        reference_in_contexts=rows("10"),
    )
    assert noise_sensitivity_score(matrix) == 1 / 2
    assert noise_sensitivity_score(replace(matrix, short_reference=True)) == 0
