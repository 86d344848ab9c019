"""A fact checker: whatever says how likely a text supports a claim."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

THRESHOLD = 0.5
"""Probability from which a claim counts as supported, or as contradicted: more likely than not."""

BYTES_A_TOKEN = 3
"""Bytes of UTF-8, a cautious estimate, for models without a tokenizer."""

Pair = tuple[str, str]
"""A piece of a source, and a claim."""


class Chance(NamedTuple):
    """What a fact checker says of one pair.

    Attributes:
        supported: The probability that the source supports the claim, in [0, 1].
        contradicted: The probability that it contradicts it, in [0, 1]; 0 from a checker that does
            not tell contradicted from not mentioned.
    """

    supported: float
    contradicted: float = 0.0


class FactChecker(ABC):
    """Says of pairs how likely they are supported. Safe to share and to ask concurrently.

    Attributes:
        name: The model and its version: replies are cached under it.
        limit: Tokens of source and claim that are read together.
        window: Tokens of a source that are best read at a time.
        threshold: The probability from which a claim best counts as supported.
    """

    name: str
    limit: int
    window: int
    threshold: float

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text; about, where the model has no tokenizer."""
        return [-(-len(text.encode()) // BYTES_A_TOKEN) for text in texts]

    @abstractmethod
    async def chances(self, pairs: Sequence[Pair]) -> list[Chance]:
        """Return what there is to say of each pair, in order.

        Raises:
            CallError: The model failed.
        """
