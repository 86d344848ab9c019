"""Each request is asked once, whatever judge metrics were given, by the judge that was given."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from llama_index.core.evaluation import BatchEvalRunner

from llamaindex_rag_eval import Judge, LLMOracle, SingleTurnSample, estimate, evaluate
from llamaindex_rag_eval.cli.cost import usage_lines
from llamaindex_rag_eval.judge.wire import Wire
from llamaindex_rag_eval.metrics.base import BaseMetric, Metric
from llamaindex_rag_eval.metrics.composite import WeightedMean
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.metrics.registry import metric_of
from llamaindex_rag_eval.metrics.result import Score
from llamaindex_rag_eval.metrics.string_match import ExactMatch
from llamaindex_rag_eval.models import Reply, Request
from llamaindex_rag_eval.models.prompt import Prompt
from tests.models.asking import oracle_at, serving
from tests.runs.evaluations import samples
from tests.server import LoopbackServer

EIGHT = (
    "faithfulness",
    "answer_relevancy",
    "context_precision",
    "context_recall",
    "factual_correctness",
    "noise_sensitivity",
    "context_entity_recall",
    "answer_correctness",
)
CALLS_OF_EIGHT = 9
"""Claims of two texts, four times support, relevance, questions, entities."""


@pytest.fixture(scope="module")
def running() -> Iterator[LoopbackServer]:
    with serving() as server:
        yield server


@pytest.fixture
def server(running: LoopbackServer) -> LoopbackServer:
    running.reset()
    return running


def given_to_all(oracle: LLMOracle) -> tuple[Sequence[BaseMetric | str], Judge | None]:
    return EIGHT, Judge(oracle)


def given_to_each(oracle: LLMOracle) -> tuple[Sequence[BaseMetric | str], Judge | None]:
    return [metric_of(name, oracle) for name in EIGHT], None


def given_to_parts(oracle: LLMOracle) -> tuple[Sequence[BaseMetric | str], Judge | None]:
    parts = [metric_of(name, Judge(oracle)) for name in EIGHT if name != "noise_sensitivity"]
    return [WeightedMean(parts=parts), metric_of("noise_sensitivity", oracle)], None


@pytest.mark.parametrize("given", [given_to_all, given_to_each, given_to_parts])
def test_eight_metrics_ask_nine_times_for_a_sample(
    server: LoopbackServer, tmp_path: Path, given: Callable[..., Any]
) -> None:
    metrics, judge = given(oracle_at(server))
    foretold = estimate(samples(1), metrics=metrics, judge=judge)
    assert server.stats().calls == 0
    run = evaluate(samples(1), metrics=metrics, judge=judge, out=tmp_path / "run.jsonl")
    assert {row.status for row in run.rows} == {"scored"}
    tally = server.stats()
    assert (tally.calls, tally.distinct_bodies) == (CALLS_OF_EIGHT, CALLS_OF_EIGHT)
    assert foretold.total.calls == CALLS_OF_EIGHT


# LlamaIndex's own runner calls a function that LlamaIndex deprecates.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
async def test_metrics_outside_an_evaluation_share_the_replies_of_their_judge(
    server: LoopbackServer,
) -> None:
    judge = Judge(oracle_at(server))
    runner = BatchEvalRunner({name: metric_of(name, judge) for name in EIGHT}, workers=8)
    (sample,) = samples(1)
    fields: dict[str, Any] = {"reference": [sample.reference]}
    await runner.aevaluate_response_strs(
        [sample.query], [sample.response], [list(map(str, sample.contexts))], **fields
    )
    again = [metric_of(name, judge).result(sample) for name in EIGHT]
    assert {result.status for result in await asyncio.gather(*again)} == {"scored"}
    assert server.stats().calls == CALLS_OF_EIGHT


def test_a_part_keeps_the_judge_of_its_own(server: LoopbackServer, tmp_path: Path) -> None:
    shared = oracle_at(server)
    with serving() as other:
        parts = [Faithfulness(Judge(oracle_at(other))), metric_of("context_recall")]
        metrics = [WeightedMean(parts=parts)]
        run = evaluate(samples(1), metrics=metrics, judge=shared, out=tmp_path / "run.jsonl")
        assert other.stats().calls == 2
    assert run.results[0].status == "scored"


class Several(Metric):
    """Asks the judge, and does not say so."""

    name = "several"
    needs = frozenset({"response", "contexts"})

    async def measure(self, sample: SingleTurnSample) -> Score:
        claims = await self.judge.claims(sample.response)
        support = await self.judge.support(claims, sources=sample.contexts)
        return Score(float(len(support)))


def test_a_metric_that_does_not_say_what_it_asks_is_judged_by_who_was_given(
    server: LoopbackServer, tmp_path: Path
) -> None:
    judge = oracle_at(server)
    foretold = estimate(samples(2), metrics=[Several()], judge=judge)
    assert (foretold.total.calls, foretold.uncounted) == (2 * 2, "")
    by_rules = evaluate(samples(2), metrics=[Several()], out=tmp_path / "run.jsonl")
    run = evaluate(samples(2), metrics=[Several()], judge=judge, out=tmp_path / "run.jsonl")
    assert server.stats().calls == 2 * 2
    assert [result.judged_by for result in run.results] != [
        result.judged_by for result in by_rules.results
    ]
    assert run.provenance.notes == ("Judged by the LLM 'gpt-4o-mini'.",)


def test_a_metric_of_this_package_that_asks_nobody_gets_no_judge(server: LoopbackServer) -> None:
    metric = ExactMatch()
    assert metric.with_judge(oracle_at(server)).judges == metric.judges == ()


class Tone(Reply):
    tone: str


class ToneInput(Wire):
    text: str


class ToneOf(Request[Tone]):
    """A judgement of the user's: neither rules nor a stand-in answer it."""

    prompt: ClassVar[Prompt[Any, Any] | None] = Prompt(
        name="tone", instruction="Name the tone.", input=ToneInput, output=Tone
    )
    text: str


class Toned(Several):
    name = "toned"

    async def measure(self, sample: SingleTurnSample) -> Score:
        await self.judge.ask(ToneOf(text=sample.response))
        return await super().measure(sample)


class Counting:
    """An oracle that is not ours: who knows what it costs."""

    def __init__(self) -> None:
        self.asked = 0

    def fingerprint(self, request: type[Request[Any]]) -> str:
        return f"counting/{request.__name__}"

    def answers(self, request: type[Request[Any]]) -> bool:
        return request.ruled

    async def ask(self, request: Request[Any]) -> Any:
        self.asked += 1
        return request.by_rule()


def test_a_rehearsal_that_cannot_go_on_counts_what_there_will_be_at_least(
    server: LoopbackServer,
) -> None:
    usage = estimate(samples(2), metrics=[Toned(), "faithfulness"], judge=oracle_at(server))
    assert usage.total.calls == 2 * (1 + 2)
    assert usage.by["request"]["ToneOf"].prompt_tokens > 0
    assert "what 'toned' asks after this is not known: " in usage.uncounted
    assert "only a model answers 'ToneOf'" in usage.uncounted
    first, *_, last = usage_lines(usage)
    assert (first[:16], last) == ("at least 6 calls", f"There may be more: {usage.uncounted}.")
    assert server.stats().calls == 0


def test_an_estimate_asks_no_oracle_of_the_users_own() -> None:
    oracle = Counting()
    usage = estimate(samples(2), metrics=["faithfulness"], judge=oracle)
    assert (oracle.asked, usage.total.calls) == (0, 2 * 2)
