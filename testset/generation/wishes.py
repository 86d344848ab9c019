"""Wishes: which questions a golden set should have, and in whose voice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

from llamaindex_rag_eval.errors import InputError
from testset.golden.item import QuestionType

__all__ = [
    "ANSWERABLE",
    "LENGTHS",
    "STYLES",
    "WRITTEN_BY_MODEL",
    "Wishes",
    "shares_of",
    "styles_of",
]

ANSWERABLE = 0.8
"""Share of the questions that the documents answer, unless said otherwise."""
WRITTEN_BY_MODEL: Mapping[QuestionType, float] = {
    "single_hop": 0.22,
    "multi_hop": 0.15,
    "reasoning": 0.08,
    "conversational": 0.07,
    "conditional": 0.05,
    "distracting": 0.05,
    "double": 0.05,
    "situational": 0.05,
    "summary": 0.05,
    "table": 0.03,
    "unanswerable": 0.1,
    "false_premise": 0.05,
    "underspecified": 0.05,
}
"""What a model writes by default, four fifths of it answerable. Conflicts are asked for by name:
most collections have none."""
STYLES: Mapping[str, float] = {
    "plain": 0.55,
    "web_search": 0.15,
    "formal": 0.1,
    "chat": 0.15,
    "misspelt": 0.05,
}
LENGTHS: Mapping[str, float] = {"short": 0.3, "medium": 0.5, "long": 0.2}


@dataclass(frozen=True)
class Wishes:
    """What is asked for beside number and seed.

    Attributes:
        shares: Question type -> its share.
        language: The language to ask in; empty for each document's own.
        personas: Who asks, a sentence each; `None` lets the model think of some.
        styles: Style -> its share.
        examples: Questions whose manner is liked.
    """

    shares: Mapping[str, float]
    language: str = ""
    personas: tuple[str, ...] | None = None
    styles: Mapping[str, float] = field(default_factory=lambda: dict(STYLES))
    examples: tuple[str, ...] = ()

    @property
    def fingerprint(self) -> str:
        """All of it as text, for what depends on it."""
        parts = (sorted(self.shares.items()), self.language, self.personas)
        return repr((*parts, sorted(self.styles.items()), self.examples))


def shares_of(
    types: Sequence[QuestionType] | Mapping[QuestionType, float] | None,
    default: Mapping[QuestionType, float],
) -> dict[str, float]:
    """Return the share of each question type that was asked for.

    Raises:
        InputError: No type, a type that is unknown, or shares that no set can have.
    """
    if types is None:
        return {str(name): share for name, share in default.items()}
    if not types:
        raise InputError("expected at least one question type, got none")
    shares = types if isinstance(types, Mapping) else dict.fromkeys(types, 1.0)
    known = get_args(QuestionType)
    for name, share in shares.items():
        if name not in known:
            raise InputError(f"no question type is named {name!r}; expected one of {known}")
        if not share > 0:
            raise InputError(f"type {name!r} has the share {share!r}; expected one above 0")
    return {str(name): float(share) for name, share in shares.items()}


def styles_of(styles: Sequence[str] | Mapping[str, float] | None) -> dict[str, float]:
    """Return the share of each style that was asked for.

    Raises:
        InputError: A style is unknown.
    """
    if not styles:
        return dict(STYLES)
    shares = styles if isinstance(styles, Mapping) else dict.fromkeys(styles, 1.0)
    for name in shares:
        if name not in STYLES:
            raise InputError(f"no style is named {name!r}; expected one of {tuple(STYLES)}")
    return {name: float(share) for name, share in shares.items()}
