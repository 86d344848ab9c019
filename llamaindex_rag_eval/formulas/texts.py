"""N-gram overlap of two texts: BLEU, chrF, ROUGE, in any script.

Each lies in [0, 1], higher is better, is 1 for identical texts, 0 for an empty response, and None
if the reference has nothing to compare with. The libraries are imported at the first call.
"""

from typing import Literal

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.formulas.normalisation import spaced, words

__all__ = ["RougeMeasure", "RougeType", "bleu", "chrf", "rouge"]

RougeType = Literal["rouge1", "rouge2", "rougeL"]
RougeMeasure = Literal["precision", "recall", "fmeasure"]


def bleu(response: str, reference: str, *, lowercase: bool = False) -> float | None:
    """Return the BLEU of one text against one reference.

    Source: Papineni et al. (2002), "BLEU", https://aclanthology.org/P02-1040, computed by
    sacrebleu (Post 2018) with its 13a tokenisation and exponential smoothing. Orders longer than
    the text are left out (effective order), so that identical short texts come to 1. The text is
    one segment, however many sentences it has.

    Args:
        response: The text to score.
        reference: The text to be close to.
        lowercase: Ignore case.

    Returns:
        A number in [0, 1], higher is better; None if the reference is blank.

    Example:
        >>> bleu("It rains. It pours.", "It rains. It pours.")
        1.0
    """
    from sacrebleu.metrics.bleu import BLEU

    if not reference.strip():
        return None
    metric = BLEU(lowercase=lowercase, effective_order=True)
    return _share(metric.sentence_score(spaced(response), [spaced(reference)]).score)


def chrf(response: str, reference: str, *, word_order: int = 0) -> float | None:
    """Return the chrF of one text against one reference: F2 of character n-grams up to 6.

    Source: Popović (2015), "chrF", https://aclanthology.org/W15-3049, computed by sacrebleu.

    Args:
        response: The text to score.
        reference: The text to be close to.
        word_order: Longest word n-gram counted too; 2 is chrF++.

    Returns:
        A number in [0, 1], higher is better; None if the reference is blank.

    Example:
        >>> chrf("Seine", "Seine"), chrf("", "Seine")
        (1.0, 0.0)
    """
    from sacrebleu.metrics.chrf import CHRF

    if not reference.strip():
        return None
    metric = CHRF(word_order=word_order)
    if word_order:
        response, reference = spaced(response), spaced(reference)
    return _share(metric.sentence_score(response, [reference]).score)


def rouge(
    response: str,
    reference: str,
    *,
    rouge_type: RougeType = "rougeL",
    measure: RougeMeasure = "fmeasure",
) -> float | None:
    """Return the ROUGE of one text against one reference.

    Source: Lin (2004), "ROUGE", https://aclanthology.org/W04-1013, computed by rouge-score over
    words of any script; equal to its own tokenisation on ASCII text, without stemming.

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
        InputError: No such type or measure.

    Example:
        >>> rouge("the cat sat", "the cat ran", rouge_type="rouge2")
        0.5
    """
    from rouge_score.rouge_scorer import RougeScorer

    if rouge_type not in ("rouge1", "rouge2", "rougeL"):
        raise InputError(f"rouge_type must be 'rouge1', 'rouge2' or 'rougeL', got {rouge_type!r}")
    if measure not in ("precision", "recall", "fmeasure"):
        raise InputError(f"measure must be 'precision', 'recall', 'fmeasure', got {measure!r}")
    if len(words(reference)) < (2 if rouge_type == "rouge2" else 1):
        return None
    scores = RougeScorer([rouge_type], tokenizer=_Words()).score(reference, response)
    return float(getattr(scores[rouge_type], measure))


class _Words:
    """The tokenizer that rouge-score asks for."""

    def tokenize(self, text: str) -> list[str]:
        return list(words(text))


def _share(percent: float) -> float:
    # Rounding in the geometric mean of sacrebleu gives 100.00000000000004 for identical texts.
    return min(1.0, percent / 100)
