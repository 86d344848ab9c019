"""Evaluations in rounds of batch files, against the loopback server's files and batches."""

import json
import sys
from pathlib import Path

import pytest
from llama_index.core.llms import MockLLM
from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval import Faithfulness, Run, aevaluate, evaluate
from llamaindex_rag_eval.errors import CallError, InputError, PendingError
from llamaindex_rag_eval.judge import ClaimsOf, Judge
from llamaindex_rag_eval.models import BatchOracle, CachedOracle, LLMOracle, Store
from llamaindex_rag_eval.models.batch_submit import submit
from tests import prepared
from tests.runs.evaluations import samples
from tests.runs.killed_runs import evaluate_in_batches
from tests.server import Fault, Faults, LoopbackServer

ROOT = Path(__file__).parents[2]
METRICS = ["faithfulness", "context_recall", "answer_correctness"]
RESPONDERS = "tests.models.responders:RESPONDERS"
SPOILT = Faults(
    Fault(kind="malformed_json", rate=0.1), Fault(kind="missing_item", rate=0.1, on=("support",))
)


def llm_at(server: LoopbackServer) -> OpenAI:
    return OpenAI(model="gpt-4o-mini", api_base=server.url, api_key="sk-test-0123456789")


def scores(run) -> list[tuple[str, str, str, float | None]]:
    return [(r.sample_id, r.metric, r.status, r.score) for r in run.results]


async def in_rounds(server: LoopbackServer, folder: Path, *, most: int = 40):
    """Return the run, and how many rounds it took."""
    llm = llm_at(server)
    for number in range(most):
        oracle = BatchOracle(llm, Store(folder / "replies.db"), folder / "batch")
        run = await aevaluate(samples(4), metrics=METRICS, judge=Judge(oracle))
        oracle.write_round()
        if not oracle.folder.waiting:
            return run, number
        await submit(oracle.folder, llm, poll=0.01)
    raise AssertionError("the rounds have no end")


async def online(server: LoopbackServer):
    judge = Judge(CachedOracle(LLMOracle(llm_at(server))))
    return await aevaluate(samples(4), metrics=METRICS, judge=judge)


@pytest.mark.parametrize(
    "batches",
    [
        {"endings": ["cancelled", "expired"]},
        {"lost": 0.7},
    ],
    ids=["ended early", "lost"],
)
async def test_the_scores_are_those_of_an_online_run(tmp_path: Path, batches: dict[str, object]):
    with LoopbackServer(responders=RESPONDERS, batches=batches) as server:
        expected = await online(server)
        server.reset()
        run, _ = await in_rounds(server, tmp_path)
    assert scores(run) == scores(expected)
    assert {result.status for result in run.results} == {"scored"}


async def test_a_reply_in_the_form_of_the_docs_is_read(tmp_path: Path):
    documented = (ROOT / "docs" / "judges.md").read_text(encoding="utf-8")
    (line,) = (each for each in documented.splitlines() if each.startswith('{"custom_id"'))
    llm = OpenAI(model="gpt-4o-mini", api_key="sk-test-0123456789")
    oracle = BatchOracle(llm, None, tmp_path)
    request = ClaimsOf(text="The Orla ferry carries 120 people.")
    with pytest.raises(PendingError):
        await oracle.ask(request)
    (written,) = oracle.write_round()
    reply = json.loads(line)
    reply["custom_id"] = json.loads(written.read_text(encoding="utf-8"))["custom_id"]
    (choice,) = reply["response"]["body"]["choices"]
    choice["message"]["content"] = json.dumps({"claims": ["The Orla ferry carries 120 people."]})
    (tmp_path / "replies.jsonl").write_text(json.dumps(reply), encoding="utf-8")
    read = await BatchOracle(llm, None, tmp_path).ask(request)
    assert read.claims == ("The Orla ferry carries 120 people.",)


