"""Edits: how alike are two strings, counted by the changes between them?"""

from typing import Literal, get_args

from llamaindex_rag_eval.errors import InputError

__all__ = ["StringMeasure", "string_similarity"]

StringMeasure = Literal[
    "levenshtein",
    "damerau_levenshtein",
    "optimal_alignment",
    "indel",
    "hamming",
    "jaro",
    "jaro_winkler",
]

_RAPIDFUZZ = {
    "levenshtein": "Levenshtein",
    "damerau_levenshtein": "DamerauLevenshtein",
    "optimal_alignment": "OSA",
    "indel": "Indel",
    "hamming": "Hamming",
    "jaro": "Jaro",
    "jaro_winkler": "JaroWinkler",
}


def string_similarity(left: str, right: str, *, measure: StringMeasure = "levenshtein") -> float:
    """Return how alike two strings are, computed by rapidfuzz.

    For the edit distances, 1 - distance / largest distance possible: `levenshtein` inserts,
    deletes, replaces; `damerau_levenshtein` also swaps neighbours (`optimal_alignment` edits no
    part twice); `indel` only inserts and deletes; `hamming` compares place by place and counts
    the excess length as different. `jaro` and `jaro_winkler` count common characters near each
    other, the latter with a bonus for a common beginning.

    Args:
        left: A string; compared character by character, as it is.
        right: Another.
        measure: Which similarity.

    Returns:
        A number in [0, 1], 1 for the same string; 1 if both are empty.

    Raises:
        InputError: No such measure.

    Example:
        >>> string_similarity("Seine", "Seinem", measure="levenshtein") == 5 / 6
        True
    """
    from rapidfuzz import distance

    if measure not in _RAPIDFUZZ:
        raise InputError(f"measure must be one of {get_args(StringMeasure)}, got {measure!r}")
    return float(getattr(distance, _RAPIDFUZZ[measure]).normalized_similarity(left, right))
