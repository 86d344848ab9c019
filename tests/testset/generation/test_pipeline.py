"""A model writes and verifies: every type is written, checked, repaired and rejected; in number."""

import json
from collections import Counter
from typing import get_args

import pytest

from llamaindex_rag_eval.errors import CallError
from llamaindex_rag_eval.models import Limit, LLMOracle
from llamaindex_rag_eval.models.usage import Budget
from tests.models.asking import oracle_at, serving
from tests.server import Fault, LoopbackServer
from tests.testset.corpora import documents
from testset import Corpus, GoldenSet, agenerate, data_card, generate
from testset.golden.item import QuestionType
from testset.golden.splits import shared_documents

WRITER = "tests.server.writer_responders:RESPONDERS"
FAULTLESS = "tests.server.writer_responders:FAULTLESS"
TYPES = get_args(QuestionType)
DOCUMENTS = documents(61)
REFUSING = {"unanswerable": "refuse", "underspecified": "clarify"}
LEANING = {**REFUSING, "false_premise": "correct_premise"}


@pytest.fixture(scope="module")
def server():
    with LoopbackServer(responders=WRITER, record=True) as running:
        yield running


@pytest.fixture(scope="module")
def golden(server) -> GoldenSet:
    return generate(DOCUMENTS, size=56, types=TYPES, judge=oracle_at(server))


def test_every_type_is_written_in_exactly_the_number_asked_for(golden):
    assert len(golden) == 56
    assert golden.shortfall == ()
    assert set(Counter(item.type for item in golden)) == set(TYPES)


def test_evidence_lies_at_its_offsets_and_nothing_is_asked_twice(golden):
    assert golden.verify(Corpus.of(DOCUMENTS).texts) == ()
    asked = [(*(m.content for m in item.turns), item.question) for item in golden]
    assert len(set(asked)) == len(golden)


def test_each_type_has_the_shape_and_the_behaviour_that_it_is_for(golden):
    for item in golden:
        assert item.expected_behaviour == LEANING.get(item.type, "answer")
        assert bool(item.turns) == (item.type == "conversational")
        assert bool(item.gold) == (item.type != "unanswerable")
        if item.type in ("multi_hop", "conflict"):
            assert len({group[0].doc_id for group in item.gold}) > 1
        if item.type == "underspecified":
            assert len(item.gold) == 1
            assert len(item.gold[0]) > 1


def test_every_item_tells_what_checked_it_and_what_made_it(golden):
    for item in golden:
        assert {"lint", "span", "round_trip", "grounded", "critics_agree"} <= set(item.checks)
        assert all(check.verdict in ("passed", "tagged") for check in item.checks.values())
        assert item.checks["critics_agree"].who.startswith("llm/gpt-4o-mini/")
        assert item.created.models["writer"].startswith("llm/gpt-4o-mini/")
        assert {"drafts", "joint_drafts"} & set(item.created.prompts)
        assert item.axes.persona
        assert item.split in ("dev", "test")


def test_no_document_has_questions_in_both_splits(golden):
    assert shared_documents(golden) == ()


def test_faults_of_the_writer_are_repaired_or_rejected_with_their_reasons(golden):
    rejected = Counter(entry.check for entry in golden.rejected)
    repaired = {entry.split()[1] for entry in golden.facts["repaired"].split(", ")}
    assert "self_contained" in repaired
    assert len(repaired | set(rejected)) >= 4
    assert all(entry.evidence for entry in golden.rejected)
    card = data_card(golden)
    assert all(f"| {check} |" in card for check in rejected)


async def test_the_same_seed_gives_the_same_bytes(server, tmp_path):
    first, again = [
        await agenerate(DOCUMENTS, size=14, types=TYPES, judge=oracle_at(server)) for _ in range(2)
    ]
    written = first.write(tmp_path / "a.jsonl").read_bytes()
    assert again.write(tmp_path / "b.jsonl").read_bytes() == written


def test_by_default_four_fifths_are_answerable_and_the_voice_is_as_asked():
    with LoopbackServer(responders=FAULTLESS, record=True) as server:
        golden = generate(
            DOCUMENTS,
            size=20,
            personas=["A miller.", "A nurse."],
            styles=["formal"],
            examples=["What of the mill?"],
            judge=oracle_at(server),
        )
        bodies = [json.dumps(body) for body in server.requests()]
    behaviours = Counter(item.expected_behaviour for item in golden)
    assert behaviours["answer"] == 16
    assert {item.axes.persona for item in golden} == {"A miller.", "A nurse."}
    assert {item.axes.style for item in golden} == {"formal"}
    assert any("What of the mill?" in body for body in bodies)


