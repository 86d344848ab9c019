"""Evaluation into a file: results are streamed, and a killed evaluation continues."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from llamaindex_rag_eval.errors import OutputError, ReplyError
from llamaindex_rag_eval.judge import Claims, ClaimsOf, Judge
from llamaindex_rag_eval.models import CachedOracle, Limit, LLMOracle, ScriptedOracle
from llamaindex_rag_eval.models.usage import price_of
from llamaindex_rag_eval.runs.evaluate import evaluate
from llamaindex_rag_eval.runs.run import Run
from tests.models.asking import llm_at
from tests.runs.evaluations import samples, script
from tests.runs.killed_runs import IN_FLIGHT, evaluate_into, kills_of
from tests.server import LoopbackServer, Tally


def test_results_stream_to_the_file_and_a_second_run_asks_nothing(tmp_path: Path):
    out = tmp_path / "run.jsonl"
    first = script()
    judge = Judge(first)
    run = evaluate(samples(), metrics=["faithfulness"], judge=judge, out=out)
    asked, written = len(first.asked), out.read_bytes()
    again = evaluate(samples(), metrics=["faithfulness"], judge=judge, out=out)
    assert len(first.asked) == asked
    assert [r.score for r in again.results] == [r.score for r in run.results]
    assert Run.read(out).results == again.results
    assert again.results[0].contexts == ["Paris lies on the Seine."]
    assert out.read_bytes() == written
    named = evaluate(samples(), metrics=["faithfulness"], judge=judge, out=out, name="mine")
    assert (named.name, Run.read(out).name) == ("mine", "mine")
    assert len(first.asked) == asked


def test_a_killed_run_goes_on_where_it_stopped(tmp_path: Path):
    out = tmp_path / "run.jsonl"
    oracle = script()
    evaluate(samples(4), metrics=["faithfulness"], judge=Judge(oracle), out=out)
    lines = out.read_text().splitlines()
    # the head, four samples, one result, and half of the second: as kill -9 leaves it
    out.write_text("\n".join(lines[:6]) + "\n" + lines[6][:20])
    before = len(oracle.asked)
    run = evaluate(samples(4), metrics=["faithfulness"], judge=Judge(oracle), out=out)
    # the claims of three responses; their support, which is one request; see `samples`
    assert len(oracle.asked) - before == 3 + 1
    assert [result.status for result in run.results] == ["scored"] * 4
    assert len(out.read_text().splitlines()) == 1 + 4 + 4


def test_failed_results_are_tried_again(tmp_path: Path):
    out = tmp_path / "run.jsonl"
    first_reply = ReplyError("no JSON", raw="hm")
    calls: Iterator[Claims | ReplyError] = iter([first_reply, *[Claims(claims=())] * 2])

    def unsure(request: ClaimsOf) -> Claims:
        reply = next(calls)
        if isinstance(reply, Exception):
            raise reply
        return reply

    judge = Judge(ScriptedOracle(by_request={ClaimsOf: unsure}))
    first = evaluate(samples(1), metrics=["faithfulness"], judge=judge, out=out)
    second = evaluate(samples(1), metrics=["faithfulness"], judge=judge, out=out)
    assert (first.results[0].status, second.results[0].status) == ("failed", "undefined")


def test_other_samples_or_another_judge_begin_anew(tmp_path: Path):
    out = tmp_path / "run.jsonl"
    one, other = script(), script()
    evaluate(samples(1), metrics=["faithfulness"], judge=one, out=out)
    evaluate(samples(1), metrics=["faithfulness"], judge=other, out=out)
    assert len(other.asked) == 2
    changed = [s.model_copy(update={"response": "Another answer."}) for s in samples(1)]
    evaluate(changed, metrics=["faithfulness"], judge=other, out=out)
    assert len(other.asked) == 4


def test_an_unwritable_file_is_an_error_before_anything_is_asked(tmp_path: Path):
    (tmp_path / "file").write_text("")
    oracle = script()
    with pytest.raises(OutputError, match="cannot write"):
        evaluate(
            samples(), metrics=["faithfulness"], judge=oracle, out=tmp_path / "file" / "run.jsonl"
        )
    assert oracle.asked == []


RESPONDERS = "tests.server.judge_responders:RESPONDERS"


def test_killed_at_random_moments_a_run_ends_as_if_undisturbed(tmp_path: Path):
    calm, rough = tmp_path / "calm", tmp_path / "rough"
    calm.mkdir()
    rough.mkdir()
    with LoopbackServer(latency=0.05, responders=RESPONDERS) as server:
        evaluate_into(server.url, calm)
        undisturbed = server.stats()
        server.reset()
        kills = kills_of(server.url, rough, 7)
        disturbed = server.stats()
    assert kills >= 3
    assert disturbed.distinct_bodies == undisturbed.distinct_bodies == undisturbed.calls
    # A kill loses only replies between the server's last byte and our disk, at most all in flight.
    assert disturbed.answered_again <= IN_FLIGHT * kills
    assert 0 <= disturbed.answered - undisturbed.answered <= IN_FLIGHT * kills
    first, second = Run.read(calm / "run.jsonl"), Run.read(rough / "run.jsonl")
    assert read_by(calm) == tokens_of(first) == (undisturbed.calls, *spent_at(undisturbed))
    assert_accounted(second, rough, disturbed, kills)
    assert [(r.sample_id, r.metric, r.status, r.score) for r in first.rows] == [
        (r.sample_id, r.metric, r.status, r.score) for r in second.rows
    ]
    assert [r.evidence for r in first.results] == [r.evidence for r in second.results]


def test_the_account_of_killed_runs_holds_every_reply_also_without_a_cache(tmp_path: Path):
    with LoopbackServer(latency=0.05, responders=RESPONDERS) as server:
        kills = kills_of(server.url, tmp_path, 11, "uncached")
        tally = server.stats()
    run = Run.read(tmp_path / "run.jsonl")
    assert kills >= 3
    assert tally.answered_again > 0, "what no result came of was asked again, and counts again"
    assert_accounted(run, tmp_path, tally, kills)


def test_a_run_s_file_is_the_account_while_it_goes_on(tmp_path: Path):
    out = tmp_path / "run.jsonl"
    with LoopbackServer(responders=RESPONDERS) as server:
        seen: list[tuple[int, int]] = []

        def progress(done: int, total: int) -> None:
            usage: Any = Run.read(out, tolerant=True).provenance.usage
            seen.append((usage["calls"], server.stats().answered))

        llm = llm_at(server)
        judge = Judge(CachedOracle(LLMOracle(llm, limit=Limit(1))))
        evaluate(samples(3), metrics=["faithfulness"], judge=judge, out=out, progress=progress)
    assert all(counted <= answered <= counted + 1 for counted, answered in seen), seen
    assert '"spent"' not in out.read_text(), "the head has the sum"


def tokens_of(run: Run) -> tuple[int, int, int]:
    usage: Any = run.provenance.usage
    return (usage["calls"], usage["prompt_tokens"], usage["completion_tokens"])


def spent_at(tally: Tally) -> tuple[int, int]:
    return (tally.prompt_tokens, tally.completion_tokens)


def read_by(folder: Path) -> tuple[int, int, int]:
    """Return the replies that processes have read, and their tokens, as noted apart from us."""
    rows = [line.split() for line in (folder / "read.txt").read_text().splitlines()]
    return (len(rows), sum(int(row[0]) for row in rows), sum(int(row[1]) for row in rows))


def assert_accounted(run: Run, folder: Path, tally: Tally, kills: int) -> None:
    """Check that the account is what was read; more than that only the server can know."""
    read, counted = read_by(folder), tokens_of(run)
    # A kill may fall between the test's own note of a reply and the account's line.
    assert 0 <= read[0] - counted[0] <= IN_FLIGHT * kills
    if read[0] == counted[0]:
        assert counted == read
    # The server sent more: to processes that were gone before they had read it.
    assert 0 <= tally.answered - read[0] <= IN_FLIGHT * kills
    prompt, completion = spent_at(tally)
    price = price_of("gpt-4o-mini")
    assert price is not None
    assert run.provenance.usage["cost"] == pytest.approx(price.cost(*counted[1:]), abs=1e-5)
    assert read[1] <= prompt
    assert read[2] <= completion
