"""The pipeline of a model: a golden set that one model writes and the same or another verifies."""

from collections import Counter
from collections.abc import Mapping

from llamaindex_rag_eval.models.ask_ahead import AskAhead
from llamaindex_rag_eval.models.usage import Spent, current_account
from testset.corpus.prepared import PreparedCorpus
from testset.generation.checkpoint import Checkpoint, CheckpointedOracle
from testset.generation.config import ANSWERABLE_SHARE, MODEL_TYPES, GenerationConfig
from testset.generation.fill import ModelFill
from testset.generation.quotas import balanced_quotas
from testset.generation.specs import QuestionSpecs
from testset.generation.usage import UsageCounter
from testset.golden.golden_set import GoldenSet, sorted_by_id
from testset.requests.facts import FactsOf
from testset.requests.writer import Writer

__all__ = ["write_by_model"]

PERSONAS = 4
"""Personas that a model thinks of where none are given."""
TOPICS_SHOWN = 24
"""Topics that it is shown for that at most; they fit into a short prompt."""
UNANSWERABLE = ("unanswerable", "false_premise", "underspecified")
"""Types of the default mix that no document answers."""


async def write_by_model(prepared: PreparedCorpus, config: GenerationConfig) -> GoldenSet:
    """Return a golden set that the author wrote and the verifier has checked.

    Raises:
        CallError: No model can be reached, and nothing was written yet.
        PendingError: A reply is not in a batch file yet.
        DatasetError: The journal is of another run.
    """
    models = [config.author.oracle, config.verifier.oracle]
    with Checkpoint(config.journal, run=_run(prepared, config)) as checkpoint:
        meter = UsageCounter.resumed(models, checkpoint.spent)
        writer = Writer(CheckpointedOracle(models[0], checkpoint))
        same = config.verifier is config.author
        verifier = writer if same else Writer(CheckpointedOracle(models[1], checkpoint))
        progress: Counter[str] = Counter()

        def record(spent: Spent | None = None) -> None:
            del spent  # the meter has counted it
            checkpoint.spend({**meter.total.model_dump(), **progress})

        token = current_account.set(record)
        try:
            ahead = AskAhead()
            personas: tuple[str, ...] = ()
            with ahead:
                personas = await _personas(writer, config, prepared.topics)
            specs = QuestionSpecs(prepared, config, personas)
            shares = _available_shares(config.type_shares, specs)
            topics = prepared.passages_per_topic
            plan = balanced_quotas(topics, shares, config.size, seed=config.seed)
            fill = ModelFill(prepared, specs, config, writer=writer, verifier=verifier)
            fill.progress = progress
            await (fill.read_ahead(plan) if ahead.pending else fill.run(plan, settled=record))
            ahead.settle()
        finally:
            current_account.reset(token)
    return GoldenSet(
        items=sorted_by_id(fill.items),
        size=config.size,
        shortfall=fill.shortfall(plan),
        rejected=(*fill.rejected, *fill.by_heart),
        skipped=prepared.skipped,
        facts={
            "seed": str(config.seed),
            **prepared.summary,
            **_summary(fill),
            **meter.total.summary,
            **({"stopped": fill.stopped} if fill.stopped else {}),
        },
    )


def _run(prepared: PreparedCorpus, config: GenerationConfig) -> str:
    """Return what a run depends on, so that the journal of another is refused."""
    judges = (config.author, config.verifier)
    models = "/".join(judge.oracle.fingerprint(FactsOf) for judge in judges)
    options = f"{config.size}/{config.seed}/{config.fingerprint}"
    return f"{prepared.corpus.fingerprint}/{options}/{models}"


async def _personas(
    writer: Writer, config: GenerationConfig, topics: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the personas that were given, or those that a model thinks of in one call."""
    if config.personas is not None:
        return tuple(config.personas)
    labels = sorted(set(topics.values()))[:TOPICS_SHOWN]
    return await writer.personas(labels, n=PERSONAS)


def _available_shares(shares: Mapping[str, float], specs: QuestionSpecs) -> dict[str, float]:
    """Return the shares of the types that the documents have passages for.

    In the default mix, the share of a type without passages goes to `single_hop`, so that
    `ANSWERABLE_SHARE` of the set stays answerable. Types that were asked for stay as they are.
    """
    if dict(shares) != dict(MODEL_TYPES):
        return dict(shares)
    offered = {name: share for name, share in shares.items() if specs.count(name)}
    unanswered = sum(offered.get(name, 0.0) for name in UNANSWERABLE)
    lost = ANSWERABLE_SHARE - (sum(offered.values()) - unanswered)
    if "single_hop" in offered:
        offered["single_hop"] += lost
    return offered or dict(shares)


def _summary(fill: ModelFill) -> dict[str, str]:
    """Return what the data card says of the writing."""
    checks = [item.checks for item in fill.items]
    by_heart = sum(found["closed_book"].verdict == "tagged" for found in checks)
    return {
        "passages read by the writer": str(fill.passages),
        "answered without documents": f"{by_heart} of {len(checks)}",
        "repaired": ", ".join(f"{n} {c}" for c, n in sorted(fill.repaired.items())) or "none",
    }
