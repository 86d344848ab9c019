"""Ruled: a golden set written by rules, checked by rules or by a judge."""

from collections.abc import Mapping

from testset.corpus.prepared import PreparedCorpus
from testset.generation.checkpoint import Journal
from testset.generation.config import Settings
from testset.generation.quotas import quotas
from testset.generation.candidates import pool_of
from testset.generation.rule_pipeline import Selection
from testset.golden.golden_set import GoldenSet, sorted_by_id
from testset.golden.splits import with_splits

__all__ = ["ruled"]


async def ruled(prepared: PreparedCorpus, settings: Settings) -> GoldenSet:
    """Return a golden set that rules wrote.

    Raises:
        DatasetError: The journal is of another run.
    """
    size, seed, wishes = settings.size, settings.seed, settings.wishes
    cells = pool_of(prepared.kept, prepared.topics, size=size, seed=seed, language=wishes.language)
    shares = wishes.shares
    if settings.types is None:
        shares = _fitting(shares, {kind for _, kind in cells})
    plan = quotas(prepared.passages_per_topic, shares, size)
    run = f"{prepared.corpus.fingerprint}/{size}/{seed}/{wishes.language}/{sorted(shares.items())}"
    with Journal(settings.journal, run=run) as record:
        selection = Selection(
            prepared.index, settings.verifier, record, seed=seed, size=size, tell=settings.tell
        )
        await selection.fill(plan, cells)
    candidates = str(sum(map(len, cells.values())))
    return GoldenSet(
        items=sorted_by_id(with_splits(selection.items, seed=seed)),
        size=size,
        shortfall=selection.shortfall(plan, cells),
        rejected=tuple(selection.rejected),
        skipped=prepared.skipped,
        facts={"seed": str(seed), **prepared.summary, "candidates": candidates},
    )


def _fitting(shares: Mapping[str, float], present: set[str]) -> dict[str, float]:
    """Return the shares of the types that the documents offer; all of them if they offer none."""
    fitting = {name: share for name, share in shares.items() if name in present}
    return fitting or dict(shares)
