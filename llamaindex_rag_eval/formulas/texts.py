"""Overlap of two texts in n-grams (BLEU, chrF, ROUGE) and in edits, most of it by libraries.

Each lies in [0, 1], higher is better, and is 1 for identical texts. The n-gram measures work in any
script; they are 0 for an empty response, and None if the reference has nothing to compare with.
The libraries are imported at the first call.
"""

from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Literal, get_args

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.formulas.answers import separate_characters, words
from llamaindex_rag_eval.formulas.means import f_measure

RougeType = Literal["rouge1", "rouge2", "rougeL"]
RougeMeasure = Literal["precision", "recall", "fmeasure"]
StringMeasure = Literal[
    "levenshtein",
    "damerau_levenshtein",
    "optimal_alignment",
    "indel",
    "hamming",
    "jaro",
    "jaro_winkler",
]


BLEU, DISTANCES = "sacrebleu.metrics", "rapidfuzz.distance"
EXTRAS = {BLEU: "bleu", DISTANCES: "strings"}
"""Library -> the extra that installs it."""


def bleu(response: str, reference: str) -> float | None:
    """Return the BLEU of one text against one reference.

    Source: Papineni et al. (2002), "BLEU", https://aclanthology.org/P02-1040, computed by
    sacrebleu (Post 2018) with its 13a tokenisation and exponential smoothing. Orders longer than
    the text are left out (effective order), so that identical short texts score 1. The text is
    one segment, however many sentences it has.

    Args:
        response: The text to score.
        reference: The text to be close to.

    Returns:
        A number in [0, 1], higher is better; None if the reference is blank.

    Raises:
        InputError: sacrebleu is not installed.

    Example:
        >>> bleu("It rains. It pours.", "It rains. It pours.")
        1.0
    """
    if not reference.strip():
        return None
    metric = library(BLEU).BLEU(effective_order=True)
    return _share(
        metric.sentence_score(separate_characters(response), [separate_characters(reference)]).score
    )


def chrf(response: str, reference: str) -> float | None:
    """Return the chrF of one text against one reference: F2 of character n-grams up to 6.

    Source: Popović (2015), "chrF", https://aclanthology.org/W15-3049, computed by sacrebleu.

    Args:
        response: The text to score.
        reference: The text to be close to.

    Returns:
        A number in [0, 1], higher is better; None if the reference is blank.

    Raises:
        InputError: sacrebleu is not installed.

    Example:
        >>> chrf("Seine", "Seine"), chrf("", "Seine")
        (1.0, 0.0)
    """
    if not reference.strip():
        return None
    return _share(library(BLEU).CHRF().sentence_score(response, [reference]).score)


def rouge(
    response: str,
    reference: str,
    *,
    rouge_type: RougeType = "rougeL",
    measure: RougeMeasure = "fmeasure",
) -> float | None:
    """Return the ROUGE of one text against one reference.

    Source: Lin (2004), "ROUGE", https://aclanthology.org/W04-1013, over words of any script,
    without stemming; equal to Google's rouge-score on ASCII text.

    Args:
        response: The text to score.
        reference: The text to be close to.
        rouge_type: `rouge1` and `rouge2` count words and pairs of words, `rougeL` the longest
            common subsequence.
        measure: Precision counts over the response, recall over the reference.

    Returns:
        A number in [0, 1], higher is better; None if the reference has no word (no pair of words
        for `rouge2`).

    Raises:
        InputError: No such type or measure; or rapidfuzz, which `rougeL` needs, is not installed.

    Example:
        >>> rouge("the cat sat", "the cat ran", rouge_type="rouge2")
        0.5
    """
    if rouge_type not in ("rouge1", "rouge2", "rougeL"):
        raise InputError(f"rouge_type must be 'rouge1', 'rouge2' or 'rougeL', got {rouge_type!r}")
    if measure not in ("precision", "recall", "fmeasure"):
        raise InputError(f"measure must be 'precision', 'recall', 'fmeasure', got {measure!r}")
    ours, theirs = words(response), words(reference)
    size = 2 if rouge_type == "rouge2" else 1
    if len(theirs) < size:
        return None
    if rouge_type == "rougeL":
        common = int(library(DISTANCES).LCSseq.similarity(ours, theirs))
    else:
        common = sum((Counter(_grams(ours, size)) & Counter(_grams(theirs, size))).values())
    precision = common / max(1, len(ours) - size + 1)
    recall = common / (len(theirs) - size + 1)
    if measure == "fmeasure":
        return f_measure(precision, recall)
    return precision if measure == "precision" else recall


def _grams(tokens: Sequence[str], size: int) -> list[tuple[str, ...]]:
    return [tuple(tokens[start : start + size]) for start in range(len(tokens) - size + 1)]


def library(name: str) -> ModuleType:
    """Return a library that computes similarities, a key of `EXTRAS`.

    Raises:
        InputError: It is not installed.
    """
    try:
        return import_module(name)
    except ImportError as error:
        install = f"pip install 'llamaindex-rag-eval[{EXTRAS[name]}]'"
        raise InputError(f"this metric needs {error.name!r}: {install}") from None


def _share(percent: float) -> float:
    """Return a score of 0 to 100 as a share of at most 1."""
    # Rounding in the geometric mean of sacrebleu gives 100.00000000000004 for identical texts.
    return min(1.0, percent / 100)


def common_start(first: Sequence[object], second: Sequence[object]) -> int:
    """Return how many elements, as characters, two sequences have in common at their beginning.

    Example:
        >>> common_start("Seine", "Seite")
        3
    """
    differ = (
        position for position, (a, b) in enumerate(zip(first, second, strict=False)) if a != b
    )
    return next(differ, min(len(first), len(second)))


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
        InputError: No such measure, or rapidfuzz is not installed.

    Example:
        >>> string_similarity("Seine", "Seinem", measure="levenshtein") == 5 / 6
        True
    """
    if measure not in get_args(StringMeasure):
        raise InputError(f"measure must be one of {get_args(StringMeasure)}, got {measure!r}")
    name = "OSA" if measure == "optimal_alignment" else measure.title().replace("_", "")
    return float(getattr(library(DISTANCES), name).normalized_similarity(left, right))
