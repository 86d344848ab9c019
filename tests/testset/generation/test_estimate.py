"""The estimate of a generation is near what is then used, and asks nothing."""

import asyncio

import pytest

from tests.models.asking import oracle_at
from tests.server import LoopbackServer
from tests.testset.corpora import documents
from testset import aestimate, generate

WRITER = "tests.server.writer_responders:RESPONDERS"
FAULTLESS = "tests.server.writer_responders:FAULTLESS"
DOCUMENTS = documents(60)


@pytest.mark.parametrize(("size", "responders"), [(50, WRITER), (20, FAULTLESS)])
def test_the_estimate_is_near_what_is_then_used_and_asks_nothing(size, responders):
    with LoopbackServer(responders=responders) as server:
        judge = oracle_at(server)
        expected = asyncio.run(aestimate(DOCUMENTS, size=size, judge=judge)).total
        assert server.stats().calls == 0
        generate(DOCUMENTS, size=size, judge=judge)
        used = judge.usage.total
    assert expected.calls == pytest.approx(used.calls, rel=0.3)
    assert expected.tokens == pytest.approx(used.prompt_tokens + used.completion_tokens, rel=0.3)
    assert expected.cost == pytest.approx(used.cost, rel=0.3)
