import contextlib
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import llamaindex_rag_eval
from llamaindex_rag_eval.errors import InputError, RagEvalError, UnknownMetricError
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.metrics.pages import metric_page, metric_pages
from llamaindex_rag_eval.metrics.ranking import Ndcg, Recall
from llamaindex_rag_eval.metrics.registry import DEFAULT_METRICS, METRICS, metric_class, metric_of
from llamaindex_rag_eval.metrics.spec import format_spec, parse_spec


def test_every_metric_class_is_in_the_catalogue_once():
    exported = {getattr(llamaindex_rag_eval, name) for name in llamaindex_rag_eval.__all__}
    kinds = {kind for kind in exported if isinstance(kind, type) and issubclass(kind, BaseMetric)}
    assert set(METRICS) == {kind for kind in kinds if hasattr(kind, "name")}
    assert len(METRICS) == len(set(METRICS))


def test_no_name_or_alias_leads_to_two_metrics():
    names = [kind.name for kind in METRICS]
    aliases = [alias for kind in METRICS for alias in kind.aliases]
    plain = [name.casefold().replace("_", "") for name in (*names, *aliases)]
    assert [name for name, count in Counter(plain).items() if count > 1] == []


NESTED = "harmonic_mean(parts=('faithfulness', 'ndcg@10'))"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("faithfulness", "faithfulness"),
        ("Faithfulness", "faithfulness"),
        ("FaithfulnessMetric", "faithfulness"),
        ("Builtin.Faithfulness", "faithfulness"),
        ("ndcg@10", "ndcg@10"),
        ("nDCG@10", "ndcg@10"),
        ("ndcg(k=10)", "ndcg@10"),
        (" recall @ 5 ", "recall@5"),
        ("hit-rate@5", "hit_rate@5"),
        ("ndcg@10(gain=exponential)", "ndcg@10(gain=exponential)"),
        ("ndcg(k=10, gain='exponential')", "ndcg@10(gain=exponential)"),
        ("answer_relevancy(n=5)", "answer_relevancy(n=5)"),
        ("answer_relevancy(n=3)", "answer_relevancy"),
        ("answer_correctness(weights=(0.5, 0.5))", "answer_correctness(weights=(0.5, 0.5))"),
        ("context_recall(threshold=0.5)", "context_recall"),
        ("llm_context_recall", "context_recall"),
        ("LLMContextPrecisionWithoutReference", "context_utilization"),
        ("ContextualPrecisionMetric", "context_precision"),
        ("response_relevancy", "answer_relevancy"),
        ("semantic_similarity", "answer_similarity"),
        ("claim_recall", "context_recall"),
        ("P@5", "precision@5"),
        ("RR@10", "mrr@10"),
        ("Success@1", "hit_rate@1"),
        ("noise_sensitivity_in_irrelevant", "noise_sensitivity(mode=irrelevant)"),
        ("NoiseSensitivity", "noise_sensitivity"),
        ("context_entities_recall", "context_entity_recall"),
        ("FactualCorrectness", "factual_correctness"),
        ("nv_accuracy", "answer_accuracy"),
        ("groundedness", "response_groundedness"),
        ("NonLLMContextRecall", "non_llm_context_recall"),
        ("rougeL", "rouge"),
        ("rouge1", "rouge(type=rouge1)"),
        ("BleuScore", "bleu"),
        ("string_distance", "string_similarity"),
        ("embedding_distance(distance=euclidean)", "embedding_distance(distance=euclidean)"),
        ("json_validity", "json_valid"),
        ("Builtin.Harmfulness", "harmfulness"),
        ("Builtin.Refusal", "refusal"),
        ("Builtin.ProfessionalStyleAndTone", "professional_style"),
        ("CorrectnessEvaluator", "correctness"),
        ("harmonic_mean(parts=(faithfulness, 'ndcg@10'))", NESTED),
        ("Builtin.ContextCoverage", "context_recall"),
        ("AgentGoalAccuracyWithReference", "agent_goal_accuracy"),
        ("AgentGoalAccuracyWithoutReference", "agent_goal_accuracy_without_reference"),
        ("ToolCallAccuracy", "tool_call_accuracy"),
        ("tool_call_accuracy(order=unordered)", "tool_call_accuracy(order=unordered)"),
        ("TopicAdherenceScore(mode=recall)", "topic_adherence(mode=recall)"),
        ("ConversationCompletenessMetric", "conversation_completeness"),
        ("MultiModalRelevancyEvaluator", "multimodal_relevance"),
        ("turn_wise(metric=faithfulness)", "turn_wise(metric=faithfulness)"),
        ("turn_wise(metric='ndcg@10')", "turn_wise(metric='ndcg@10')"),
    ],
)
def test_a_metric_is_found_by_its_name_with_settings_and_by_the_names_of_other_tools(
    name, expected
):
    assert metric_of(name).spec == expected


