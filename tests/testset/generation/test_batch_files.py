"""A golden set in rounds of batch files: as online, in a bounded number of rounds, after kills."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval.errors import InputError, PendingError
from llamaindex_rag_eval.models import BatchOracle, LLMOracle, Store
from llamaindex_rag_eval.models.batch_submit import submit
from tests.runs.killed_runs import generate_in_batches, kills_of
from tests.server import Fault, Faults, LoopbackServer
from tests.testset.corpora import documents
from testset import Category, GoldenSet, Traffic, generate

WRITER = "tests.server.writer_responders:RESPONDERS"
FAULTLESS = "tests.server.writer_responders:FAULTLESS"
HOPELESS = "tests.server.spoilt_writers:DANGLING_UNMENDED"
DOCUMENTS = documents(12)
STEPS = 2
DEPTH = 2
"""Rounds of a step: questions, and their examination."""


def llm_at(server: LoopbackServer) -> OpenAI:
    return OpenAI(model="gpt-4o-mini", api_base=server.url, api_key="sk-test-0123456789")


def in_rounds(
    server: LoopbackServer, folder: Path, *, most: int = 99, **options: Any
) -> tuple[GoldenSet, int]:
    """Return the golden set, and how many rounds it took; each round begins with new objects."""
    llm = llm_at(server)
    for rounds in range(most):
        oracle = BatchOracle(llm, Store(folder / "replies.db"), folder / "batch")
        try:
            golden = generate(DOCUMENTS, judge=oracle, **{"steps": STEPS, **options})
        except PendingError:
            oracle.write_round()
            asyncio.run(submit(oracle.folder, llm, poll=0.01))
        else:
            return golden, rounds
    raise AssertionError(f"not done in {most} rounds")


def items_of(golden: GoldenSet) -> list[str]:
    return [item.model_dump_json() for item in golden]


def test_the_items_are_those_of_an_online_run_though_batches_expire_and_replies_are_broken(
    tmp_path: Path,
):
    batches = {"endings": ["expired"], "lost": 0.1}
    faults = Faults(Fault(kind="malformed_json", rate=0.05))
    with LoopbackServer(responders=WRITER, batches=batches, faults=faults) as server:
        online = generate(DOCUMENTS, size=6, steps=STEPS, judge=LLMOracle(llm_at(server)))
        server.reset()
        golden, _ = in_rounds(server, tmp_path, size=6)
        spent = server.stats()
    assert items_of(golden) == items_of(online)
    assert golden.rejected == online.rejected
    assert len(golden) >= 5
    assert spent.answered_again == 0


def test_what_does_not_wait_for_one_another_goes_into_one_round(tmp_path: Path):
    with LoopbackServer(responders=FAULTLESS, record=True) as server:
        golden, rounds = in_rounds(server, tmp_path, size=1, types=["single_hop"])
        names = [body["response_format"]["json_schema"]["name"] for body in server.requests()]
    assert len(golden) == 1
    assert rounds == 2
    kinds = {"drafts": 0, "examine": 1}
    assert [kinds[name] for name in names] == sorted(kinds[name] for name in names)


def test_a_whole_generation_takes_four_rounds_at_most(tmp_path: Path):
    with LoopbackServer(responders=WRITER) as server:
        golden, rounds = in_rounds(server, tmp_path, size=12)
    assert len(golden) >= 0.9 * 12
    assert golden.rejected or golden.reserve  # faults, and what is written besides
    assert rounds <= STEPS * DEPTH


def test_the_rounds_have_an_end_where_no_draft_is_ever_accepted(tmp_path: Path):
    with LoopbackServer(responders=HOPELESS) as server:
        most = 1 + STEPS * DEPTH
        golden, _ = in_rounds(server, tmp_path, size=4, types=["single_hop"], most=most)
    assert len(golden) == 0
    assert f"in {STEPS} steps" in golden.shortfall[0].reason


def test_killed_generations_end_with_the_same_items_and_pay_for_nothing_twice(tmp_path: Path):
    calm, rough = tmp_path / "calm", tmp_path / "rough"
    calm.mkdir()
    rough.mkdir()
    with LoopbackServer(responders=WRITER, batches={"polls": 2}) as server:
        generate_in_batches(server.url, calm)
        undisturbed = server.stats()
        server.reset()
        kills = kills_of(server.url, rough, 7, "generate")
        disturbed = server.stats()
    assert kills >= 3
    assert disturbed.calls == disturbed.distinct_bodies == undisturbed.calls
    golden = [(folder / "golden.jsonl").read_bytes() for folder in (calm, rough)]
    assert golden[0] == golden[1]
    assert golden[0].count(b"\n") >= 6


def test_no_step_at_all_is_refused():
    with pytest.raises(InputError, match="number of steps of 1 or more, got 0"):
        generate(DOCUMENTS, steps=0)


def test_traffic_of_what_cannot_be_reached_is_let_go_when_nothing_else_is_left(tmp_path):
    axes = {"type": {"single_hop": 100.0}, "difficulty": {"hard": 100.0}}
    hard = Traffic((Category(100, axes),))  # type: ignore[arg-type]  # axes
    with LoopbackServer(responders=FAULTLESS) as server:
        golden, _ = in_rounds(server, tmp_path, size=3, traffic=hard)
    assert len(golden) == 3
    assert golden.facts["traffic, difficulty"] == "hard: 0 of 3"
