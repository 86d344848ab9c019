"""Metrics that a judge grades: scales, votes, rubrics, preferences, refusals, summaries."""

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError, MissingFieldError
from llamaindex_rag_eval.judge import (
    Claims,
    Critique,
    CritiqueOf,
    Grade,
    GradeOf,
    Judge,
    Preference,
    PreferenceOf,
    Questions,
    RelevantSentences,
    Similarities,
)
from llamaindex_rag_eval.judge.critique import RefusalOf
from llamaindex_rag_eval.judge.grade import ContextRelevanceOf
from llamaindex_rag_eval.metrics.answer_accuracy import AnswerAccuracy
from llamaindex_rag_eval.metrics.aspects import Harmfulness
from llamaindex_rag_eval.metrics.composite import HarmonicMean, RagasScore
from llamaindex_rag_eval.metrics.context_relevance import ContextRelevance
from llamaindex_rag_eval.metrics.criteria import AspectCritique, Guideline, SimpleCriteria
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.metrics.g_eval import GEval
from llamaindex_rag_eval.metrics.graded_answers import (
    Correctness,
    Helpfulness,
    ResponseGroundedness,
)
from llamaindex_rag_eval.metrics.hallucination import Hallucination
from llamaindex_rag_eval.metrics.pairwise_preference import PairwisePreference
from llamaindex_rag_eval.metrics.refusal import Refusal, RefusalCorrectness
from llamaindex_rag_eval.metrics.rubrics import InstanceRubric, Rubric, rubric_levels
from llamaindex_rag_eval.metrics.summarization_score import SummarizationScore
from llamaindex_rag_eval.models import EmbeddedOracle, ScriptedOracle

SAMPLE = SingleTurnSample(query="q", response="r", contexts=("c",), reference="g")
EMPTY = SAMPLE.model_copy(update={"response": " "})


async def score(metric, sample=SAMPLE):
    return (await metric.result(sample)).score


def graded(level):
    return ScriptedOracle(by_request={GradeOf: Grade(level=level, reason="Because.")})


@pytest.mark.parametrize(
    ("metric", "level", "expected"),
    [
        (Correctness, 1, 0),
        (Correctness, 4, 3 / 4),
        (Helpfulness, 4, 3 / 6),
        (ResponseGroundedness, 2, 1),
    ],
)
async def test_a_level_is_put_on_the_scale_from_0_to_1(metric, level, expected):
    assert await score(metric(graded(level))) == expected


async def test_a_level_that_is_not_on_the_scale_fails():
    result = await Correctness(graded(10)).result(SAMPLE)
    assert (result.status, result.error_type) == ("failed", "ReplyError")


async def test_the_judge_sees_only_the_fields_that_the_metric_needs():
    oracle = graded(1)
    await Helpfulness(Judge(oracle)).result(SAMPLE)
    (request,) = oracle.asked
    assert (request.query, request.response, request.contexts, request.reference) == (
        "q",
        "r",
        (),
        "",
    )


@pytest.mark.parametrize("kind", [Correctness, Helpfulness, Harmfulness, AnswerAccuracy])
async def test_an_empty_response_scores_zero_and_nothing_is_asked(kind):
    oracle = ScriptedOracle()
    assert await score(kind(oracle), EMPTY) == 0
    assert oracle.asked == []


async def test_answer_accuracy_swaps_the_roles():
    oracle = ScriptedOracle(
        by_request={GradeOf: lambda asked: Grade(level=2 if asked.response == "r" else 1)}
    )
    assert await score(AnswerAccuracy(Judge(oracle))) == 3 / 4  # (2/2 + 1/2) / 2
    assert [(request.response, request.reference) for request in oracle.asked] == [
        ("r", "g"),
        ("g", "r"),
    ]


def votes(*verdicts):
    return ScriptedOracle(
        by_request={CritiqueOf: lambda asked: Critique(verdict=bool(verdicts[asked.vote]))}
    )


@pytest.mark.parametrize(
    ("verdicts", "expected", "agreement"),
    [((1, 0, 1), 1, 2 / 3), ((0, 0, 1), 0, 2 / 3), ((1, 1, 1), 1, 1), ((0,), 0, 1)],
)
async def test_the_majority_of_independent_votes_decides_and_the_agreement_is_kept(
    verdicts, expected, agreement
):
    oracle = votes(*verdicts)
    result = await Harmfulness(Judge(oracle), strictness=len(verdicts)).result(SAMPLE)
    assert result.score == expected
    assert result.evidence["agreement"] == pytest.approx(agreement)
    assert [request.vote for request in oracle.asked] == list(range(len(verdicts)))
    assert len(set(oracle.asked)) == len(verdicts)


@pytest.mark.parametrize("strictness", [0, 2, -1])
def test_votes_that_can_tie_are_refused(strictness):
    with pytest.raises(InputError, match="odd"):
        Harmfulness(strictness=strictness)


async def test_an_aspect_of_ones_own_is_asked_as_it_was_defined():
    oracle = votes(1)
    metric = AspectCritique(Judge(oracle), aspect="kind", definition="Is it kind?")
    assert await score(metric) == 1
    assert oracle.asked == [
        CritiqueOf(aspect="kind", definition="Is it kind?", response="r", query="q")
    ]
    with pytest.raises(InputError, match="'kind'"):
        AspectCritique(aspect="kind", definition=" ")


async def test_a_guideline_is_kept_or_not():
    oracle = votes(0)
    assert await score(Guideline(Judge(oracle), guideline="Be brief.")) == 0
    assert oracle.asked[0].definition == "Be brief."


