"""A candidate: a question that a rule read off documents, with its answer and its evidence."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from testset.golden.item import Behaviour, QuestionType
from testset.requests.question import Turn

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
    "temporal",
]
"""What a question asks for."""


KEPT: Mapping[str, tuple[int, int]] = {
    "faq": (96, 114),
    "heading.article": (28, 28),
    "heading.definition": (17, 20),
    "heading.factoid": (5, 6),
    "heading.procedure": (75, 103),
    "label.hours": (14, 14),
    "label.money": (15, 18),
    "label.phone": (7, 7),
    "list": (29, 41),
    "meaning": (20, 29),
    "pair.both": (34, 35),
    "pair.follow_up": (52, 60),
    "procedure": (2, 6),
    "sentence.consists": (17, 19),
    "sentence.contains": (17, 20),
    "sentence.count": (13, 17),
    "sentence.date": (55, 60),
    "sentence.definition": (190, 228),
    "sentence.how": (132, 161),
    "sentence.how_by": (6, 7),
    "sentence.how_long": (15, 15),
    "sentence.how_many": (5, 7),
    "sentence.how_often": (5, 5),
    "sentence.may": (15, 21),
    "sentence.measure": (7, 8),
    "sentence.slot": (9, 10),
    "sentence.used_for": (10, 11),
    "sentence.what_if": (184, 242),
    "sentence.where": (21, 23),
    "sentence.who": (21, 26),
    "sentence.why": (13, 15),
    "short_form": (141, 143),
    "table.across": (46, 46),
    "table.cell": (179, 218),
}
"""Rule -> how many of its questions we would keep as they stand, and of how many that we read: on
manuals, books, rules and web pages of kinds that it had not been tried on, without what it no
longer writes. Fewer than five say nothing."""


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
    type: QuestionType = "single_hop"
    turns: tuple[Turn, ...] = ()
    behaviour: Behaviour = "answer"
    verbatim: bool = True
    absent: tuple[str, ...] = ()
    wider: str = ""

    @property
    def sure(self) -> float:
        """How likely a reader keeps it, in [0, 1]: the share of its rule's, one half if unread."""
        kept, read = KEPT.get(self.rule, (0, 0))
        return (kept + 1) / (read + 2)

    @property
    def first(self) -> Span:
        """The first span, by which the candidate is placed."""
        return self.spans[0][0]
