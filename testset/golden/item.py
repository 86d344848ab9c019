"""A golden item: one question, its answer, and the exact characters that answer it."""

import hashlib
import json
from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from llamaindex_rag_eval.data.sample import Fact, Message, SingleTurnSample, Span

QuestionType = Literal[
    "conditional",
    "conflict",
    "conversational",
    "distracting",
    "double",
    "false_premise",
    "multi_hop",
    "reasoning",
    "single_hop",
    "situational",
    "summary",
    "table",
    "unanswerable",
    "underspecified",
]
Behaviour = Literal["answer", "refuse", "clarify", "correct_premise"]
Status = Literal["auto", "accepted", "edited", "rejected", "stale"]
Difficulty = Literal["easy", "medium", "hard", ""]
Verdict = Literal["passed", "rejected", "tagged", "skipped"]

CONTEXT = 32
"""Characters kept before and after a quote, by which it is found again after an edit."""


BEHAVIOUR: Mapping[str, Behaviour] = {
    "unanswerable": "refuse",
    "underspecified": "clarify",
    "false_premise": "correct_premise",
}
"""Question type -> what a good pipeline does with it; it answers those of other types."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class GoldSpan(_Frozen):
    """A stretch of a document that answers a question: `document[start:end] == quote`.

    Attributes:
        doc_id: The document's path relative to its folder.
        doc_hash: The hash of the text the offsets belong to.
        start: First character.
        end: One past the last.
        quote: The characters.
        prefix: Up to 32 characters before them.
        suffix: Up to 32 characters after them.
        setting: What a reader needs beside them, in lines: title and headings, caption, lead-in,
            header of the table.
    """

    doc_id: str
    doc_hash: str
    start: int = Field(ge=0)
    end: int = Field(gt=0)
    quote: str
    prefix: str = ""
    suffix: str = ""
    setting: tuple[str, ...] = ()

    @classmethod
    def cut(cls, doc_id: str, doc_hash: str, text: str, start: int, end: int) -> "GoldSpan":
        """Return the span of `text` from `start` to `end`, with its surroundings."""
        return cls(
            doc_id=doc_id,
            doc_hash=doc_hash,
            start=start,
            end=end,
            quote=text[start:end],
            prefix=text[max(0, start - CONTEXT) : start],
            suffix=text[end : end + CONTEXT],
        )

    def overlaps(self, span: "GoldSpan") -> bool:
        """Return whether two spans share characters of one document."""
        return self.doc_id == span.doc_id and self.start < span.end and span.start < self.end


class HardNegative(_Frozen):
    """A passage that a search finds for a question and that does not answer it.

    Attributes:
        doc_id: The document: `document[start:end] == quote`.
        start: First character.
        end: One past the last.
        quote: The characters.
        found_by: What found it: a deployed retriever by its name, or the searches of a generation.
    """

    doc_id: str
    start: int = Field(ge=0)
    end: int = Field(gt=0)
    quote: str
    found_by: str = ""


class Axes(_Frozen):
    """Who asks, and how."""

    persona: str = ""
    style: str = "plain"
    length: Literal["short", "medium", "long"] = "medium"
    language: str = ""


class Check(_Frozen):
    """What one check found.

    Attributes:
        verdict: Whether the item passed; "tagged" is kept and marked, "skipped" was not checked.
        score: A number in [0, 1], higher is better, where the check has one.
        who: Who judged: "rules", or the fingerprint of a model.
        evidence: The reason in words.
    """

    verdict: Verdict
    score: float | None = None
    who: str = "rules"
    evidence: str = ""


class Created(_Frozen):
    """What made an item: models by their role, prompt fingerprints, seed, version."""

    models: Mapping[str, str] = Field(default_factory=dict)
    prompts: Mapping[str, str] = Field(default_factory=dict)
    seed: int = 0
    version: str = ""


class GoldenItem(_Frozen):
    """One verified question with its answer and gold spans.

    Attributes:
        id: A hash of question, reference, type and quotes: the same item has the same id.
        question: As a person would ask it.
        reference: The right answer.
        reference_aliases: Other answers that are just as right.
        reference_facts: The statements of the answer one by one, each vital or okay.
        type: What kind of question it is.
        kind: What is asked for, such as a date or a definition; finer than `type`.
        axes: Persona, style, length and language.
        gold: Groups that are all needed (AND); any span of a group will do (OR).
        expected_behaviour: What a good pipeline does with the question.
        turns: The conversation before a conversational question.
        checks: What each check found.
        difficulty: How hard the gold spans are to retrieve.
        difficulty_by: By what that was measured: "BM25", or a deployed retriever by its name.
        hard_negatives: Passages that were found for the question, best first, and checked not to
            answer it.
        topic: The topic of its document.
        split: "dev" or "test"; a document is in one of them only.
        created: Models, prompts, seed and version that made it.
        status: Its state in review.
    """

    id: str
    question: str
    reference: str
    reference_aliases: tuple[str, ...] = ()
    reference_facts: tuple[Fact, ...] = ()
    type: QuestionType = "single_hop"
    kind: str = ""
    axes: Axes = Axes()
    gold: tuple[tuple[GoldSpan, ...], ...] = ()
    expected_behaviour: Behaviour = "answer"
    turns: tuple[Message, ...] = ()
    checks: Mapping[str, Check] = Field(default_factory=dict)
    difficulty: Difficulty = ""
    difficulty_by: str = ""
    hard_negatives: tuple[HardNegative, ...] = ()
    topic: str = ""
    split: Literal["dev", "test", ""] = ""
    created: Created = Created()
    status: Status = "auto"

    @property
    def doc_ids(self) -> tuple[str, ...]:
        """The documents of its gold spans, each once, in order."""
        return tuple(dict.fromkeys(span.doc_id for group in self.gold for span in group))

    def negatives_beside(self, gold: tuple[tuple[GoldSpan, ...], ...]) -> tuple[HardNegative, ...]:
        """Return the hard negatives that no span of other gold spans lies in."""
        spans = [(span.doc_id, span.start, span.end) for group in gold for span in group]
        return tuple(
            own
            for own in self.hard_negatives
            if not any(d == own.doc_id and s < own.end and own.start < e for d, s, e in spans)
        )

    def sample(self) -> SingleTurnSample:
        """Return the item as a sample without a response, for a runner to answer.

        A conversational question carries the conversation before it as `earlier_messages`.
        """
        row = {
            "id": self.id,
            "query": self.question,
            "reference": self.reference,
            "reference_contexts": [group[0].quote for group in self.gold],
            "gold": [[_sample_span(span) for span in group] for group in self.gold],
            "expected_behaviour": self.expected_behaviour,
            "metadata": {
                "type": self.type,
                "kind": self.kind,
                "topic": self.topic,
                "language": self.axes.language,
                "difficulty": self.difficulty,
                "split": self.split,
                "status": self.status,
                "doc_ids": list(self.doc_ids),
            },
            "earlier_messages": self.turns or None,
            "reference_aliases": self.reference_aliases or None,
            "reference_facts": self.reference_facts or None,
        }
        return SingleTurnSample.model_validate(row)


def _sample_span(span: GoldSpan) -> Span:
    bare = Span(doc_id=span.doc_id, start=span.start, end=span.end, quote=span.quote)
    return bare.model_copy(update={"setting": span.setting}) if span.setting else bare


def item_id(question: str, reference: str, kind: str, gold: tuple[tuple[str, str], ...]) -> str:
    """Return the content hash of an item: 16 hexadecimal digits.

    Args:
        question: The question.
        reference: The answer.
        kind: The question's type.
        gold: Document id and quote of each span. Offsets stay out, so that an edit elsewhere in
            the document does not make another item of it.
    """
    content = json.dumps([question, reference, kind, gold], ensure_ascii=False)
    return hashlib.sha256(content.encode()).hexdigest()[:16]
