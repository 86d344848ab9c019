import time

import pytest

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Relevance, RelevanceReply, Support, SupportReply
from llamaindex_rag_eval.models import CachedOracle, EmbeddedOracle, Store, VotingOracle
from tests.models.asking import RELEVANCE, REQUESTS, SUPPORT, oracle_at, serving
from tests.server import LoopbackServer


@pytest.mark.parametrize("votes", [0, 2, -1])
def test_an_even_number_of_votes_is_refused(votes: int, server: LoopbackServer) -> None:
    with pytest.raises(InputError, match="odd number"):
        VotingOracle(oracle_at(server), votes=votes)


def test_rules_cannot_vote() -> None:
    with pytest.raises(InputError, match="always answers the same"):
        VotingOracle(EmbeddedOracle())


async def test_the_votes_differ_in_seed_and_temperature_and_run_at_once() -> None:
    with serving(latency=0.3, record=True) as server:
        started = time.monotonic()
        reply = await VotingOracle(oracle_at(server), votes=5).ask(SUPPORT)
        wall = time.monotonic() - started
        bodies = server.requests()
        assert 1 < server.stats().max_in_flight <= 5
    assert wall >= 0.3
    assert sorted(body["seed"] for body in bodies) == [1, 2, 3, 4, 5]
    assert {body["temperature"] for body in bodies} == {7 / 10}
    assert [entry.agreement for entry in reply.verdicts] == [5 / 5] * 3


async def test_each_vote_is_kept_apart_and_asked_once(server: LoopbackServer) -> None:
    store = Store("sqlite://")
    for _ in range(2):
        oracle = VotingOracle(CachedOracle(oracle_at(server), store), votes=3)
        await oracle.ask(SUPPORT)
    kept = store.count()
    store.close()
    assert (server.stats().calls, kept) == (3, {"SupportOf": 3})


def test_votes_and_single_answers_never_share_a_reply(server: LoopbackServer) -> None:
    oracle = oracle_at(server)
    names = {
        who.fingerprint(type(SUPPORT))
        for who in (oracle, oracle.voter(1), oracle.voter(2), VotingOracle(oracle))
    }
    assert len(names) == 4
    assert VotingOracle(oracle, 5).fingerprint(type(SUPPORT)) not in names


def support(*verdicts: str) -> SupportReply:
    entries = zip(SUPPORT.claims, verdicts, strict=True)
    return SupportReply(
        verdicts=tuple(
            Support(claim=c, verdict=v, sources=(0,) if v == "supported" else ())  # type: ignore[arg-type]  # one of the three
            for c, v in entries
        )
    )


def test_the_majority_is_counted_verdict_by_verdict() -> None:
    votes = [
        support("supported", "supported", "not_mentioned"),
        support("contradicted", "supported", "not_mentioned"),
        support("supported", "supported", "contradicted"),
    ]
    majority = SUPPORT.majority(votes)
    SUPPORT.check(majority)
    assert [(entry.verdict, entry.agreement) for entry in majority.verdicts] == [
        ("supported", 2 / 3),
        ("supported", 3 / 3),
        ("not_mentioned", 2 / 3),
    ]


def test_the_majority_on_contexts_is_counted_context_by_context() -> None:
    votes = [
        RelevanceReply(verdicts=tuple(Relevance(useful=useful) for useful in row))
        for row in [(True, False, False), (True, True, False), (False, True, False)]
    ]
    assert [(entry.useful, entry.agreement) for entry in RELEVANCE.majority(votes).verdicts] == [
        (True, 2 / 3),
        (True, 2 / 3),
        (False, 3 / 3),
    ]


@pytest.mark.parametrize("name", REQUESTS)
async def test_every_request_can_be_voted_on(name: str, server: LoopbackServer) -> None:
    request = REQUESTS[name]
    reply = await VotingOracle(oracle_at(server)).ask(request)
    request.check(reply)
