"""Answers compared as strings: exact match, token F1, presence.

Source of the first two: Rajpurkar et al. (2016), "SQuAD", section 6.1,
https://arxiv.org/abs/1606.05250. As in SQuAD 2.0, two answers without any token agree (1), and
one without tokens never agrees with one that has some (0).
"""

from collections import Counter
from dataclasses import dataclass

from llamaindex_rag_eval.formulas.normalisation import answer_tokens, normalised_answer

__all__ = ["TokenOverlap", "exact_match", "string_presence", "token_f1", "token_overlap"]


@dataclass(frozen=True, slots=True)
class TokenOverlap:
    """Shares of common tokens, each in [0, 1], higher is better.

    Attributes:
        precision: Common tokens / tokens of the response.
        recall: Common tokens / tokens of the reference.
        f1: Harmonic mean of the two, 0 if either is 0.
    """

    precision: float
    recall: float
    f1: float


def exact_match(response: str, reference: str) -> float:
    """Return 1 if the two answers are the same after normalisation, else 0; higher is better.

    Example:
        >>> exact_match("The Seine.", "seine"), exact_match("Seine", "Rhine")
        (1.0, 0.0)
    """
    return float(normalised_answer(response) == normalised_answer(reference))


def token_f1(response: str, reference: str) -> float:
    """Return the F1 of the tokens that both answers have, in [0, 1]; higher is better.

    Example:
        >>> token_f1("on the Seine", "Seine") == 2 / 3
        True
    """
    return token_overlap(response, reference).f1


def token_overlap(response: str, reference: str) -> TokenOverlap:
    """Return precision, recall and F1 of the response's tokens, counted with repetition.

    Example:
        >>> token_overlap("Seine Seine", "Seine")
        TokenOverlap(precision=0.5, recall=1.0, f1=0.6666666666666666)
    """
    given, wanted = Counter(answer_tokens(response)), Counter(answer_tokens(reference))
    if not given or not wanted:
        same = float(given == wanted)
        return TokenOverlap(precision=same, recall=same, f1=same)
    common = (given & wanted).total()
    total = given.total() + wanted.total()
    return TokenOverlap(common / given.total(), common / wanted.total(), 2 * common / total)


def string_presence(response: str, reference: str, *, normalise: bool = False) -> float | None:
    """Return 1 if the reference stands in the response, else 0.

    Args:
        response: The text searched.
        reference: The text that should be in it.
        normalise: Compare token sequences after SQuAD normalisation; else the very characters.

    Returns:
        0 or 1, higher is better; None if the reference is empty, for that is in every text.

    Example:
        >>> string_presence("It is on the Seine.", "the Seine")
        1.0
        >>> string_presence("Parisian", "Paris", normalise=True)
        0.0
    """
    if normalise:
        # Spaces at both ends keep a token from matching inside a longer one.
        response = f" {normalised_answer(response)} "
        reference = f" {normalised_answer(reference)} "
    return float(reference in response) if reference.strip() else None
