import pytest
from llama_index.core.prompts import PromptTemplate

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import ClaimsOf, Critique, Judge, SupportOf
from llamaindex_rag_eval.metrics.aspects import Harmfulness
from llamaindex_rag_eval.metrics.composite import HarmonicMean, RagasScore
from llamaindex_rag_eval.metrics.context_relevance import ContextRelevance
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.metrics.goals import AgentGoalAccuracyWithoutReference
from llamaindex_rag_eval.metrics.graded_answers import Correctness
from llamaindex_rag_eval.metrics.hallucination import Hallucination
from llamaindex_rag_eval.metrics.knowledge_retention import KnowledgeRetention
from llamaindex_rag_eval.metrics.refusal import Refusal
from llamaindex_rag_eval.metrics.result import Result, Score
from llamaindex_rag_eval.metrics.summarization_score import SummarizationScore
from llamaindex_rag_eval.models import (
    CachedOracle,
    EmbeddedOracle,
    LLMOracle,
    ScriptedOracle,
    Store,
    VotingOracle,
)
from tests.contract.samples import FULL
from tests.models.asking import oracle_at, serving
from tests.server.asked import prompt_text


async def test_a_conversation_metric_is_given_its_fields_by_name():
    result = await AgentGoalAccuracyWithoutReference(
        ScriptedOracle(Critique(verdict=True))
    ).aevaluate(
        messages=[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"}]
    )
    assert result.score == 1
    with pytest.raises(InputError, match="cannot read"):
        await KnowledgeRetention().aevaluate(messages=[{"role": "nobody"}])


def test_only_metrics_that_rules_can_answer_are_answerable_by_rules():
    rules, model = EmbeddedOracle(), ScriptedOracle()
    for metric in (Faithfulness, Hallucination, Refusal, ContextRelevance, RagasScore):
        assert metric(rules).answerable()
    for judged in (Harmfulness, Correctness, SummarizationScore):
        assert not judged(rules).answerable()
        assert judged(model).answerable()
    assert not HarmonicMean(parts=[Faithfulness(rules), Correctness(rules)]).answerable()


def test_who_judged_is_told_by_kind_whoever_came_first():
    sample = SingleTurnSample(id="s", query="Why?", response="So.")
    judged = {"SupportOf": {"llm/b": 1, "llm/a": 2}, "ClaimsOf": {"llm/a": 1}}
    expected = [("ClaimsOf", ["llm/a"]), ("SupportOf", ["llm/a", "llm/b"])]
    results = [
        Result.from_score("faithfulness", sample, Score(0.5), judged_by=judged),
        Result.from_error("faithfulness", sample, InputError("no"), judged_by=judged),
    ]
    for result in results:
        assert [(kind, list(counts)) for kind, counts in result.judged_by.items()] == expected
        assert result.judged_by == judged


OTHER = "List every claim of `text`, one a line."


@pytest.fixture(scope="module")
def server():
    with serving(record=True) as running:
        yield running


def prompts_of(server):
    return [prompt_text(body) for body in server.requests()]


def test_a_metric_shows_the_prompts_it_is_judged_by(server):
    prompts = Faithfulness(oracle_at(server)).get_prompts()
    assert sorted(prompts) == ["claims", "support"]
    assert prompts["claims"].get_template() == ClaimsOf.prompt.instruction
    assert Faithfulness(EmbeddedOracle()).get_prompts().keys() == prompts.keys()


async def test_an_updated_prompt_is_what_the_model_is_asked_by_and_the_rest_stays(server):
    metric = Faithfulness(oracle_at(server))
    before = metric.judge.oracle.fingerprint(ClaimsOf)
    metric.update_prompts({"claims": PromptTemplate(OTHER)})
    server.reset()
    assert (await metric.result(FULL)).status == "scored"
    first, second = prompts_of(server)
    assert first.startswith(OTHER)
    assert SupportOf.prompt.instruction in second
    assert metric.get_prompts()["claims"].get_template() == OTHER
    assert metric.judge.oracle.fingerprint(ClaimsOf) != before


def test_only_the_metric_that_was_updated_changes(server):
    shared = Judge(CachedOracle(oracle_at(server)))
    changed, other = Faithfulness(shared), Faithfulness(shared)
    changed.update_prompts({"claims": PromptTemplate(OTHER)})
    assert other.get_prompts()["claims"].get_template() == ClaimsOf.prompt.instruction
    assert other.judge is shared


def test_a_cache_a_limit_and_votes_stay_around_the_model(server):
    store = Store(":memory:")
    model = oracle_at(server)
    wrapped = CachedOracle(VotingOracle(model, 3), store, size=7)
    metric = Faithfulness(Judge(wrapped))
    metric.update_prompts({"support": PromptTemplate("Judge.")})
    made = metric.judge.oracle
    assert isinstance(made, CachedOracle)
    assert isinstance(made.inner, VotingOracle)
    assert isinstance(made.inner.inner, LLMOracle)
    assert (made.store, made.size, made.inner.votes) == (store, 7, 3)
    assert made.inner.inner.limit is model.limit


def test_one_update_after_another_keeps_both(server):
    metric = Faithfulness(oracle_at(server))
    metric.update_prompts({"claims": PromptTemplate(OTHER)})
    metric.update_prompts({"support": PromptTemplate("Judge.")})
    assert [p.get_template() for p in metric.get_prompts().values()] == [OTHER, "Judge."]


def test_a_prompt_is_found_under_its_own_name_whatever_the_request_is_called(server):
    metric = Refusal(oracle_at(server))
    assert list(metric.get_prompts()) == ["critique"]
    metric.update_prompts({"critique": PromptTemplate("Say.")})
    assert metric.get_prompts()["critique"].get_template() == "Say."


def test_an_unknown_name_is_refused_with_the_names_there_are(server):
    with pytest.raises(InputError, match="'clams' here; there are claims, support"):
        Faithfulness(oracle_at(server)).update_prompts({"clams": PromptTemplate("x")})


@pytest.mark.parametrize("oracle", [EmbeddedOracle(), ScriptedOracle()])
def test_a_judge_without_a_model_has_no_prompt_to_change(oracle):
    with pytest.raises(InputError, match="asks no model by prompts"):
        Faithfulness(oracle).update_prompts({"claims": PromptTemplate(OTHER)})
