"""The estimate: what writing a golden set would cost, found without asking a model.

The whole pipeline runs with stand-in replies, and each request is counted as the call that it
would be. Stand-ins pass all checks, where most real questions do not: the sum is brought to what a
kept item has cost in an earlier generation (`observed.py`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Unpack

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.models.cached import CachedOracle
from llamaindex_rag_eval.models.dry_run import dry_run_of
from llamaindex_rag_eval.models.request import Oracle
from llamaindex_rag_eval.models.usage import Count, Usage
from testset.corpus.documents import Documents
from testset.generation.config import GenerationConfig, Options
from testset.generation.observed import RECORDED, observed_in
from testset.generation.pipeline import write_golden_set

WRITE = "write"
"""The stage of all requests that are of no other stage."""
STAGES: Mapping[str, tuple[str, ...]] = {
    "proposals": ("ProposalsOf", "JointProposalsOf"),
    WRITE: (),
    "check": ("AlternativesOf", "AnswerVerdictOf", "ClosedBookOf", "ExamineOf", "SupportOf"),
}
"""Stage -> its requests."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What one stage would cost.

    Attributes:
        name: The stage.
        calls: Calls of a model, 0 or more.
        prompt_tokens: Tokens sent.
        completion_tokens: Tokens received.
        cost: Dollars; `None` where the model's price is not known.
    """

    name: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None

    @property
    def tokens(self) -> int:
        """Tokens sent and received."""
        return self.prompt_tokens + self.completion_tokens

    def scaled(self, calls: float, tokens: float) -> "Stage":
        """Return the stage with its calls, and its tokens and their cost, times these factors."""
        sent, received = round(tokens * self.prompt_tokens), round(tokens * self.completion_tokens)
        cost = None if self.cost is None else tokens * self.cost
        return Stage(self.name, round(calls * self.calls), sent, received, cost)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a golden set would cost, by stage.

    Attributes:
        stages: Proposals, writing and checking.
        low: The least that is to be expected of all stages together.
        high: The most.
        source: What the range and the total are taken from; empty where nothing is asked.
    """

    stages: tuple[Stage, ...]
    low: Stage
    high: Stage
    source: str = ""

    @property
    def total(self) -> Stage:
        """All stages together."""
        return _total("total", self.stages)


def estimate(
    docs: Documents, *, earlier: str | Path | None = None, **options: Unpack[Options]
) -> Estimate:
    """Return what `generate` would spend with these arguments, spending nothing.

    Rules cost nothing: their estimate has no calls. Replies in the judge's cache are not looked up.
    Neither the retriever nor the embedding model is asked; what they find in place of BM25 changes
    the estimate little.

    Args:
        docs: As for `generate`.
        earlier: A journal or a golden set of an earlier generation: its calls and tokens for each
            item kept are expected again. By default those of a recorded one, which had other
            documents and another model.
        **options: The keywords of `generate`; a journal is not written.

    Raises:
        DocumentError: There is no document to read.
        DatasetError: `earlier` is neither.
        InputError: As `generate`.
    """
    return run_sync(aestimate(docs, earlier=earlier, **options))


async def aestimate(
    docs: Documents, *, earlier: str | Path | None = None, **options: Unpack[Options]
) -> Estimate:
    """Return what `agenerate` would spend, as `estimate` does, inside a running event loop."""
    usage = Usage()
    wanted = GenerationConfig(**options)
    seen = (None if earlier is None else observed_in(Path(earlier))) or RECORDED

    def counted(judge: Judge) -> Judge:
        return Judge(dry_run_of(_without_cache(judge.oracle), usage))

    writer = None if wanted.writer is None else counted(wanted.author)
    counting = replace(wanted, judge=counted(wanted.verifier), writer=writer)
    counting = replace(counting, journal=None, retriever=None, embed_model=None)
    await write_golden_set(docs, counting)
    stages = tuple(_stage(name, usage) for name in STAGES)
    simulated = _total("", stages)
    if not simulated.calls:
        return Estimate(stages, simulated, simulated)

    def scaled(stage: Stage, at: int) -> Stage:
        return stage.scaled(
            wanted.wanted * seen.calls[at] / simulated.calls,
            wanted.wanted * seen.tokens[at] / simulated.tokens,
        )

    low, high = (
        replace(scaled(simulated, at), name=name) for at, name in ((0, "low"), (2, "high"))
    )
    return Estimate(tuple(scaled(stage, 1) for stage in stages), low, high, seen.source)


def _without_cache(oracle: Oracle) -> Oracle:
    """Return an oracle without the caches around it: stand-ins are not what the replies are to."""
    return _without_cache(oracle.inner) if isinstance(oracle, CachedOracle) else oracle


def _total(name: str, parts: Sequence[Stage | Count]) -> Stage:
    costs = [part.cost for part in parts]
    return Stage(
        name,
        sum(part.calls for part in parts),
        sum(part.prompt_tokens for part in parts),
        sum(part.completion_tokens for part in parts),
        None if None in costs else sum(cost or 0.0 for cost in costs),
    )


def _stage(name: str, usage: Usage) -> Stage:
    stage_of = {request: stage for stage, requests in STAGES.items() for request in requests}
    by_request = usage.by["request"].items()
    return _total(name, [n for kind, n in by_request if stage_of.get(kind, WRITE) == name])
