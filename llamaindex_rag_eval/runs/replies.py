"""Replies of an evaluation: kept in a file beside the run, or in the stores of its judges.

Stores are opened before anything is asked, so that a wrong address costs nothing, and hold all
replies when the evaluation ends.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from llamaindex_rag_eval.errors import OutputError
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.models import CachedOracle, Oracle, Store, Usage
from llamaindex_rag_eval.models.cached import Remembered
from llamaindex_rag_eval.models.request import oracles_of

logger = logging.getLogger(__name__)


def replies_file(out: str | Path) -> Path:
    """Return the file of replies beside the file of a run.

    Example:
        >>> replies_file("out/scores.jsonl").name
        'scores.replies.db'
    """
    return Path(out).with_suffix(".replies.db")


@asynccontextmanager
async def keeping_replies(
    metrics: Sequence[BaseMetric],
    file: Path | None,
    keeps: Callable[[Oracle], bool] | None = None,
) -> AsyncIterator[Sequence[BaseMetric]]:
    """Yield the metrics with judges whose replies are kept until the block ends, and after it.

    Several judges that have one fingerprint, as metrics that were each given the same LLM, ask once
    for all of them.

    Args:
        metrics: Each with its judge.
        file: Keeps the replies of judges without a store; `None` keeps them in memory.
        keeps: Whether the file keeps those of a judge; by default, if it costs something to ask.

    Raises:
        OutputError: A judge's own store cannot be opened.
    """
    judges = {id(judge): judge for metric in metrics for judge in metric.judges}
    stores = {id(store): store for judge in judges.values() for store in _stores(judge.oracle)}
    for store in stores.values():
        if not store.was_opened:
            await asyncio.to_thread(store.open)
    beside = None if file is None else Store(file)
    unkept = {k for k, j in judges.items() if (keeps or _costs)(j.oracle) and not _stores(j.oracle)}
    if beside is not None and unkept:
        try:
            await asyncio.to_thread(beside.open)
        except OutputError as error:
            logger.warning("replies are not kept beside the run: %s", error)
            unkept = set()
    if len(judges) > 1 or (beside is not None and unkept):
        shared = Remembered()
        kept = {
            key: j.over(
                CachedOracle(j.oracle, beside if key in unkept else None, remembered=shared)
            )
            for key, j in judges.items()
        }
        metrics = [metric.map_judges(lambda judge: kept[id(judge)]) for metric in metrics]
    try:
        yield metrics
    finally:
        for store in stores.values():
            await asyncio.to_thread(store.flush)
        if beside is not None:
            await asyncio.to_thread(beside.close)


async def flush_replies(metrics: Sequence[BaseMetric]) -> None:
    """Wait until the stores of the judges hold all replies."""
    async with keeping_replies(metrics, None):
        return


def _stores(oracle: Oracle) -> list[Store]:
    stores = (getattr(inner, "store", None) for inner in oracles_of(oracle))
    return [store for store in stores if isinstance(store, Store)]


def _costs(oracle: Oracle) -> bool:
    return any(isinstance(getattr(inner, "usage", None), Usage) for inner in oracles_of(oracle))
