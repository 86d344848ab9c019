from fractions import Fraction

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import (
    Claims,
    ClaimsOf,
    Judge,
    Questions,
    QuestionsOf,
    Relevance,
    RelevanceOf,
    RelevanceReply,
    RelevantSentences,
    RelevantSentencesOf,
    Similarities,
    SimilaritiesOf,
    Support,
    SupportOf,
    SupportReply,
)
from llamaindex_rag_eval.metrics.answer_correctness import AnswerCorrectness
from llamaindex_rag_eval.metrics.answer_relevancy import AnswerRelevancy
from llamaindex_rag_eval.metrics.answer_similarity import AnswerSimilarity
from llamaindex_rag_eval.metrics.context_precision import ContextPrecision, ContextUtilization
from llamaindex_rag_eval.metrics.context_recall import ContextRecall
from llamaindex_rag_eval.metrics.context_relevance import ContextRelevancy
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.models import ScriptedOracle


def supported(*verdicts):
    """A function that gives these verdicts on the claims it is asked about, in order."""

    def reply(request):
        assert len(request.claims) == len(verdicts)
        return SupportReply(
            verdicts=tuple(
                Support(
                    claim=claim,
                    verdict="supported" if yes else "not_mentioned",
                    sources=(0,) if yes else (),
                )
                for claim, yes in zip(request.claims, verdicts, strict=True)
            )
        )

    return reply


def useful(*verdicts):
    return RelevanceReply(verdicts=tuple(Relevance(useful=bool(yes)) for yes in verdicts))


async def score(metric, **fields):
    return (await metric.result(SingleTurnSample(**fields))).score


@pytest.mark.parametrize(
    ("claims", "verdicts", "expected"),
    [
        (
            ("Einstein was born in Germany.", "Einstein was born on 20th March 1879."),
            (True, False),
            Fraction(1, 2),
        ),
        (tuple("abcde"), (True, True, False, True, True), Fraction(4, 5)),
        (("Nolan directed Oppenheimer.", "Murphy plays the lead."), (True, True), Fraction(1)),
    ],
)
async def test_faithfulness_is_the_share_of_claims_that_the_contexts_support(
    claims, verdicts, expected
):
    oracle = ScriptedOracle(Claims(claims=claims), supported(*verdicts))
    sample = {"query": "q", "response": "r", "contexts": ["c", "d"]}
    assert await score(Faithfulness(Judge(oracle)), **sample) == float(expected)
    assert oracle.asked == [
        ClaimsOf(text="r", question="q"),
        SupportOf(claims=claims, sources=("c", "d")),
    ]


async def test_faithfulness_is_zero_when_claims_stand_over_no_contexts():
    oracle = ScriptedOracle(Claims(claims=("a",)))
    assert await score(Faithfulness(oracle), query="q", response="a", contexts=[]) == 0


async def test_faithfulness_of_a_response_without_claims_is_undefined_and_neither_1_nor_0():
    oracle = ScriptedOracle(Claims(claims=()))
    sample = SingleTurnSample(query="q", response="I do not know.", contexts=["c"])
    result = await Faithfulness(oracle).result(sample)
    assert (result.status, result.score) == ("undefined", None)
    assert result.reason == "The response makes no claim."


async def test_a_judge_that_leaves_out_an_unsupported_claim_does_not_raise_faithfulness():
    one = SupportReply(verdicts=(Support(claim="a", verdict="supported", sources=(0,)),))
    oracle = ScriptedOracle(Claims(claims=("a", "b")), one)
    sample = SingleTurnSample(query="q", response="a b", contexts=["c"])
    result = await Faithfulness(oracle).result(sample)
    assert (result.status, result.error_type) == ("failed", "ReplyError")


PRECISION_CASES = [
    ([0, 1], Fraction(1, 2)),  # (0·0 + 1/2·1) / 1
    ([1, 0, 1, 0, 1], Fraction(34, 45)),  # (1 + 2/3 + 3/5) / 3
    ([0, 0, 0], Fraction(0)),
    ([1], Fraction(1)),
]


