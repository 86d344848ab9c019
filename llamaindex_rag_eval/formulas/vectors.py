"""Vectors: how alike, or how far apart, are two embeddings?

A zero vector has no direction: its cosine similarity and distance are undefined (None), never 0,
because an embedding of zeros means that nothing was embedded.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from llamaindex_rag_eval.errors import InputError

Vector = Sequence[float] | npt.NDArray[np.floating]
Distance = Literal["cosine", "euclidean", "manhattan", "chebyshev", "hamming"]


def cosine_similarity(left: Vector, right: Vector) -> float | None:
    """Return left·right / (|left| |right|).

    Args:
        left: A vector of shape (d,), d ≥ 1.
        right: A vector of the same shape.

    Returns:
        A number in [-1, 1], 1 for the same direction; None if either is a zero vector.

    Raises:
        InputError: The shapes differ, are empty, or a component is not finite.

    Example:
        >>> cosine_similarity([3.0, 4.0], [4.0, 3.0]) == 24 / 25
        True
        >>> cosine_similarity([0.0, 0.0], [1.0, 0.0]) is None
        True
    """
    a, b = _pair(left, right)
    largest_a, largest_b = np.abs(a).max(), np.abs(b).max()
    if not largest_a or not largest_b:
        return None
    # Scaled first, so that the squares of tiny or huge components neither vanish nor overflow.
    a, b = a / largest_a, b / largest_b
    cosine = float(a @ b) / float(np.sqrt((a @ a) * (b @ b)))
    return min(1.0, max(-1.0, cosine))


def embedding_distance(
    left: Vector, right: Vector, *, measure: Distance = "cosine"
) -> float | None:
    """Return the distance between two vectors.

    The five measures of LangChain's embedding-distance evaluator: `cosine` is 1 - cosine
    similarity, in [0, 2]; `euclidean`, `manhattan` and `chebyshev` are the length, the sum and the
    largest of the differences, from 0 up; `hamming` is the share of components that differ, in
    [0, 1].

    Args:
        left: A vector of shape (d,), d ≥ 1.
        right: A vector of the same shape.
        measure: Which distance.

    Returns:
        A number from 0 up, lower is better; None for `cosine` if either is a zero vector.

    Raises:
        InputError: The shapes differ, are empty, or a component is not finite; no such measure.

    Example:
        >>> embedding_distance([0.0, 0.0], [3.0, 4.0], measure="euclidean")
        5.0
        >>> embedding_distance([1.0, 2.0], [1.0, 3.0], measure="hamming")
        0.5
    """
    a, b = _pair(left, right)
    if measure == "cosine":
        similarity = cosine_similarity(a, b)
        return None if similarity is None else 1.0 - similarity
    gaps = np.abs(a - b)
    distances = {
        "euclidean": np.linalg.norm(gaps),
        "manhattan": gaps.sum(),
        "chebyshev": gaps.max(),
        "hamming": np.mean(a != b),
    }
    if measure not in distances:
        raise InputError(f"measure must be 'cosine' or one of {sorted(distances)}, got {measure!r}")
    return float(distances[measure])


def _pair(left: Vector, right: Vector) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return both as arrays; raise `InputError` unless they are finite and of one shape (d,)."""
    a, b = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape or not a.size:
        raise InputError(f"vectors must have one shape (d,), got {a.shape} and {b.shape}")
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise InputError("vectors must hold finite numbers only")
    return a, b
