"""Near-duplicates and boilerplate: texts that would give the same question twice.

Near-duplicates are found by MinHash with banding, so the time grows with the number of texts and
not with its square. Source: Broder (1997), "On the Resemblance and Containment of Documents",
section 3; banding as in Leskovec et al., "Mining of Massive Datasets", section 3.4.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["boilerplate", "near_duplicates", "signature"]

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


def near_duplicates(texts: Sequence[str], *, seed: int = 7) -> dict[int, int]:
    """Return text number -> number of the earlier text that it nearly repeats.

    Args:
        texts: The texts; of several that repeat one another the first is kept.
        seed: Chooses the hash functions.

    Example:
        >>> near_duplicates(["The vents open at noon.", "Unlike.", "The  vents open at noon."])
        {2: 0}
    """
    buckets: dict[tuple[int, bytes], list[int]] = defaultdict(list)
    signatures: list[NDArray[np.uint64]] = []
    found: dict[int, int] = {}
    for number, text in enumerate(texts):
        marks = signature(text, seed=seed)
        signatures.append(marks)
        keys = [(band, part.tobytes()) for band, part in enumerate(np.split(marks, BANDS))]
        near = sorted({other for key in keys for other in buckets[key][:COMPARED]})
        alike = [other for other in near if np.mean(marks == signatures[other]) >= THRESHOLD]
        if alike:
            found[number] = alike[0]
            continue
        for key in keys:
            buckets[key].append(number)
    return found


def signature(text: str, *, seed: int = 7) -> NDArray[np.uint64]:
    """Return the MinHash signature of a text; white space and case do not matter."""
    plain = " ".join(text.casefold().split())
    count = max(1, len(plain) - SHINGLE + 1)
    shingles = {plain[start : start + SHINGLE] for start in range(count)}
    base = np.array([_hash_of(shingle) for shingle in shingles], dtype=np.uint64)
    random = np.random.default_rng(seed)
    factors = random.integers(1, 1 << 62, size=HASHES, dtype=np.uint64) | np.uint64(1)
    shifts = random.integers(0, 1 << 62, size=HASHES, dtype=np.uint64)
    mixed = base[None, :] * factors[:, None] + shifts[:, None]
    mixed ^= mixed >> np.uint64(29)
    marks: NDArray[np.uint64] = mixed.min(axis=1)
    return marks


def _hash_of(shingle: str) -> int:
    return int.from_bytes(hashlib.blake2b(shingle.encode(), digest_size=8).digest(), "big")


def boilerplate(sentences: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Return the sentences, white space normalised, that stand in several documents.

    Args:
        sentences: Pairs of document id and sentence.

    Example:
        >>> boilerplate([("a", "All rights reserved."), ("b", "All rights reserved."),
        ...              ("c", "All  rights reserved."), ("c", "News.")])
        frozenset({'All rights reserved.'})
    """
    places = {(doc_id, " ".join(sentence.split())) for doc_id, sentence in sentences}
    counts = Counter(sentence for _, sentence in places)
    return frozenset(sentence for sentence, count in counts.items() if count >= REPEATS)
