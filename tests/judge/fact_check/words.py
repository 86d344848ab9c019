"""A fact checker for tests that compares words: every figure can be done by hand."""

from collections.abc import Sequence


class WordOverlap:
    """Score a pair by the share of the claim's words in the source; "not" contradicts.

    Attributes:
        asked: The pairs of each call.
    """

    def __init__(self) -> None:
        self.asked: list[list[tuple[str, str]]] = []

    def predict(self, pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
        """Return (contradiction, entailment, neutral) for each pair, as probabilities."""
        self.asked.append(list(pairs))
        return [row_of(*pair) for pair in pairs]


def row_of(source: str, claim: str) -> list[float]:
    known, wanted = words_of(source), words_of(claim)
    share = len(known & wanted) / len(wanted)
    against = share * 0.9 if "not" in known ^ wanted else 0.0
    support = 0.0 if against else share
    return [against, support, 1 - against - support]


def words_of(text: str) -> set[str]:
    return {word.strip(".,?!").lower() for word in text.split()}
