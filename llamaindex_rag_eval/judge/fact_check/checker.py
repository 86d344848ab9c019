"""A fact checker: whatever says how likely a text supports a claim."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

THRESHOLD = 0.5
"""Probability from which a claim counts as supported, or as contradicted: more likely than not."""

Pair = tuple[str, str]
"""A piece of a source, and a claim."""


class Chance(NamedTuple):
    """What a fact checker says of one pair.

    Attributes:
        supported: The probability that the source supports the claim, in [0, 1].
        contradicted: The probability that it contradicts it, in [0, 1]; 0 from a checker that does
            not tell contradicted from not mentioned.
        graded: Whether `supported` is a probability; otherwise it is a plain verdict, 0 or 1.
    """

    supported: float
    contradicted: float = 0.0
    graded: bool = True


@runtime_checkable
class FactChecker(Protocol):
    """Says of pairs how likely they are supported. Safe to share and to ask concurrently."""

    @property
    def name(self) -> str:
        """The model and its version: replies are cached under it."""
        ...

    @property
    def limit(self) -> int:
        """Tokens of source and claim that are read together."""
        ...

    @property
    def window(self) -> int:
        """Tokens of a source that are best read at a time."""
        ...

    @property
    def threshold(self) -> float:
        """The probability from which a claim best counts as supported."""
        ...

    @property
    def quick(self) -> bool:
        """Whether pairs cost so little that the best sentence may be asked for, too."""
        ...

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text."""
        ...

    async def chances(self, pairs: Sequence[Pair]) -> list[Chance]:
        """Return what there is to say of each pair, in order."""
        ...
