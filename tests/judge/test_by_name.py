"""Judges by name: an LLM with its cache, prompts, votes and limits."""

from dataclasses import replace
from pathlib import Path

import pytest

from llamaindex_rag_eval.errors import CallError, InputError
from llamaindex_rag_eval.judge import ClaimsOf
from llamaindex_rag_eval.judge.by_name import judge_at
from llamaindex_rag_eval.models import Budget, LLMOracle
from llamaindex_rag_eval.models.by_name import CallSettings
from tests.models.asking import serving
from tests.server import Fault


async def test_a_judge_by_name_keeps_its_replies_and_counts_its_calls(tmp_path: Path) -> None:
    with serving(record=True) as server:
        name = f"openai-like:{server.url}:gpt-4o-mini"
        for _ in range(2):  # two judges, as in two processes
            judge = judge_at(name, cache=tmp_path / "replies.db", prompts="ja")
            assert await judge.ask(ClaimsOf(text="Ada is tall."))
        assert server.stats().calls == 1
        (body,) = server.requests()
    assert "を" in body["messages"][0]["content"]


async def test_its_votes_and_its_budget_are_those_given() -> None:
    with serving() as server:
        name = f"openai-like:{server.url}:gpt-4o-mini"
        judge = judge_at(name, votes=3, budget=Budget(calls=3))
        assert await judge.claims("Ada is tall.") == ("Ada is tall.",)
        assert server.stats().calls == 3


async def test_it_is_called_as_the_settings_say() -> None:
    settings = CallSettings(retries=0, timeout=9, reply_limit=77, reply_format="json")
    with serving(Fault(kind="unavailable"), record=True) as server:
        judge = judge_at("openai-like:local", calls=replace(settings, base_url=server.url))
        with pytest.raises(CallError, match="overloaded"):
            await judge.claims("Ada is tall.")
        (body,) = server.requests()
    assert (body["max_tokens"], body["response_format"]) == (77, {"type": "json_object"})
    oracle = judge.oracle.inner
    assert isinstance(oracle, LLMOracle)
    assert (getattr(oracle.llm, "timeout", None), oracle.limit.timeout) == (9, 9)


async def test_its_embeddings_come_from_the_model_of_that_name(tmp_path: Path) -> None:
    with serving() as server:
        embed = f"openai-like:{server.url}:e"
        for name in (f"openai-like:{server.url}:local", None):
            for _ in range(2):  # two judges, as in two processes
                judge = judge_at(name, embed=embed, cache=tmp_path / "replies.db")
                (value,) = await judge.similarity("Ada is tall.", ["ada is TALL"])
                assert value == pytest.approx(1, abs=1e-6)
        assert server.stats().by_endpoint == {"embeddings": 1}


def test_prompts_that_are_not_there_are_named() -> None:
    with pytest.raises(InputError, match="expected one of en, de, ja, zh, or a folder"):
        judge_at("openai-like:http://localhost:1:local", prompts="xx")
