"""Near-duplicates and boilerplate: texts that would give the same question twice.

Near-duplicates are found by MinHash with banding, so the time grows with the number of texts and
not with its square. Source: Broder (1997), "On the Resemblance and Containment of Documents",
section 3; banding as in Leskovec et al., "Mining of Massive Datasets", section 3.4.
"""

import hashlib
from collections import defaultdict
from collections.abc import Container, Iterable

import numpy as np
from numpy.typing import NDArray

HASHES = 64
"""Hash functions of a signature: the standard error of the estimated overlap is at most 1/16."""
BANDS = 16
"""16 bands of 4: texts that share 80 % of their shingles meet in a band with probability .9998."""
SHINGLE = 12
"""Characters of a shingle: long enough to tell texts of one topic apart, in any script."""
THRESHOLD = 0.8
"""Share of equal hashes, in [0, 1], from which a text nearly repeats another."""
REPEATS = 3
"""Number of documents with a sentence from which it counts as boilerplate."""
COMPARED = 3
"""Most texts of a bucket that a text is compared with, so that the time stays linear."""
AT_ONCE = 4_096
"""Shingles that are hashed at a time, so that a long text takes no more memory."""
BASE = 0x100000001B3
"""Of the polynomial that hashes a shingle: the prime of FNV-1."""
_RANDOM = np.random.default_rng(7)
_FACTORS = _RANDOM.integers(1, 1 << 32, size=(HASHES, 1), dtype=np.uint32) | np.uint32(1)
_SHIFTS = _RANDOM.integers(0, 1 << 32, size=(HASHES, 1), dtype=np.uint32)

Marks = NDArray[np.uint32]
"""Signatures, one row for each text."""


def repeats_among(marks: Marks) -> dict[int, int]:
    """Return text number -> number of the earlier text that it nearly repeats.

    Args:
        marks: The signatures of the texts; of several that repeat one another the first is kept.

    Example:
        >>> texts = ["The vents open at noon.", "Unlike.", "The  vents open at noon."]
        >>> repeats_among(np.array([signature(text) for text in texts]))
        {2: 0}
    """
    bands = _bands(marks)
    buckets: dict[tuple[int, int], list[int]] = defaultdict(list)
    repeats: dict[int, int] = {}
    for number in np.flatnonzero((bands >= 0).any(axis=1)).tolist():
        keys = [(band, key) for band, key in enumerate(bands[number].tolist()) if key >= 0]
        near = sorted({other for key in keys for other in buckets[key][:COMPARED]})
        shares = (marks[near] == marks[number]).mean(axis=1)
        alike = np.flatnonzero(shares >= THRESHOLD)
        if len(alike):
            repeats[number] = near[int(alike[0])]
            continue
        for key in keys:
            buckets[key].append(number)
    return repeats


def _bands(marks: Marks) -> NDArray[np.int64]:
    """Return the bucket of each text in each band; -1 where it is there alone."""
    buckets = np.full((len(marks), BANDS), -1, dtype=np.int64)
    for band, part in enumerate(np.split(marks.astype(np.uint64), BANDS, axis=1)):
        keys = part[:, 0].copy()
        for column in part.T[1:]:
            keys = _stirred(keys * np.uint64(BASE) + column)
        _, numbers, counts = np.unique(keys, return_inverse=True, return_counts=True)
        together = counts[numbers] > 1
        buckets[together, band] = numbers[together]
    return buckets


def signature(text: str) -> NDArray[np.uint32]:
    """Return the MinHash signature of a text; white space and case do not matter."""
    plain = " ".join(text.casefold().split()).ljust(SHINGLE, "\0")
    codes = np.frombuffer(plain.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    keys = _hashed_runs(codes.astype(np.uint64), SHINGLE)
    stirred = (_stirred(keys) >> np.uint64(32)).astype(np.uint32)
    marks = np.full(HASHES, np.iinfo(np.uint32).max, dtype=np.uint32)
    for start in range(0, len(stirred), AT_ONCE):
        mixed = stirred[None, start : start + AT_ONCE] * _FACTORS
        mixed += _SHIFTS
        np.minimum(marks, mixed.min(axis=1), out=marks)
    return marks


def _hashed_runs(codes: NDArray[np.uint64], size: int) -> NDArray[np.uint64]:
    """Return the polynomial hash of each run of characters of a size, made of those of its half."""
    if size == 1:
        return codes
    half = size // 2
    of_half = _hashed_runs(codes, half)
    keys = of_half[:-half] * np.uint64(pow(BASE, half, 1 << 64)) + of_half[half:]
    return keys if size % 2 == 0 else keys[:-1] * np.uint64(BASE) + codes[size - 1 :]


def _stirred(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return hashes whose bits depend on all bits of the keys: the last steps of SplitMix64."""
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))


def sentence_key(sentence: str) -> int:
    """Return a hash, of 64 bits, of a sentence with its white space normalised."""
    return text_key(" ".join(sentence.split()))


def text_key(text: str) -> int:
    """Return a hash, of 64 bits, of a text."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def boilerplate_among(
    documents: NDArray[np.integer], keys: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    """Return the hashes of the sentences that stand in several documents, in their order.

    Args:
        documents: The number of the document of each sentence.
        keys: The hash of each sentence.

    Example:
        >>> boilerplate_among(np.array([0, 1, 2, 2]), np.array([5, 5, 5, 9], dtype=np.uint64))
        array([5], dtype=uint64)
    """
    order = np.lexsort((documents, keys))
    keys, documents = keys[order], documents[order]
    new = np.ones(len(keys), dtype=bool)
    new[1:] = (keys[1:] != keys[:-1]) | (documents[1:] != documents[:-1])
    values, counts = np.unique(keys[new], return_counts=True)
    return values[counts >= REPEATS]


class Boilerplate(Container[str]):
    """The sentences, white space normalised, that stand in several documents.

    Args:
        keys: The hashes of those sentences.
    """

    def __init__(self, keys: Iterable[int]) -> None:
        self._keys = frozenset(keys)

    def __contains__(self, sentence: object) -> bool:
        return isinstance(sentence, str) and sentence_key(sentence) in self._keys
