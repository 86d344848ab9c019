"""A candidate: a question that a rule read off a passage, with its answer and its evidence."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from testset.corpus.passages import Passage

__all__ = ["Candidate", "Kind", "Rule"]

Kind = Literal[
    "definition", "factoid", "list", "naming", "numeric", "place", "procedure", "reason", "temporal"
]
"""What a question asks for."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question not yet checked.

    Attributes:
        question: As a person would ask it.
        answer: What the evidence answers.
        start: Where the evidence begins in the document.
        end: One past where it ends.
        kind: What is asked for.
        rule: The rule that wrote it.
        quality: How sure the rule is, in [0, 1], higher is better; the best are used first.
        type: The type of the golden item.
    """

    question: str
    answer: str
    start: int
    end: int
    kind: Kind
    rule: str
    quality: float = 0.5
    type: Literal["single_hop", "table", "unanswerable"] = "single_hop"


Rule = Callable[[Passage], Iterator[Candidate]]
"""What reads candidates off a passage."""
