"""Batch files of other APIs than OpenAI's: Azure's and Anthropic's, over their own clients."""

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest
from llama_index.core.llms import LLM, MockLLM
from llama_index.llms.openai import OpenAI
from openai import AsyncAzureOpenAI

from llamaindex_rag_eval import aevaluate
from llamaindex_rag_eval.errors import CallError, InputError
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.models import (
    BatchOracle,
    CachedOracle,
    Limit,
    LLMOracle,
    Store,
    VotingOracle,
)
from llamaindex_rag_eval.models.batch import ANTHROPIC, AZURE, OPENAI, form_for, reply_of
from llamaindex_rag_eval.models.batch_submit import submit
from llamaindex_rag_eval.models.transport import anthropic_client
from tests.requirement import require
from tests.runs.evaluations import samples
from tests.server import Fault, Faults, LoopbackServer

METRICS = ["faithfulness", "context_recall"]
RESPONDERS = "tests.models.responders:RESPONDERS"
KEY = "sk-test-0123456789"


class AzureLike(OpenAI):
    """Calls Azure by OpenAI's own client for it, as LlamaIndex's `AzureOpenAI` does."""

    azure_endpoint: str = "https://example.invalid"

    def _get_aclient(self) -> AsyncAzureOpenAI:
        return AsyncAzureOpenAI(
            api_key=KEY,
            azure_endpoint=self.azure_endpoint,
            azure_deployment=self.model,
            api_version="2024-10-21",
            http_client=self._async_http_client,
            max_retries=self.max_retries,
        )


def anthropic_at(url: str) -> LLM:
    found = importlib.util.find_spec("anthropic") is not None
    found = found and importlib.util.find_spec("llama_index.llms.anthropic") is not None
    require(found, "llama-index-llms-anthropic")
    from llama_index.llms.anthropic import Anthropic

    llm: LLM = Anthropic(
        model="claude-sonnet-4-5",
        base_url=url,
        api_key=KEY,
        temperature=0.0,
        max_tokens=2048,
        max_retries=0,
    )
    return llm


def llm_of(form: str, server: LoopbackServer) -> LLM:
    address = server.url.removesuffix("/v1")
    if form == "azure":
        return AzureLike(model="gpt-4o-mini", api_key=KEY, azure_endpoint=address)
    return anthropic_at(address)


def scores(run: Any) -> list[tuple[str, str, str, float | None]]:
    return [(r.sample_id, r.metric, r.status, r.score) for r in run.results]


async def in_rounds(llm: LLM, folder: Path, *, most: int = 12) -> Any:
    for _ in range(most):
        oracle = BatchOracle(llm, Store(folder / "replies.db"), folder / "batch")
        run = await aevaluate(samples(4), metrics=METRICS, judge=Judge(oracle))
        oracle.write_round()
        if not oracle.folder.waiting:
            return run
        await submit(oracle.folder, llm, poll=0.01)
    raise AssertionError("the rounds have no end")


@pytest.mark.parametrize(
    ("form", "batches", "faults"),
    [
        ("azure", {"lost": 0.3}, Faults()),
        ("azure", {}, Faults(Fault(kind="unavailable", rate=0.2, attempts=1))),
        ("anthropic", {"endings": ["expired", "cancelled"]}, Faults()),
        ("anthropic", {"lost": 0.3}, Faults()),
        ("anthropic", {}, Faults(Fault(kind="malformed_json", rate=0.1))),
        ("anthropic", {}, Faults(Fault(kind="unavailable", rate=0.2, attempts=1))),
    ],
    ids=[
        *("azure, lost", "azure, errors"),
        *("anthropic, expired", "anthropic, lost", "anthropic, malformed", "anthropic, errors"),
    ],
)
async def test_the_scores_are_those_of_an_online_run(
    tmp_path: Path, form: str, batches: dict[str, object], faults: Faults
):
    with LoopbackServer(responders=RESPONDERS, batches=batches, faults=faults) as server:
        llm = llm_of(form, server)
        judge = Judge(CachedOracle(LLMOracle(llm, limit=Limit(16, retries=3))))
        online = await aevaluate(samples(4), metrics=METRICS, judge=judge)
        if form == "anthropic":  # a client of LlamaIndex's, which nothing else closes
            await anthropic_client(llm).close()
        server.reset()
        run = await in_rounds(llm, tmp_path)
        assert server.stats().by_endpoint.keys() <= {"chat/completions", "messages"}
    assert scores(run) == scores(online)
    assert {result.status for result in run.results} == {"scored"}


async def test_requests_have_the_form_of_the_api(tmp_path: Path):
    with LoopbackServer(responders=RESPONDERS) as server:
        for form in ("azure", "anthropic"):
            oracle = BatchOracle(llm_of(form, server), None, tmp_path / form)
            await aevaluate(samples(1), metrics=["faithfulness"], judge=Judge(oracle))
            (path,) = oracle.write_round()
            first = json.loads(path.read_text("utf-8").splitlines()[0])
            if form == "azure":
                assert (first["method"], first["url"]) == ("POST", "/chat/completions")
                assert first["body"]["model"] == "gpt-4o-mini"
            else:
                assert first.keys() == {"custom_id", "params"}
                assert first["params"]["model"] == "claude-sonnet-4-5"
                assert 0 < first["params"]["max_tokens"] <= 2048
                assert "stream" not in first["params"]


