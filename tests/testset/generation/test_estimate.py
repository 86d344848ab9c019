"""The estimate of a generation: from what a kept item has cost before, asking nothing."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from llamaindex_rag_eval.errors import DatasetError
from llamaindex_rag_eval.models.usage import Count
from tests.models.asking import oracle_at
from tests.server import LoopbackServer
from tests.testset.corpora import documents
from testset import Options, SourceDocument, aestimate, estimate, generate
from testset.generation.observed import RECORDED, Observed, observed_in
from testset.golden.golden_set import write_report

FAULTLESS = "tests.server.writer_responders:FAULTLESS"
DOCUMENTS = documents(60)


@pytest.mark.parametrize(
    ("size", "steps", "left"), [(40, None, "journal"), (20, None, "golden set"), (20, 1, "journal")]
)
def test_the_next_generation_costs_what_an_earlier_one_lets_expect(
    size: int, steps: int | None, left: str, tmp_path: Path
):
    journal, out = tmp_path / "golden.jsonl.journal", tmp_path / "golden.jsonl"
    docs = documents(80)
    with LoopbackServer(responders=FAULTLESS) as server:
        pilot: Options = {"size": 20, "seed": 3, "steps": steps, "journal": journal}
        pilot["judge"] = oracle_at(server)
        first = generate(docs, **pilot)
        first.write(out)
        write_report(first, out)
        server.reset()
        judge = oracle_at(server)
        earlier = journal if left == "journal" else out
        found = asyncio.run(
            aestimate(DOCUMENTS, size=size, judge=judge, earlier=earlier, steps=steps)
        )
        assert server.stats().calls == 0
        golden = generate(DOCUMENTS, size=size, judge=judge, steps=steps)
        used = judge.usage.total
    assert len(golden) == size
    assert found.source.endswith(f"attempts were kept in {earlier.name}")
    assert found.total.calls == pytest.approx(used.calls, rel=0.15)
    assert found.total.tokens == pytest.approx(
        used.prompt_tokens + used.completion_tokens, rel=0.15
    )
    assert found.total.cost == pytest.approx(used.cost, rel=0.15)
    assert found.low.calls <= found.total.calls <= found.high.calls


def test_without_an_earlier_one_figures_on_record_are_expected_more_where_text_takes_more_tokens():
    with LoopbackServer(responders=FAULTLESS) as server:
        judge = oracle_at(server)
        found = estimate(DOCUMENTS, size=10, judge=judge)
        japanese = [SourceDocument("a.md", "毎朝九時に開館し、夕方五時に閉館します。" * 40)]
        more = estimate(japanese, size=10, judge=judge)
    assert found.source == RECORDED.source
    # 1.9 calls and 5,400 tokens for each of ten items; the stages are rounded one by one
    assert found.total.calls == pytest.approx(10 * 1.9, abs=2)
    assert found.total.tokens == pytest.approx(10 * 5_400, rel=0.15)
    assert (found.low.calls, found.high.calls) == (17, 22)
    assert more.total.calls == found.total.calls
    assert 1.1 * found.total.tokens < more.total.tokens < 3 * found.total.tokens


def test_rules_cost_nothing():
    found = estimate(DOCUMENTS, size=3)
    assert (found.total.calls, found.high.calls, found.source) == (0, 0, "")


def test_the_range_is_that_of_the_share_that_is_kept():
    spent = Count(calls=100, prompt_tokens=900, completion_tokens=100)
    found = Observed.of(spent, kept=5, tried=10, source="a file")
    assert found is not None
    assert (found.calls[1], found.tokens[1]) == (100 / 5, 1000 / 5)
    # Wilson's interval of 5 of 10 is .2366 to .7634: 10 calls an attempt, over the share kept
    assert found.calls[0] == pytest.approx(10 / 0.7634, rel=1e-3)
    assert found.calls[2] == pytest.approx(10 / 0.2366, rel=1e-3)
    assert Observed.of(spent, kept=0, tried=10, source="") is None


def test_what_says_nothing_of_its_cost_is_passed_over(tmp_path: Path):
    golden = replace(generate(DOCUMENTS, size=3), facts={})
    path = golden.write(tmp_path / "golden.jsonl")
    write_report(golden, path)
    assert observed_in(path) is None
    with pytest.raises(DatasetError):
        observed_in(tmp_path / "gone.jsonl")
