"""Meaning: what embeddings add to the evidence of words."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.pool import Pool

__all__ = ["meaning_shift"]

_EVEN = 0.65
"""Cosine similarity of claim and sentence that speaks neither for nor against support."""
_SLOPE = 4.0
"""Log-odds for each unit of cosine similarity."""


def meaning_shift(
    claims: Sequence[str],
    pools: Sequence[Pool],
    embed: Callable[[Sequence[str]], NDArray[np.float32]],
) -> NDArray[np.float32]:
    """Return what the nearest sentence of each pool adds to the log-odds of each claim.

    Args:
        claims: The claims.
        pools: Pools of at least one sentence each.
        embed: Embeds texts, one row each.

    Returns:
        An array of shape `(len(claims), len(pools))`; about -2.6 to 1.4.
    """
    sentences = [[profile.text for profile in pool.sentences] for pool in pools]
    rows = _unit(embed([*claims, *(text for texts in sentences for text in texts)]))
    near = rows[: len(claims)] @ rows[len(claims) :].T
    starts = np.cumsum([0, *(len(texts) for texts in sentences[:-1])])
    best = np.maximum.reduceat(near, starts, axis=1) if len(claims) else near
    return np.asarray(_SLOPE * (best - _EVEN), dtype=np.float32)


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: NDArray[np.float32] = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return unit
