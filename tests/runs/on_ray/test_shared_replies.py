"""Replies that workers share: a model is asked once, also while their PostgreSQL restarts."""

import time
from pathlib import Path
from typing import Any

from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.models import Budget, CachedOracle, Limit, LLMOracle, Store
from llamaindex_rag_eval.runs.on_ray.evaluate import evaluate_on_ray
from tests.postgres import Cluster
from tests.ray_cluster import QUIET
from tests.runs.evaluations import samples
from tests.server import LoopbackServer

pytestmark = QUIET

RESPONDERS = "tests.server.judge_responders:RESPONDERS"


def judge_of(server: LoopbackServer, store: Store | None = None, **limit: Any) -> Judge:
    llm = OpenAI(model="gpt-4o-mini", api_base=server.url, api_key="sk-ray-0000000000")
    return Judge(CachedOracle(LLMOracle(llm, limit=Limit(**limit)), store))


def test_a_model_is_asked_once_for_what_workers_share(
    ray_cluster: Any, small_blocks: None, tmp_path: Path
) -> None:
    alike = [one.model_copy(update={"id": f"q{n}"}) for n in range(60) for one in samples(1)]
    with LoopbackServer(responders=RESPONDERS) as server:
        judge = judge_of(server, concurrency=2, budget=Budget(calls=4))
        run = evaluate_on_ray(alike, metrics=["faithfulness"], judge=judge, out=tmp_path / "a")
        assert run.summary()[0].scored == 60
        assert server.stats().by_name == {"claims": 1, "support": 1}
        assert run.provenance.usage["calls"] == 2
        few = evaluate_on_ray(
            samples(60), metrics=["faithfulness"], judge=judge, out=tmp_path / "b"
        )
        assert "the budget of 4 calls is spent" in few.provenance.stopped
        assert few.summary()[0].missing > 0
        assert server.stats().calls <= 2 + 4
        rest = evaluate_on_ray(
            samples(60),
            metrics=["faithfulness"],
            judge=judge_of(server, concurrency=8),
            out=tmp_path / "b",
        )
        assert rest.summary()[0].scored == 60
        assert rest.provenance.usage["calls"] == server.stats().calls - 2  # those of both runs
        assert not rest.provenance.stopped


def test_postgres_restarts_and_nothing_is_lost_or_paid_twice(
    ray_cluster: Any, small_blocks: None, tmp_path: Path
) -> None:
    asked, restarts = samples(160), 0
    with Cluster() as postgres, LoopbackServer(responders=RESPONDERS, latency=0.05) as server:

        def progress(done: int, total: int) -> None:
            nonlocal restarts
            if 0 < done < total and not restarts:
                restarts += 1
                postgres.stop()
                time.sleep(0.5)
                postgres.start()

        def score(folder: str) -> Any:
            store, out = Store(postgres.url), tmp_path / folder
            judge = judge_of(server, store, concurrency=8)
            found = evaluate_on_ray(
                asked, metrics=["faithfulness"], judge=judge, out=out, progress=progress
            )
            store.close()
            return found

        run = score("a")
        assert restarts == 1
        assert (run.summary()[0].scored, run.summary()[0].failed) == (160, 0)
        paid = server.stats()
        assert paid.by_name == {"claims": 160, "support": 160}
        assert run.provenance.usage["calls"] == 320
        again = score("b")
        assert again.summary()[0].mean == run.summary()[0].mean
        assert server.stats().calls == paid.calls  # all replies are in PostgreSQL
