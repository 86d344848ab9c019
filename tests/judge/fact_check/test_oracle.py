"""The fact-checking oracle among others: before rules and models, in caches, votes and dry runs."""

from pathlib import Path

import pytest

from llamaindex_rag_eval import CachedOracle, FactCheckOracle, Faithfulness, Store, evaluate
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Claims, ClaimsOf, Judge, SupportOf
from llamaindex_rag_eval.models import EmbeddedOracle, ScriptedOracle, Usage, VotingOracle
from llamaindex_rag_eval.models.dry_run import dry_run_of
from llamaindex_rag_eval.runs.estimate import estimate
from tests.benchmarks.suite_cost import made_samples
from tests.judge.fact_check.words import WordOverlap
from tests.models.asking import oracle_at, serving

LABELS = ("contradiction", "entailment", "neutral")


def oracle_before(inner: object = None, model: WordOverlap | None = None) -> FactCheckOracle:
    return FactCheckOracle(model or WordOverlap(), inner, labels=LABELS, name="words")  # type: ignore[arg-type]  # an oracle


async def test_everything_but_support_goes_to_the_oracle_behind():
    inner = ScriptedOracle(Claims(claims=("Ada is tall.",)))
    oracle = oracle_before(inner)
    assert (await oracle.ask(ClaimsOf(text="Ada is tall."))).claims == ("Ada is tall.",)
    await oracle.ask(SupportOf(claims=("Ada is tall.",), sources=("Ada is tall.",)))
    assert [type(asked) for asked in inner.asked] == [ClaimsOf]
    assert oracle.fingerprint(ClaimsOf) == inner.fingerprint(ClaimsOf)
    assert oracle.answers(SupportOf)


async def test_a_metric_counts_by_the_probability_when_graded():
    judge = Judge(CachedOracle(oracle_before()))
    given = ("Who?", "Ada is very tall.", ["Ada is tall there."])
    plain = await Faithfulness(judge, graded=False).aevaluate(*given)
    graded = await Faithfulness(judge, graded=True).aevaluate(*given)
    assert (plain.score, graded.score) == (1.0, 3 / 4)  # 3 of the claim's 4 words


async def test_replies_are_kept_under_the_model_and_its_settings(tmp_path: Path):
    request = SupportOf(claims=("Ada is tall.",), sources=("Ada is tall.",))
    store = Store(tmp_path / "replies.db")
    first, second, other = WordOverlap(), WordOverlap(), WordOverlap()
    await CachedOracle(oracle_before(model=first), store).ask(request)
    await CachedOracle(oracle_before(model=second), store).ask(request)
    renamed = FactCheckOracle(other, labels=LABELS, name="words-2")
    await CachedOracle(renamed, store).ask(request)
    assert [len(model.asked) for model in (first, second, other)] == [1, 0, 1]
    prints = {
        FactCheckOracle(first, labels=LABELS, name="w", **settings).fingerprint(SupportOf)  # type: ignore[arg-type]  # settings
        for settings in ({}, {"threshold": 0.6}, {"window": 100})
    }
    assert len(prints) == 3


def test_a_dry_run_counts_the_claims_of_the_model_and_runs_no_checker():
    model = WordOverlap()
    with serving() as server:
        oracle = CachedOracle(oracle_before(oracle_at(server), model))
        usage = estimate(made_samples(2), metrics=["faithfulness"], judge=oracle)
        assert server.stats().calls == 0
    assert model.asked == []
    assert set(usage.by["request"]) == {"ClaimsOf"}
    rehearsed = dry_run_of(oracle, Usage())
    assert rehearsed.answers(SupportOf)
    assert rehearsed.fingerprint(SupportOf) != oracle.fingerprint(SupportOf)


async def test_only_what_is_behind_votes():
    with serving() as server:
        oracle = oracle_before(oracle_at(server))
        votes = VotingOracle(oracle, 3)
        assert (await votes.ask(ClaimsOf(text="Ada is tall."))).claims == ("Ada is tall.",)
        assert server.stats().calls == 3
    with pytest.raises(InputError, match="always answers the same"):
        VotingOracle(oracle_before(EmbeddedOracle()), 3)


def test_the_run_says_who_answered_what():
    run = evaluate(made_samples(1), metrics=["faithfulness"], judge=oracle_before())
    who = run.provenance.answered_by
    assert who["SupportOf"] == "fact-check/1/words/threshold=0.5/window=400"
    assert who["ClaimsOf"].startswith("embedded-rules")
    (note,) = (note for note in run.provenance.notes if "ClaimsOf" in note or "rules" in note)
    assert "the fact checker 'words'" in note


async def test_the_prompts_of_the_model_behind_can_be_replaced():
    with serving(record=True) as server:
        metric = Faithfulness(oracle_before(oracle_at(server)))
        name = next(name for name in metric.get_prompts() if name.startswith("claims"))
        template = metric.get_prompts()[name].partial_format()
        template.template = "List the claims, please."  # type: ignore[attr-defined]  # a PromptTemplate
        metric.update_prompts({name: template})
        await metric.aevaluate(query="Who?", response="Ada is tall.", contexts=["Ada is tall."])
        (body,) = server.requests()
    assert body["messages"][0]["content"].startswith("List the claims, please.")
