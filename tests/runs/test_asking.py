"""A model that is asked by several processes: the same results, within the same limits."""

import asyncio
import logging
import re
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval import (
    BatchOracle,
    Budget,
    CachedOracle,
    Judge,
    Limit,
    LLMOracle,
    Store,
    evaluate,
)
from llamaindex_rag_eval.errors import InputError, RagEvalError
from llamaindex_rag_eval.metrics.base import Metric
from tests.benchmarks.suite_cost import RESPONDERS, made_samples
from tests.runs.evaluations import Fatal, Unopenable, samples, script
from tests.runs.test_workers import Unsendable
from tests.server import Fault, Faults, LoopbackServer

METRICS = ("faithfulness", "context_recall")
CALLS = 4
"""Of a sample."""


def oracle_at(url: str, concurrency: int = 16, **limit: Any) -> LLMOracle:
    llm = OpenAI(model="gpt-4o-mini", api_base=url, api_key="sk-test-0000000000")
    return LLMOracle(llm, limit=Limit(concurrency, **limit))


def judge_at(url: str, concurrency: int = 16, **limit: Any) -> Judge:
    return Judge(CachedOracle(oracle_at(url, concurrency, **limit)))


@pytest.mark.usefixtures("quick_workers")
def test_any_number_of_processes_asks_the_same_within_a_rate_and_gives_the_same(tmp_path: Path):
    tables, counted = set(), list[int]()
    for workers, a_minute in ((1, None), (3, 1200)):
        out, looks = tmp_path / f"{workers}.jsonl", list[tuple[float, int]]()
        with LoopbackServer(latency=0.05, responders=RESPONDERS) as server:

            def progress(done: int, _: int) -> None:
                counted.append(done)
                if done == 3:  # the first result of another process
                    looks.append((time.monotonic(), server.stats().calls))  # noqa: B023

            oracle = oracle_at(server.url, requests_per_minute=a_minute)
            counted.clear()
            run = evaluate(
                made_samples(20),
                metrics=METRICS,
                judge=Judge(CachedOracle(oracle)),
                workers=workers,
                out=out,
                progress=progress,
            )
            stats, ((since, before),) = server.stats(), looks
        if a_minute:
            # 20 calls a second, of which a second's worth may go at once, and 16 were on their way
            assert time.monotonic() - since >= (CALLS * 20 - before - 20 - 16) / 20
        assert (stats.calls, stats.max_in_flight <= 16) == (CALLS * 20, True)
        assert run.provenance.usage["calls"] == oracle.usage.total.calls == CALLS * 20
        assert counted == list(range(1, 41))
        _, *lines = re.sub(r'"seconds": [^,}]+', "", out.read_text()).splitlines()
        tables.add((run.to_csv(tmp_path / "table.csv").read_bytes(), *lines))
    assert len(tables) == 1


@pytest.mark.usefixtures("quick_workers")
def test_a_budget_holds_for_all_processes_and_the_next_run_goes_on(tmp_path: Path):
    with LoopbackServer(responders=RESPONDERS) as server:
        for budget, workers, scored in ((Budget(calls=50), 2, False), (Budget(), 1, True)):
            judge = judge_at(server.url, budget=budget)
            out = tmp_path / "run.jsonl"
            run = evaluate(made_samples(30), metrics=METRICS, judge=judge, workers=workers, out=out)
            assert (len(run.results) == 60) == scored
            if not scored:
                assert "the budget of 50 calls is spent" in run.provenance.stopped
                assert server.stats().calls == 50
        assert server.stats().calls == CALLS * 30


@pytest.mark.usefixtures("quick_workers")
def test_a_killed_process_loses_nothing_that_was_answered(tmp_path: Path):
    once = tmp_path / "once"
    once.touch()
    with LoopbackServer(latency=0.5, responders=RESPONDERS) as server:
        metrics: list[Metric | str] = [*METRICS, Fatal(once)]
        out, judge = tmp_path / "run.jsonl", judge_at(server.url, 8)
        run = evaluate(made_samples(12), metrics=metrics, judge=judge, workers=2, out=out)
        assert [result.status for result in run.results] == ["scored"] * 36
        assert not once.exists()
        assert server.stats().calls <= CALLS * 12 + 8  # those in flight are asked again


@pytest.mark.usefixtures("quick_workers")
def test_processes_that_always_die_end_the_run_with_an_error():
    metrics: list[Metric | str] = ["faithfulness", Fatal()]
    with pytest.raises(RagEvalError, match="run it again with fewer workers"):
        evaluate(samples(4), metrics=metrics, judge=Judge(script()), workers=2)


@pytest.mark.usefixtures("quick_workers")
@pytest.mark.parametrize(("metric", "why"), [(Unsendable, "holds a connection"), (Unopenable, "")])
def test_what_cannot_be_sent_is_scored_here_and_a_warning_says_why(
    metric: type[Metric], why: str, caplog: pytest.LogCaptureFixture
):
    metrics: list[Metric | str] = ["faithfulness", metric()]
    run = evaluate(samples(4), metrics=metrics, judge=Judge(script()), workers=2)
    assert [result.status for result in run.results] == ["scored"] * 8
    assert "scoring in one process: the metrics cannot be sent to another process" in caplog.text
    assert why in caplog.text


@pytest.mark.usefixtures("quick_workers")
def test_an_endpoint_that_is_away_is_waited_for_once(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.WARNING)
    with ExitStack() as servers:
        server = servers.enter_context(LoopbackServer(latency=0.2, responders=RESPONDERS))
        away: LoopbackServer | None = None

        def progress(done: int, _: int) -> None:
            nonlocal away
            if away is None and done > 10:
                server.__exit__(None, None, None)
                away = LoopbackServer(latency=0.2, responders=RESPONDERS, port=server.port)
                asyncio.get_running_loop().call_later(3, servers.enter_context, away)

        judge = judge_at(server.url, patience=60)
        run = evaluate(made_samples(20), metrics=METRICS, judge=judge, workers=2, progress=progress)
        assert [result.status for result in run.results] == ["scored"] * 40
    said = [line for line in caplog.messages if "has not answered for" in line]
    assert len(said) == 1
    assert sum("answers again" in line for line in caplog.messages) == 1


@pytest.mark.usefixtures("quick_workers")
def test_a_wrong_key_ends_the_run_and_a_line_says_what_to_check():
    faults = Faults(Fault(kind="unauthorized", mode="permanent"))
    why = pytest.raises(RagEvalError, match="check the API key")
    with LoopbackServer(faults=faults, responders=RESPONDERS) as server, why:
        evaluate(made_samples(20), metrics=METRICS, judge=judge_at(server.url), workers=2)


def test_batch_files_are_written_by_one_process(tmp_path: Path):
    llm = OpenAI(model="gpt-4o-mini", api_key="sk-test-0000000000")
    judge = Judge(BatchOracle(llm, Store(tmp_path / "replies.db"), tmp_path / "batch"))
    with pytest.raises(InputError, match="batch files are written by one process"):
        evaluate(samples(4), metrics=METRICS, judge=judge, workers=2)
