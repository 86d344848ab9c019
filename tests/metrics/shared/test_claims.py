"""The claim matrix and the metrics over it, counted by verdict and by probability."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
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
    Hallucination,
    SelfKnowledge,
    hallucination_score,
    self_knowledge_score,
)
from llamaindex_rag_eval.metrics.noise_sensitivity import NoiseSensitivity, noise_sensitivity_score
from llamaindex_rag_eval.metrics.registry import METRICS, metric_of
from llamaindex_rag_eval.metrics.response_correctness import (
    ResponseF1,
    response_f1_score,
    response_precision_score,
    response_recall_score,
)
from llamaindex_rag_eval.metrics.shared.claims import ClaimMatrix, ProbabilisticMetric, supports_of
from llamaindex_rag_eval.models import CachedOracle, EmbeddedOracle, ScriptedOracle
from tests.metrics.judges import REFERENCE


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
