"""Ruled: a golden set written by rules, checked by rules or by a judge."""

from collections.abc import Mapping

from testset.generation.checkpoint import Journal
from testset.generation.config import Settings
from testset.corpus.prepared import Material
from testset.generation.quotas import quotas
from testset.generation.rule_writer import pool_of
from testset.generation.selection import Selection
from testset.golden.golden_set import GoldenSet, ordered
from testset.golden.splits import with_splits

__all__ = ["ruled"]


async def ruled(material: Material, settings: Settings) -> GoldenSet:
    """Return a golden set that rules wrote.

    Raises:
        DatasetError: The journal is of another run.
    """
    size, seed, wishes = settings.size, settings.seed, settings.wishes
    cells = pool_of(material.kept, material.topics, size=size, seed=seed, language=wishes.language)
    shares = wishes.shares
    if settings.types is None:
        shares = _fitting(shares, {kind for _, kind in cells})
    plan = quotas(material.passages_per_topic, shares, size)
    run = f"{material.corpus.fingerprint}/{size}/{seed}/{wishes.language}/{sorted(shares.items())}"
    with Journal(settings.journal, run=run) as record:
        selection = Selection(
            material.ground, settings.verifier, record, seed=seed, size=size, tell=settings.tell
        )
        await selection.fill(plan, cells)
    candidates = str(sum(map(len, cells.values())))
    return GoldenSet(
        items=ordered(with_splits(selection.items, seed=seed)),
        size=size,
        shortfall=selection.shortfall(plan, cells),
        rejected=tuple(selection.rejected),
        skipped=material.skipped,
        facts={"seed": str(seed), **material.facts, "candidates": candidates},
    )


def _fitting(shares: Mapping[str, float], present: set[str]) -> dict[str, float]:
    """Return the shares of the types that the documents offer; all of them if they offer none."""
    fitting = {name: share for name, share in shares.items() if name in present}
    return fitting or dict(shares)