async def test_a_rubric_grades_between_its_lowest_and_its_highest_level():
    levels = {1: "Bad.", 2: "Fair.", 5: "Good."}
    assert await score(Rubric(graded(2), levels=levels)) == 1 / 4  # (2 - 1) / (5 - 1)
    sample = SAMPLE.model_copy(update={"rubrics": {"score1_description": "a", "score3": "b"}})
    own = SingleTurnSample.model_validate(sample.model_dump())
    assert await score(InstanceRubric(graded(3)), own) == 1


@pytest.mark.parametrize("rubric", [{}, {1: "one"}, {"bad": "a", "good": "b"}])
def test_what_is_no_rubric_is_refused(rubric):
    with pytest.raises(InputError, match="rubric"):
        rubric_levels(rubric)


async def test_g_eval_asks_with_the_same_steps_for_every_sample():
    oracle = graded(8)
    metric = GEval(Judge(oracle), criteria="Be right.", steps=["Read.", "Grade."])
    assert await score(metric) == 8 / 10
    assert oracle.asked[0].steps == ("Read.", "Grade.")
    assert [level.value for level in oracle.asked[0].levels] == list(range(11))


async def test_a_simple_criterion_is_graded_from_0_to_5():
    assert await score(SimpleCriteria(graded(3), definition="Be right.")) == 3 / 5


def test_every_level_of_every_scale_is_described():
    for kind in (Correctness, Helpfulness, ResponseGroundedness):
        assert all(level.description for level in kind.levels)
        values = [level.value for level in kind.levels]
        assert values == sorted(set(values))


OTHER = SAMPLE.model_copy(update={"metadata": {"second_response": "s"}})


@pytest.mark.parametrize(
    ("forth", "back", "expected"),
    [
        ("first", "second", 1),
        ("second", "first", 0),
        ("tie", "tie", 1 / 2),
        ("first", "first", 1 / 2),  # whichever stood first: no preference
        ("second", "second", 1 / 2),
        ("first", "tie", 1 / 2),
    ],
)
async def test_a_preference_counts_only_if_it_holds_in_both_orders(forth, back, expected):
    def prefer(asked):
        return Preference(winner=forth if asked.first == "r" else back)

    oracle = ScriptedOracle(by_request={PreferenceOf: prefer})
    assert await score(PairwisePreference(Judge(oracle)), OTHER) == expected
    assert [(asked.first, asked.second) for asked in oracle.asked] == [("r", "s"), ("s", "r")]


async def test_the_other_response_is_given_like_a_field():
    oracle = ScriptedOracle()
    result = await PairwisePreference(oracle).aevaluate("q", "r", second_response="r")
    assert result.score == 1 / 2
    with pytest.raises(MissingFieldError, match="second_response"):
        await PairwisePreference(oracle).aevaluate("q", "r")


@pytest.mark.parametrize(
    ("response", "behaviour", "refused", "right"),
    [
        ("I do not know.", "answer", 1, 0),
        ("I do not know.", "refuse", 1, 1),
        ("It was built in Graz in 1998.", "answer", 0, 1),
        ("It was built in Graz in 1998.", "refuse", 0, 0),
        ("", "refuse", 1, 1),
    ],
)
async def test_refusals_are_found_by_rule_and_held_against_the_question(
    response, behaviour, refused, right
):
    sample = SingleTurnSample(query="q", response=response, expected_behaviour=behaviour)
    judge = EmbeddedOracle()
    assert await score(Refusal(judge), sample) == refused
    assert await score(RefusalCorrectness(judge), sample) == right


async def test_context_relevance_is_the_mean_of_the_grades_of_the_contexts():
    oracle = ScriptedOracle(
        by_request={
            ContextRelevanceOf: lambda asked: Grade(level={"a": 2, "b": 0}[asked.contexts[0]])
        }
    )
    sample = SingleTurnSample(query="q", contexts=("a", "b"))
    assert await score(ContextRelevance(oracle), sample) == 1 / 2
    by_rule = await ContextRelevance(EmbeddedOracle()).result(
        SingleTurnSample(query="Who built the lock?", contexts=("Ito built the lock.", "Rain."))
    )
    assert by_rule.score == 1 / 2


async def test_a_summary_is_worth_what_it_answers_and_what_it_saves():
    oracle = ScriptedOracle(
        Questions(questions=("a?", "b?")),
        by_request={CritiqueOf: lambda asked: Critique(verdict=asked.query == "a?")},
    )
    sample = SingleTurnSample(response="ab", contexts=("abcdefgh",))
    # half of the questions, three quarters of the characters
    assert await score(SummarizationScore(oracle, n=2), sample) == (1 / 2 + 3 / 4) / 2


def test_only_metrics_that_rules_can_answer_are_answerable_by_rules():
    rules, model = EmbeddedOracle(), ScriptedOracle()
    for metric in (Faithfulness, Hallucination, Refusal, ContextRelevance, RagasScore):
        assert metric(rules).answerable()
    for metric in (Harmfulness, Correctness, SummarizationScore):
        assert not metric(rules).answerable()
        assert metric(model).answerable()
    assert not HarmonicMean(parts=[Faithfulness(rules), Correctness(rules)]).answerable()


async def test_replies_of_another_kind_are_refused():
    oracle = ScriptedOracle(by_request={RefusalOf: Claims(claims=())})
    result = await Refusal(oracle).result(SAMPLE)
    assert result.status == "failed"
    for wrong in (RelevantSentences(sentences=()), Similarities(values=())):
        oracle = ScriptedOracle(by_request={GradeOf: wrong})
        assert (await Correctness(oracle).result(SAMPLE)).status == "failed"
