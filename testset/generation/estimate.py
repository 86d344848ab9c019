"""The estimate: what writing a golden set would cost, without asking a model.

It is what a kept item has cost in an earlier generation (`observed.py`), with all that was turned
down for it; the stages have the shares that were recorded.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

from llama_index.core.utils import get_tokenizer

from llamaindex_rag_eval._sync import synced
from llamaindex_rag_eval.models import LLMOracle
from llamaindex_rag_eval.models.request import oracles_of
from llamaindex_rag_eval.models.usage import price_of
from testset.corpus.cores import working_on
from testset.corpus.documents import Corpus, Documents
from testset.generation.config import GenerationConfig, Options
from testset.generation.observed import NOTHING, RECORDED, observed_in
from testset.generation.pipeline import brief_traffic
from testset.generation.quotas import largest_remainder
from testset.generation.traffic import Traffic
from testset.requests.drafts import can_write

STAGES = ("write", "check")
SHARES: Sequence[Mapping[str, float]] = tuple(
    dict(zip(STAGES, shares, strict=True)) for shares in ((0.37, 0.63), (0.25, 0.75), (0.60, 0.40))
)
"""The share of each stage of the calls, of the tokens sent, and of those received."""
OF_DOCUMENTS = 0.1
"""Share of the tokens that grows with how many of them a text takes, in English documents."""
TOKENS = 0.25
"""Tokens that a character of English takes."""
SAMPLE, PARTS = 20_000, 20
"""Characters of documents that are counted, and of how many documents."""


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


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a golden set would cost, by stage.

    Attributes:
        stages: Writing and checking.
        low: The least that is to be expected of all stages together.
        high: The most.
        source: What the range and the total are taken from; empty where nothing is asked.
        traffic: What a model made of a brief; `None` without one.
    """

    stages: tuple[Stage, ...]
    low: Stage
    high: Stage
    source: str = ""
    traffic: Traffic | None = None

    @property
    def total(self) -> Stage:
        """All stages together."""
        return _total("total", self.stages)


async def aestimate(
    docs: Documents, *, earlier: str | Path | None = None, **options: Unpack[Options]
) -> Estimate:
    """Return what `agenerate` would spend with these arguments, spending nothing.

    Rules cost nothing: their estimate has no calls. Replies in the judge's cache are not looked up.
    A brief takes one call, whose reply is kept in the journal for the generation.

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
    config = GenerationConfig(**options)
    with working_on(config.on, config.workers):
        corpus = Corpus.of(docs)  # to fail as the generation would
    seen = None if earlier is None else observed_in(Path(earlier))
    seen = seen or RECORDED.times(1 + OF_DOCUMENTS * (_density(corpus) - 1))
    if not any(map(can_write, (config.author, config.verifier))):
        seen = NOTHING

    def stages(at: int) -> tuple[Stage, ...]:
        tokens = config.wanted * seen.tokens[at]
        amounts = config.wanted * seen.calls[at], tokens * seen.sent, tokens * (1 - seen.sent)
        parts = [largest_remainder(*row) for row in zip(SHARES, map(round, amounts), strict=True)]
        return tuple(_stage(config, name, *(part[name] for part in parts)) for name in STAGES)

    low, expected, high = map(stages, range(3))
    traffic = await brief_traffic(config)
    return Estimate(expected, _total("low", low), _total("high", high), seen.source, traffic)


estimate = synced(aestimate)
"""Return what `generate` would spend: `aestimate`, with its arguments, where no `await` is."""


def _density(corpus: Corpus) -> float:
    """Return how many tokens a character of documents takes, over that of English."""
    parts = corpus.documents[:PARTS]
    sample = "".join(document.text[: SAMPLE // len(parts)] for document in parts)
    return len(get_tokenizer()(sample)) / max(1, len(sample)) / TOKENS


def _stage(config: GenerationConfig, name: str, calls: int, sent: int, received: int) -> Stage:
    """Return a stage with its cost, by the price of the model that would be asked."""
    oracle = (config.verifier if name == "check" else config.author).oracle
    innermost = oracles_of(oracle)[-1]
    price = price_of(innermost.model) if isinstance(innermost, LLMOracle) else None
    cost = price.cost(sent, received) if price else None if calls else 0.0
    return Stage(name, calls, sent, received, cost)


def _total(name: str, parts: Sequence[Stage]) -> Stage:
    costs = [part.cost for part in parts]
    return Stage(
        name,
        sum(part.calls for part in parts),
        sum(part.prompt_tokens for part in parts),
        sum(part.completion_tokens for part in parts),
        None if None in costs else sum(cost or 0.0 for cost in costs),
    )