def test_a_metric_keeps_its_threshold_and_its_judge():
    metric = metric_of("recall@5(threshold=0.5)")
    assert isinstance(metric, Recall)
    assert (metric.k, metric.threshold) == (5, 0.5)
    judge = Faithfulness().judge
    assert metric_of("faithfulness", judge).judge is judge


def test_an_unknown_name_is_answered_with_names_that_come_close():
    with pytest.raises(UnknownMetricError, match="'faithfulness'") as caught:
        metric_of("fathfulnes")
    assert caught.value.close[0] == "faithfulness"
    with pytest.raises(UnknownMetricError, match="rag-eval metrics"):
        metric_of("zzzzzz")


@pytest.mark.parametrize(
    "label",
    [
        "",
        "@5",
        "ndcg@ten",
        "ndcg@10(",
        "ndcg(10)",
        "ndcg(gain=)",
        "ndcg(gain=__import__('os').getcwd())",
        "ndcg(**{'k': 1})",
        "ndcg(k=1)(k=2)",
        "ndcg(k=1, k=2)",
        "ndcg@1(k=1)",
        "ndcg(depth=3)",
        "faithfulness@5",
        "ndcg@0",
        "ndcg(k=[)",
        "x" * 100_000,
    ],
)
def test_what_is_not_a_label_is_refused_and_never_run(label):
    with pytest.raises(InputError):
        metric_of(label)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12),
    lambda inner: st.tuples(inner, inner) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=3,
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.dictionaries(st.sampled_from(["mode", "beta", "levels"]), VALUES), st.integers(1, 99))
def test_a_format_spec_is_read_back_as_it_was(given_settings, k):
    assert parse_spec(format_spec("name", given_settings)) == ("name", given_settings)
    with_k = {"k": k, **given_settings}
    assert parse_spec(format_spec("name", with_k)) == ("name", with_k)


@settings(deadline=None)
@given(st.text(max_size=40))
def test_no_text_breaks_the_reader_of_labels(text):
    for label in (text, f"ndcg({text})"):
        with contextlib.suppress(RagEvalError):
            assert metric_of(label).spec


def test_the_default_metrics_exist():
    assert [metric_of(label).spec for label in DEFAULT_METRICS] == list(DEFAULT_METRICS)


@pytest.mark.parametrize("kind", METRICS, ids=lambda kind: kind.name)
def test_the_name_in_another_tool_leads_to_a_metric_that_is_kin_to_it(kind):
    for tool, name in kind.kin.items():
        found = metric_class(name.removesuffix("@k"))
        assert found is kind or found.kin.get(tool) or found.name == name.casefold(), name


@pytest.mark.parametrize("page", metric_pages(), ids=lambda page: page.name)
def test_every_page_says_what_it_should(page):
    assert page.question.endswith("?")
    assert page.question[0].isupper()
    assert "=" in page.formula
    assert page.about
    assert page.source
    assert page.needs
    assert page.bounds[0] < page.bounds[1]


def test_a_page_is_read_from_the_code():
    page = metric_page("nDCG")
    assert page.name == Ndcg.name
    assert page.question == "How near to the best possible order is this one?"
    assert page.formula.startswith("ndcg@k = ")
    assert page.range == "0..1"
    assert page.needs == "contexts + gold or context_ids + reference_context_ids"
    assert page.settings == {
        "k": "None",
        "gain": "'linear'",
        "coverage": "0.5",
        "threshold": "None",
    }
    assert metric_page("regex_match").settings["pattern"] == "required"
    assert metric_page("faithfulness").calls == {"ClaimsOf": 1, "SupportOf": 1}