async def test_votes_and_tokens_of_anthropics_models_are_counted(tmp_path: Path):
    with LoopbackServer(responders=RESPONDERS) as server:
        llm = llm_of("anthropic", server)
        limit = Limit()
        oracle = BatchOracle(llm, None, tmp_path, limit=limit)
        voting = Judge(VotingOracle(oracle, 3))
        await aevaluate(samples(1), metrics=["faithfulness"], judge=voting)
        (path,) = oracle.write_round()
        assert path.read_text("utf-8").count("\n") == 3
        await submit(oracle.folder, llm, poll=0.01)
        await aevaluate(samples(1), metrics=["faithfulness"], judge=voting)
        again = VotingOracle(BatchOracle(llm, None, tmp_path, limit=limit), 3)
        await aevaluate(samples(1), metrics=["faithfulness"], judge=Judge(again))
        counted, said = limit.usage.total, server.stats()
    assert (counted.calls, counted.prompt_tokens) == (3, said.prompt_tokens)
    assert counted.completion_tokens == said.completion_tokens > 0


async def test_a_message_batch_whose_id_was_not_kept_is_found_again(tmp_path: Path):
    with LoopbackServer(responders=RESPONDERS) as server:
        llm = llm_of("anthropic", server)
        oracle = BatchOracle(llm, None, tmp_path)
        await aevaluate(samples(2), metrics=["faithfulness"], judge=Judge(oracle))
        oracle.write_round()
        await submit(oracle.folder, llm, poll=0.01)
        calls = server.stats().calls
        (tmp_path / "round-1.replies.jsonl").unlink()
        # As if killed after the batch was created, before its id was on disk.
        state = {"since": "2000-01-01T00:00:00+00:00"}
        (tmp_path / "round-1.batch.json").write_text(json.dumps(state), "utf-8")
        again = BatchOracle(llm, None, tmp_path)
        await submit(again.folder, llm, poll=0.01)
        assert again.folder.waiting == ()
        assert server.stats().calls == calls


async def test_files_of_another_form_are_not_sent(tmp_path: Path):
    with LoopbackServer(responders=RESPONDERS) as server:
        oracle = BatchOracle(llm_of("azure", server), None, tmp_path)
        await aevaluate(samples(1), metrics=["faithfulness"], judge=Judge(oracle))
        oracle.write_round()
        with pytest.raises(InputError, match="in the form of another API; expected 'params'"):
            await submit(oracle.folder, llm_of("anthropic", server), poll=0.01)


async def test_an_endpoint_that_is_not_there_is_an_error_without_the_key(tmp_path: Path):
    llm = anthropic_at("http://localhost:1")
    oracle = BatchOracle(llm, None, tmp_path)
    await aevaluate(samples(1), metrics=["faithfulness"], judge=Judge(oracle))
    oracle.write_round()
    with pytest.raises(CallError) as caught:
        await submit(oracle.folder, llm, poll=0.01)
    assert KEY not in str(caught.value)


def test_the_form_is_that_of_the_llm_and_another_only_of_the_same_protocol():
    openai, azure = OpenAI(model="gpt-4o-mini", api_key=KEY), AzureLike(model="gpt-4o-mini")
    assert [form_for(llm) for llm in (openai, azure)] == [OPENAI, AZURE]
    assert form_for(openai, "azure") is AZURE
    with pytest.raises(InputError, match="'OpenAI' takes no batch files of the form 'anthropic'"):
        form_for(openai, "anthropic")
    with pytest.raises(InputError, match="expected 'openai' or 'azure'"):
        form_for(azure, "gemini")
    with pytest.raises(InputError, match=r"batch files need .* got 'MockLLM'"):
        form_for(MockLLM())


def test_an_anthropic_llm_has_one_form():
    llm = anthropic_at("http://localhost:1")
    assert form_for(llm) is ANTHROPIC
    with pytest.raises(InputError, match="expected 'anthropic'"):
        form_for(llm, "openai")


@pytest.mark.parametrize(
    ("result", "status", "transient"),
    [
        ({"type": "succeeded", "message": {"id": "m"}}, 200, False),
        ({"type": "errored", "error": {"error": {"type": "invalid_request_error"}}}, 400, False),
        ({"type": "errored", "error": {"error": {"type": "overloaded_error"}}}, 529, True),
        ({"type": "errored", "error": {"error": {"type": "new_error"}}}, 500, True),
        ({"type": "errored", "error": {"error": "?"}}, 500, True),
        ({"type": "canceled"}, 0, True),
        ({"type": "expired"}, 0, True),
    ],
)
def test_each_result_of_a_message_batch_is_read(
    result: dict[str, object], status: int, transient: bool
):
    reply = reply_of({"custom_id": "a-1", "result": result})
    assert reply is not None
    assert (reply.status, reply.transient) == (status, transient)


@pytest.mark.parametrize("result", [{}, {"type": "succeeded"}, {"type": "errored"}, {"type": 1}])
def test_a_result_without_content_is_no_reply(result: dict[str, object]):
    assert reply_of({"custom_id": "a-1", "result": result}) is None