async def test_malformed_replies_are_corrected_in_further_rounds(tmp_path: Path):
    with LoopbackServer(responders=RESPONDERS, faults=SPOILT) as server:
        expected = await online(server)
        server.reset()
        run, rounds = await in_rounds(server, tmp_path)
        sent = server.stats().calls
    assert scores(run) == scores(expected)
    assert {result.status for result in run.results} == {"scored"}
    assert rounds >= 3  # claims, what is held against them, corrections
    assert run.provenance.usage["calls"] <= sent


def test_what_waits_for_a_reply_is_pending_and_in_no_mean(tmp_path: Path):
    oracle = BatchOracle(OpenAI(model="gpt-4o-mini", api_key="sk-x"), None, tmp_path)
    run = evaluate(samples(3), metrics=["faithfulness", "exact_match"], judge=Judge(oracle))
    waiting, free = run.summary()
    assert (waiting.mean, waiting.scored, waiting.failed, waiting.missing) == (None, 0, 0, 3)
    assert free.scored == 3
    assert any("3 results are pending" in note for note in run.provenance.notes)


def test_a_metric_alone_says_that_it_is_pending(tmp_path: Path):
    oracle = BatchOracle(OpenAI(model="gpt-4o-mini", api_key="sk-x"), None, tmp_path)
    result = Faithfulness(oracle).evaluate(query="q", response="Paris.", contexts=["Paris."])
    assert (result.status, result.score, result.invalid_result) == ("pending", None, True)
    (path,) = oracle.write_round()
    assert path.read_text("utf-8").count("\n") == 1


async def test_a_batch_that_fails_as_a_whole_says_why_and_is_sent_again_next_time(tmp_path: Path):
    with LoopbackServer(responders=RESPONDERS, batches={"endings": ["failed"]}) as server:
        with pytest.raises(CallError, match="line 1 is invalid"):
            await in_rounds(server, tmp_path)
        run, _ = await in_rounds(server, tmp_path)
    assert {result.status for result in run.results} == {"scored"}


async def test_a_batch_whose_id_was_not_kept_is_found_again_and_not_paid_twice(tmp_path: Path):
    with LoopbackServer(responders=RESPONDERS) as server:
        llm = llm_at(server)
        oracle = BatchOracle(llm, None, tmp_path)
        await aevaluate(samples(2), metrics=["faithfulness"], judge=Judge(oracle))
        (path,) = oracle.write_round()
        await submit(oracle.folder, llm, poll=0.01)
        calls = server.stats().calls
        (tmp_path / "round-1.replies.jsonl").unlink()  # as if killed before they were fetched
        again = BatchOracle(llm, None, tmp_path)
        assert again.folder.waiting == (path,)
        await submit(again.folder, llm, poll=0.01)
        assert server.stats().calls == calls


def test_killed_batches_end_with_the_same_scores_and_pay_for_nothing_twice(tmp_path: Path):
    calm, rough = tmp_path / "calm", tmp_path / "rough"
    calm.mkdir()
    rough.mkdir()
    with LoopbackServer(responders=RESPONDERS, batches={"polls": 2}) as server:
        evaluate_in_batches(server.url, calm)
        undisturbed = server.stats()
        server.reset()
        command = [sys.executable, "-m", "tests.runs.killed_runs", server.url, rough, 7, "batch"]
        done = prepared.run(command, check=True)
        disturbed = server.stats()
    assert int(done.stdout.split()[-1]) >= 3
    assert disturbed.calls == disturbed.distinct_bodies == undisturbed.calls
    runs = [Run.read(folder / "run.jsonl") for folder in (calm, rough)]
    assert scores(runs[0]) == scores(runs[1])
    assert {result.status for result in runs[1].results} == {"scored"}


def test_a_model_that_takes_no_such_files_is_refused(tmp_path: Path):
    with pytest.raises(InputError, match=r"batch files need .* got 'MockLLM'"):
        BatchOracle(MockLLM(), None, tmp_path)
