"""The judge: what is asked, what needs no asking, and who judges by default."""

from typing import Any

import pytest
from llama_index.core import Settings
from llama_index.core.llms import MockLLM

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import (
    Judge,
    Support,
    SupportReply,
    default_judge,
    judge_of,
)
from llamaindex_rag_eval.judge.rules.extractive import ExtractiveLLM
from llamaindex_rag_eval.models import CachedOracle, EmbeddedOracle, ScriptedOracle, Store
from tests.models.asking import llm_at, serving


def answering(judge: Judge) -> Any:
    """Return the oracle behind the judge's cache."""
    assert isinstance(judge.oracle, CachedOracle)
    return judge.oracle.inner


async def test_a_question_whose_answer_is_known_is_not_asked() -> None:
    oracle = ScriptedOracle()
    judge = Judge(oracle)
    assert await judge.claims("  ") == ()
    assert await judge.support((), sources=("a",)) == ()
    assert await judge.relevance("q", contexts=(), answer="a") == ()
    assert (
        await judge.entities("", contexts=("c",))
        == await judge.relevant_sentences("q", sentences=())
        == ()
    )
    assert await judge.similarity("a", ()) == ()
    (entry,) = await judge.support(("a",), sources=(" ", ""))
    assert (entry.verdict, entry.reason) == ("not_mentioned", "There is no source.")
    assert oracle.asked == []


@pytest.mark.parametrize(
    ("quote", "kept"), [("is  on the\nSeine", True), ("is on the Rhine", False), ("", True)]
)
async def test_a_quote_that_no_source_has_is_dropped(quote: str, kept: bool) -> None:
    entry = Support(claim="a", verdict="supported", sources=(0,), quote=quote)
    judge = Judge(ScriptedOracle(SupportReply(verdicts=(entry,))))
    (found,) = await judge.support(("a",), sources=("Paris is on the Seine.",))
    assert found.quote_found is kept
    assert found.quote == (quote if kept else "")


def test_rules_judge_by_default_and_metrics_share_them() -> None:
    assert default_judge() is judge_of(None) is default_judge()
    assert isinstance(answering(default_judge()), EmbeddedOracle)


def test_the_llm_that_the_user_set_judges_by_default_and_one_line_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    rules = default_judge()
    with serving() as server:
        llm = llm_at(server)
        monkeypatch.setattr(Settings, "_llm", llm)
        judge = default_judge()
        assert judge is default_judge() is not rules
        assert answering(judge).llm is llm
    assert [record.getMessage().split(" (")[0] for record in caplog.records] == [
        "Settings.llm judges"
    ]
    for mock in (MockLLM(), ExtractiveLLM()):  # what LlamaIndex sets for itself; no judge
        monkeypatch.setattr(Settings, "_llm", mock)
        assert isinstance(answering(default_judge()), EmbeddedOracle)


def test_a_judge_is_made_of_an_oracle_or_an_llm_with_one_cache(tmp_path) -> None:
    judge = Judge(ScriptedOracle())
    assert judge_of(judge) is judge
    cached = CachedOracle(ScriptedOracle())
    assert judge_of(cached).oracle is cached
    store = Store(tmp_path / "replies.db")
    stored = judge_of(ScriptedOracle(), store=store).oracle
    assert isinstance(stored, CachedOracle)
    assert stored.store is store
    assert answering(judge_of(MockLLM())).llm.class_name() == "MockLLM"
    with pytest.raises(InputError, match="'gpt' cannot judge; expected a Judge"):
        judge_of("gpt")  # type: ignore[arg-type]  # what a user may give


async def test_a_judge_of_several_votes_asks_as_often() -> None:
    with serving() as server:
        judge = judge_of(llm_at(server), votes=3)
        assert await judge.claims("Ada is tall.") == ("Ada is tall.",)
        assert server.stats().calls == 3


def test_its_name_shows_who_answers() -> None:
    assert repr(Judge(EmbeddedOracle())) == "Judge(EmbeddedOracle())"
