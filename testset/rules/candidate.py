"""A candidate: a question that a rule read off documents, with its answer and its evidence."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from testset.golden.item import QuestionType

Kind = Literal["factoid", "numeric", "temporal"]
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
        answer: What the evidence answers.
        spans: A group for each needed piece of evidence; any span of a group will do.
        kind: What is asked for.
        rule: The attribute that it asks for, as "schema: impact".
        language: The language of the question, an ISO 639-1 code.
        type: The type of the golden item.
        verbatim: Whether the answer stands word for word in the evidence.
    """

    question: str
    answer: str
    spans: tuple[tuple[Span, ...], ...]
    kind: Kind
    rule: str
    language: str
    type: QuestionType = "single_hop"
    verbatim: bool = True

    @property
    def first(self) -> Span:
        """The first span, by which the candidate is placed."""
        return self.spans[0][0]
