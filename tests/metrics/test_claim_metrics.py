from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import (
    Claims,
    ClaimsOf,
    Entities,
    EntitiesOf,
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
    ContextPrecisionByClaims,
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
    contradiction_rate_score,
    hallucination_score,
    self_knowledge_score,
)
from llamaindex_rag_eval.metrics.noise_sensitivity import NoiseSensitivity, noise_sensitivity_score
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
    total = (
        response_precision_score(matrix)
        + noise_sensitivity_score(matrix, mode="relevant")
        + noise_sensitivity_score(matrix, mode="irrelevant")
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


def oracle_of(response, reference, verdicts):
    """Answer with these claims and, by (text judged, text judging), these rows of verdicts."""

    def claims(request):
        return Claims(claims={"res": response, "ref": reference}[request.text])

    def support(request):
        text = "res" if request.claims == response else "ref"
        by = request.sources[0] if request.sources[0] in ("res", "ref") else "contexts"
        rows = supports_of(*verdicts[text, by])
        return SupportReply(
            verdicts=tuple(
                row.model_copy(update={"claim": claim})
                for row, claim in zip(rows, request.claims, strict=True)
            )
        )

    return ScriptedOracle(by_request={ClaimsOf: claims, SupportOf: support})


SAMPLE = SingleTurnSample(query="q", response="res", reference="ref", contexts=("c", "d"))


@pytest.mark.parametrize(
    ("settings", "expected", "calls"),
    [
        ({"mode": "precision"}, Fraction(2, 3), 2),  # 2 of 3 claims of the response
        ({"mode": "recall"}, Fraction(1, 2), 2),  # 2 of 4 claims of the reference
        ({}, Fraction(4, 7), 4),  # 2 · 2/3 · 1/2 / (2/3 + 1/2)
        ({"beta": 2.0}, Fraction(10, 19), 4),  # 5 · 1/3 / (4 · 2/3 + 1/2)
    ],
)
async def test_factual_correctness_is_precision_recall_or_f_of_the_claims(
    settings, expected, calls
):
    oracle = oracle_of(
        ("a", "b", "c"),
        ("a", "b", "x", "y"),
        {("res", "ref"): "110", ("ref", "res"): "1100"},
    )
    result = await FactualCorrectness(Judge(oracle), **settings).result(SAMPLE)
    assert result.score == pytest.approx(float(expected))
    assert len(oracle.asked) == calls


async def test_the_granularity_is_part_of_what_is_asked():
    oracle = oracle_of(("a",), ("b",), {("res", "ref"): "1", ("ref", "res"): "1"})
    await FactualCorrectness(Judge(oracle), atomicity="low", coverage="low").result(SAMPLE)
    assert ClaimsOf(text="res", question="q", atomicity="low", coverage="low") in oracle.asked


@pytest.mark.parametrize(
    "settings", [{"mode": "f2"}, {"beta": -1.0}, {"atomicity": "some"}, {"coverage": ""}]
)
def test_factual_correctness_refuses_settings_it_does_not_know(settings):
    with pytest.raises(InputError, match=next(iter(settings))):
        FactualCorrectness(**settings)


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


def test_a_claim_that_one_context_supports_and_another_contradicts_is_contradicted():
    torn = Support(claim="a", verdict="supported", sources=(0,), contradicted_by=(1,))
    plain = Support(claim="b", verdict="supported", sources=(0,))
    assert contradiction_rate_score(ClaimMatrix(response_in_contexts=(torn, plain))) == 1 / 2


TAJ = ("Taj Mahal", "Yamuna", "Agra", "1631", "Shah Jahan", "Mumtaz Mahal")


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        (("Taj Mahal", "Agra", "Shah Jahan", "Mumtaz Mahal", "India"), Fraction(4, 6)),
        (("Taj Mahal", "UNESCO", "India"), Fraction(1, 6)),
        (("the TAJ MAHAL", "ａｇｒａ"), Fraction(2, 6)),  # article, case and width do not count
        ((), Fraction(0)),
    ],
)
async def test_context_entity_recall_is_the_share_of_the_references_entities(named, expected):
    oracle = ScriptedOracle(Entities(entities=(TAJ, named)))
    metric = ContextEntityRecall(Judge(oracle))
    sample = SingleTurnSample(reference="ref", contexts=("c",))
    assert (await metric.result(sample)).score == pytest.approx(float(expected))
    assert oracle.asked == [EntitiesOf(texts=("ref", "c"))]


async def test_no_contexts_and_no_claims_are_told_apart_in_context_precision_by_claims():
    oracle = ScriptedOracle(Claims(claims=()))
    metric = ContextPrecisionByClaims(oracle)
    nothing = await metric.result(SAMPLE.model_copy(update={"contexts": ()}))
    assert nothing.reason == "Nothing was retrieved."
    assert (await metric.result(SAMPLE)).reason == "The reference makes no claim."


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
