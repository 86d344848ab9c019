import pytest
from llama_index.core.prompts import PromptTemplate

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import ClaimsOf, Judge, SupportOf
from llamaindex_rag_eval.metrics.answer_relevancy import AnswerRelevancy
from llamaindex_rag_eval.metrics.composite import HarmonicMean
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.metrics.refusal import Refusal
from llamaindex_rag_eval.metrics.turns import turn_wise
from llamaindex_rag_eval.models import (
    CachedOracle,
    EmbeddedOracle,
    Limit,
    LimitedOracle,
    ScriptedOracle,
    Store,
    VotingOracle,
)
from tests.contract.samples import FULL
from tests.models.asking import oracle_at, serving

OTHER = "List every claim of `text`, one a line."


@pytest.fixture(scope="module")
def server():
    with serving(record=True) as running:
        yield running


def systems(server):
    return [body["messages"][0]["content"] for body in server.requests()]


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
    first, second = systems(server)
    assert first.startswith(OTHER)
    assert second.startswith(SupportOf.prompt.instruction)
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
    wrapped = CachedOracle(VotingOracle(oracle_at(server), 3), store, size=7)
    metric = Faithfulness(Judge(wrapped))
    metric.update_prompts({"support": PromptTemplate("Judge.")})
    made = metric.judge.oracle
    assert (made.store, made.size, made.inner.votes) == (store, 7, 3)
    assert made.inner.inner.limit is wrapped.inner.inner.limit
    limited = Faithfulness(Judge(LimitedOracle(oracle_at(server), Limit(1))))
    limited.update_prompts({"claims": PromptTemplate(OTHER)})
    assert isinstance(limited.judge.oracle, LimitedOracle)
    assert limited.get_prompts()["claims"].get_template() == OTHER


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


async def test_the_prompts_of_a_composite_are_those_of_its_parts_by_their_names(server):
    metric = HarmonicMean(oracle_at(server), parts=[Faithfulness(), AnswerRelevancy()])
    assert sorted(metric.get_prompts()) == [
        "answer_relevancy:questions",
        "faithfulness:claims",
        "faithfulness:support",
    ]
    metric.update_prompts({"faithfulness:claims": PromptTemplate(OTHER)})
    server.reset()
    assert (await metric.result(FULL)).status != "failed"
    assert sum(system.startswith(OTHER) for system in systems(server)) == 1


def test_the_prompts_of_a_turn_wise_metric_are_those_of_its_metric(server):
    metric = turn_wise(Faithfulness(oracle_at(server)))
    assert sorted(metric.get_prompts()) == ["faithfulness:claims", "faithfulness:support"]
    metric.update_prompts({"faithfulness:claims": PromptTemplate(OTHER)})
    assert metric.get_prompts()["faithfulness:claims"].get_template() == OTHER