@pytest.mark.parametrize(("verdicts", "expected"), PRECISION_CASES)
async def test_context_precision_sums_the_precision_at_useful_ranks_only(verdicts, expected):
    oracle = ScriptedOracle(useful(*verdicts))
    contexts = [f"c{number}" for number in range(len(verdicts))]
    sample = {"query": "q", "contexts": contexts, "reference": "ref"}
    assert await score(ContextPrecision(Judge(oracle)), **sample) == pytest.approx(float(expected))
    assert oracle.asked == [RelevanceOf(question="q", contexts=tuple(contexts), answer="ref")]


@pytest.mark.parametrize(("verdicts", "expected"), PRECISION_CASES)
async def test_context_utilization_puts_the_response_in_the_place_of_the_reference(
    verdicts, expected
):
    oracle = ScriptedOracle(useful(*verdicts))
    contexts = [f"c{number}" for number in range(len(verdicts))]
    sample = {"query": "q", "contexts": contexts, "response": "res", "reference": "ref"}
    assert await score(ContextUtilization(Judge(oracle)), **sample) == pytest.approx(
        float(expected)
    )
    assert oracle.asked == [RelevanceOf(question="q", contexts=tuple(contexts), answer="res")]


@pytest.mark.parametrize("metric", [ContextPrecision, ContextUtilization])
async def test_precision_of_no_contexts_is_undefined_and_nothing_is_asked(metric):
    oracle = ScriptedOracle()
    sample = SingleTurnSample(query="q", response="r", reference="g", contexts=[])
    assert (await metric(oracle).result(sample)).status == "undefined"
    assert oracle.asked == []


@pytest.mark.parametrize(
    ("claims", "verdicts", "expected"),
    [
        (("France is in Western Europe.", "Its capital is Paris."), (True, False), Fraction(1, 2)),
        (tuple("abcde"), (True, False, True, True, False), Fraction(3, 5)),
    ],
)
async def test_context_recall_is_the_share_of_the_references_claims_in_the_contexts(
    claims, verdicts, expected
):
    oracle = ScriptedOracle(Claims(claims=claims), supported(*verdicts))
    sample = {"query": "q", "reference": "g", "contexts": ["c"]}
    assert await score(ContextRecall(Judge(oracle)), **sample) == float(expected)
    assert oracle.asked == [
        ClaimsOf(text="g", question="q"),
        SupportOf(claims=claims, sources=("c",)),
    ]


@pytest.mark.parametrize(
    ("similarities", "expected"),
    [
        ((0.95, 0.90), Fraction(925, 1000)),  # (.95 + .90) / 2
        ((0.8, 0.7, 0.9), Fraction(8, 10)),  # (.8 + .7 + .9) / 3
    ],
)
async def test_answer_relevancy_is_the_mean_similarity_of_the_questions_asked_back(
    similarities, expected
):
    asked_back = tuple(f"q{number}?" for number in range(len(similarities)))
    oracle = ScriptedOracle(Questions(questions=asked_back), Similarities(values=similarities))
    metric = AnswerRelevancy(Judge(oracle), n=len(similarities))
    assert await score(metric, query="q", response="r") == pytest.approx(float(expected))
    assert oracle.asked == [
        QuestionsOf(text="r", n=len(similarities)),
        SimilaritiesOf(text="q", others=asked_back),
    ]


async def test_an_evasive_answer_has_no_relevancy():
    oracle = ScriptedOracle(Questions(questions=(), noncommittal=True))
    assert await score(AnswerRelevancy(oracle), query="q", response="I do not know.") == 0


async def test_an_empty_answer_has_no_relevancy_and_nothing_is_asked():
    oracle = ScriptedOracle()
    assert await score(AnswerRelevancy(oracle), query="q", response=" ") == 0
    assert oracle.asked == []


