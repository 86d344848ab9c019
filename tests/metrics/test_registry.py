import contextlib
import sys
from collections import Counter

import pytest
from hypothesis import given, settings, strategies as st

import llamaindex_rag_eval
from llamaindex_rag_eval import metrics
from llamaindex_rag_eval.errors import InputError, RagEvalError, UnknownMetricError
from llamaindex_rag_eval.metrics import registry
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.metrics.ranking import Recall
from llamaindex_rag_eval.metrics.registry import DEFAULT_METRICS, METRICS, metric_class, metric_of


def test_every_metric_class_is_public_and_listed_once_by_name():
    exported = {getattr(llamaindex_rag_eval, name) for name in vars(llamaindex_rag_eval)["__all__"]}
    kinds = {kind for kind in exported if isinstance(kind, type) and issubclass(kind, BaseMetric)}
    assert set(METRICS) == {kind for kind in kinds if hasattr(kind, "name")}
    assert [kind.name for kind in METRICS] == sorted({kind.name for kind in METRICS})


NEW_PAGE = """
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.metrics.result import Score


class Base(Metric):
    pass


class Brevity(Base):
    name = "brevity"
    needs = frozenset({"response"})

    async def measure(self, sample):
        return Score(1 / (1 + len(sample.response.split())))
"""


def test_a_metric_is_found_in_a_new_module_and_base_classes_are_not(tmp_path, monkeypatch):
    (tmp_path / "brevity.py").write_text(NEW_PAGE, encoding="utf-8")
    monkeypatch.setattr(metrics, "__path__", [*metrics.__path__, str(tmp_path)])
    found = registry.metric_classes()
    monkeypatch.delitem(sys.modules, "llamaindex_rag_eval.metrics.brevity")
    assert [kind.name for kind in found if kind not in METRICS] == ["brevity"]
    assert len(found) == len(METRICS) + 1


def test_a_metric_of_the_user_is_not_listed():
    class Own(Faithfulness):
        name = "own"

    assert Own not in registry.metric_classes()
    with pytest.raises(UnknownMetricError, match="'own'"):
        metric_of("own")


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
    with pytest.raises(UnknownMetricError, match="rag-eval more metrics"):
        metric_of("zzzzzz")


@pytest.mark.parametrize(
    "spec",
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
def test_what_is_not_a_spec_is_refused_and_never_run(spec):
    with pytest.raises(InputError):
        metric_of(spec)


@settings(deadline=None)
@given(st.text(max_size=40))
def test_no_text_breaks_the_parser_of_specs(text):
    for spec in (text, f"ndcg({text})"):
        with contextlib.suppress(RagEvalError):
            assert metric_of(spec).spec


def test_the_default_metrics_exist():
    assert [metric_of(spec).spec for spec in DEFAULT_METRICS] == list(DEFAULT_METRICS)


def test_the_name_in_another_tool_leads_to_a_metric_that_is_kin_to_it():
    names = [(kind, tool, name) for kind in METRICS for tool, name in kind.kin.items()]
    for kind, tool, name in names:
        found = metric_class(name.removesuffix("@k"))
        assert found is kind or found.kin.get(tool) or found.name == name.casefold(), (kind, name)


def test_a_metric_that_needs_a_setting_says_which() -> None:
    with pytest.raises(InputError, match=r"'g_eval' needs 'criteria', as g_eval\(criteria=…\)"):
        metric_of("g_eval")


def test_a_metric_that_is_gone_names_what_does_its_work():
    for name in ("diagnosis", "Diagnosis"):
        with pytest.raises(UnknownMetricError, match="any more; use `rag-eval diagnose`"):
            metric_of(name)