def test_another_model_can_verify():
    with LoopbackServer(responders=FAULTLESS) as one, LoopbackServer(responders=FAULTLESS) as two:
        golden = generate(DOCUMENTS, size=5, writer=oracle_at(one), judge=oracle_at(two, "tool"))
        written, verified = one.stats().by_name, two.stats().by_name
    assert "drafts" in written
    assert set(written).isdisjoint({"examine"})
    assert set(verified) == {"examine"}
    models = golden.items[0].created.models
    assert models["writer"].startswith("llm/gpt-4o-mini/")
    assert models["verifier"].startswith("llm/gpt-4/")


def test_a_type_that_the_documents_do_not_offer_is_accounted_for():
    with LoopbackServer(responders=FAULTLESS) as server:
        plain = [entry for entry in documents(4) if entry.doc_id != "table.md"]
        golden = generate(plain, size=3, types=["table"], judge=oracle_at(server))
    assert len(golden) == 0
    assert {entry.reason for entry in golden.shortfall} == {"no passage fits this type"}
    assert sum(entry.wanted for entry in golden.shortfall) == 3


@pytest.mark.parametrize(
    "kinds",
    [
        ("dropped", "dropped_mid_body", "rate_limited", "server_error"),
        ("malformed_json", "missing_item", "refusal"),
    ],
    ids=["calls", "replies"],
)
def test_a_reply_that_is_spoilt_once_costs_no_item(kinds):
    faults = [Fault(kind=kind, rate=0.2) for kind in kinds]
    with serving(*faults, responders=FAULTLESS) as server:
        golden = generate(DOCUMENTS, size=14, types=TYPES, judge=oracle_at(server))
        met = server.stats().by_outcome
    assert all(met.get(kind, 0) > 0 for kind in kinds), met
    # One passage alone has rows, and its only reply may miss the question about them.
    assert {item.type for item in golden} >= {*TYPES} - {"table"}
    assert len(golden) == 14


def test_replies_that_are_always_spoilt_cost_their_own_items_alone():
    fault = Fault(kind="malformed_json", rate=0.85, mode="permanent", on=("drafts",))
    with serving(fault, responders=FAULTLESS) as server:
        golden = generate(documents(30), size=8, types=["single_hop"], judge=oracle_at(server))
    assert len(golden) == 8
    assert "reply" in {entry.check for entry in golden.rejected}


def test_an_endpoint_that_refuses_every_call_is_an_error():
    refusal = Fault(kind="unauthorized", mode="permanent")
    with (
        serving(refusal, responders=FAULTLESS) as server,
        pytest.raises(CallError, match="Incorrect API key"),
    ):
        generate(documents(8), size=3, judge=oracle_at(server))


def limited(server: LoopbackServer, budget: Budget) -> LLMOracle:
    return oracle_at(server, limit=Limit(4, timeout=60, retries=3, budget=budget))


def test_a_budget_stops_cleanly_and_a_larger_one_goes_on_from_there(tmp_path):
    journal = tmp_path / "journal"
    options = {"size": 20, "journal": journal}
    with LoopbackServer(responders=FAULTLESS) as server:
        part = generate(DOCUMENTS, judge=limited(server, Budget(calls=20)), **options)
        spent = server.stats().calls
        assert 0 < len(part) < 20
        assert "20 calls" in part.facts["stopped"]
        assert {entry.reason for entry in part.shortfall} == {part.facts["stopped"]}
        assert spent <= 20
        whole = generate(DOCUMENTS, judge=oracle_at(server), **options)
        alone = server.stats()
        assert alone.answered_again == 0
    assert len(whole) == 20
    # What both sessions asked, and not what the second asked alone.
    assert whole.facts["model calls"] == str(alone.calls)
    assert {item.id for item in part} <= {item.id for item in whole}


@pytest.mark.parametrize("budget", [Budget(calls=1), Budget(tokens=0)])
def test_a_budget_that_does_not_reach_the_first_question_gives_an_empty_set(budget):
    with LoopbackServer(responders=FAULTLESS) as server:
        golden = generate(documents(8), size=3, judge=limited(server, budget))
    assert len(golden) == 0
    assert "budget" in golden.facts["stopped"]
