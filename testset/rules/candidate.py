"""A candidate: a question that a rule read off documents, with its answer and its evidence."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from testset.golden.item import Behaviour, QuestionType
from testset.requests.question import Turn

__all__ = ["Candidate", "Kind", "Span"]

Kind = Literal[
    "comparison",
    "condition",
    "definition",
    "factoid",
    "list",
    "naming",
    "numeric",
    "permission",
    "place",
    "procedure",
    "purpose",
    "reason",
    "superlative",
    "temporal",
]
"""What a question asks for."""


class Span(NamedTuple):
    """A part of the raw text of a document."""

    doc_id: str
    start: int
    """First character."""
    end: int
    """One past the last."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question not yet checked.

    Attributes:
        question: As a person would ask it.
        answer: What the evidence answers; empty for a question that cannot be answered.
        spans: A group for each needed piece of evidence; any span of a group will do. Of a
            question that cannot be answered, the place that it was made from.
        kind: What is asked for.
        rule: The rule that wrote it.
        language: The language of the question, an ISO 639-1 code.
        quality: How sure the rule is, in [0, 1], higher is better; the best are used first.
        type: The type of the golden item.
        turns: The conversation before it.
        behaviour: What a good pipeline does with it.
        verbatim: Whether the answer stands word for word in the evidence.
        absent: What no passage may hold together, for the question to have no answer.
        wider: The question with its page named, for one that other pages ask, too.
    """

    question: str
    answer: str
    spans: tuple[tuple[Span, ...], ...]
    kind: Kind
    rule: str
    language: str
    quality: float = 0.5
    type: QuestionType = "single_hop"
    turns: tuple[Turn, ...] = ()
    behaviour: Behaviour = "answer"
    verbatim: bool = True
    absent: tuple[str, ...] = ()
    wider: str = ""

    @property
    def first(self) -> Span:
        """The first span, by which the candidate is placed."""
        return self.spans[0][0]