async def test_context_relevancy_is_the_share_of_the_sentences_needed():
    oracle = ScriptedOracle(RelevantSentences(sentences=(1,)))
    contexts = ["It rains. The Nile is long. It pours.", "Nothing else is known."]
    assert await score(ContextRelevancy(Judge(oracle)), query="q", contexts=contexts) == 1 / 4
    assert oracle.asked == [
        RelevantSentencesOf(
            question="q",
            sentences=("It rains.", "The Nile is long.", "It pours.", "Nothing else is known."),
        )
    ]


async def test_contexts_that_do_not_suffice_have_no_relevancy():
    oracle = ScriptedOracle(RelevantSentences(sentences=()))
    sample = SingleTurnSample(query="q", contexts=["It rains."])
    result = await ContextRelevancy(oracle).result(sample)
    assert result.score == 0
    assert "do not suffice" in result.feedback


async def test_answer_similarity_is_the_cosine_and_its_threshold_only_judges_it():
    for threshold, passing in ((None, None), (0.5, True), (0.9, False)):
        oracle = ScriptedOracle(Similarities(values=(0.75,)))
        metric = AnswerSimilarity(oracle, threshold=threshold)
        result = await metric.result(SingleTurnSample(response="r", reference="g"))
        assert (result.score, result.passing) == (0.75, passing)
        assert metric.spec == "answer_similarity"


def correctness_oracle(similarity):
    return ScriptedOracle(
        by_request={
            ClaimsOf(text="r", question="q"): Claims(claims=("both", "made up")),
            ClaimsOf(text="g", question="q"): Claims(claims=("both", "left out")),
            SupportOf(claims=("both", "made up"), sources=("g",)): supported(True, False),
            SupportOf(claims=("both", "left out"), sources=("r",)): supported(True, False),
            SimilaritiesOf: Similarities(values=(similarity,)),
        }
    )


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"weights": (1.0, 0.0)}, Fraction(1, 2)),  # TP 1, FP 1, FN 1: 1 / (1 + .5·2)
        ({}, Fraction(5, 8)),  # 3/4 · 1/2 + 1/4 · 1
        ({"weights": (0.0, 1.0)}, Fraction(1)),
        ({"weights": (3.0, 1.0)}, Fraction(5, 8)),  # weights are relative
        ({"threshold": 0.6}, Fraction(1)),
        ({"threshold": 0.7}, Fraction(0)),
    ],
)
async def test_answer_correctness_weighs_the_claims_and_the_similarity(settings, expected):
    metric = AnswerCorrectness(correctness_oracle(1.0), **settings)
    sample = {"query": "q", "response": "r", "reference": "g"}
    assert await score(metric, **sample) == float(expected)


async def test_a_similarity_below_zero_counts_as_zero_in_answer_correctness():
    metric = AnswerCorrectness(correctness_oracle(-1.0))
    sample = {"query": "q", "response": "r", "reference": "g"}
    assert await score(metric, **sample) == 3 / 8  # 3/4 · 1/2 + 1/4 · 0


async def test_a_part_of_weight_zero_is_not_asked_for():
    oracle = correctness_oracle(1.0)
    metric = AnswerCorrectness(Judge(oracle), weights=(0.0, 1.0))
    await score(metric, query="q", response="r", reference="g")
    assert oracle.asked == [SimilaritiesOf(text="g", others=("r",))]


def test_a_threshold_that_rounds_is_part_of_the_label():
    assert AnswerCorrectness(threshold=0.5).spec == "answer_correctness(threshold=0.5)"


@pytest.mark.parametrize("weights", [(0.0, 0.0), (-1.0, 2.0), (1.0,)])
def test_weights_that_cannot_weigh_are_refused(weights):
    with pytest.raises(InputError, match="weights"):
        AnswerCorrectness(weights=weights)


async def test_changing_only_the_threshold_asks_nothing_again():
    judge = Judge(correctness_oracle(1.0))
    sample = SingleTurnSample(query="q", response="r", reference="g")
    lenient = AnswerCorrectness(judge.oracle)
    await lenient.result(sample)
    asked = len(judge.oracle.asked)
    await AnswerCorrectness(lenient.judge, threshold=0.9).result(sample)
    assert len(judge.oracle.asked) == asked
