"""A draft: a golden item before it is accepted, and the verdicts that a check gives on it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from llamaindex_rag_eval.data.sample import Fact, Message, SingleTurnSample
from testset.corpus.deployed import Retrieved
from testset.corpus.passages import Passage
from testset.golden.item import Axes, Behaviour, Check, GoldenItem, GoldSpan, HardNegative, item_id
from testset.golden.spans import cut_span, spans_of
from testset.requests.parts import ProvenFact, Turn

OF_ITEMS = (
    *("question", "reference", "kind", "type", "axes", "gold"),
    *("reference_facts", "expected_behaviour", "hard_negatives"),
)
"""What drafts and golden items have alike."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A question on its way to become a golden item; the same fields, still without checks.

    Attributes:
        axes: Who asks, and how.
        reference_facts: The statements of the answer, each vital or okay; none if it was cut
            from the document.
        turns: The conversation before it.
        expected_behaviour: What a good pipeline does with it.
        verbatim: Whether the answer must stand word for word in the evidence.
        hard_negatives: Passages that were found and read, and do not answer it; best first.
        hits: What a deployed retriever finds for it; `None` without one.
        asks: What is asked, in the language of the documents; empty if the question is in it.
        origin: The numbers of the passages that a question without evidence was written from.
        elsewhere: Words by which to look for what limits, repeats or denies the answer.
    """

    question: str
    reference: str
    kind: str
    type: str
    axes: Axes
    gold: tuple[tuple[GoldSpan, ...], ...]
    reference_facts: tuple[Fact, ...] = ()
    turns: tuple[Turn, ...] = ()
    expected_behaviour: Behaviour = "answer"
    verbatim: bool = True
    hard_negatives: tuple[HardNegative, ...] = ()
    hits: Retrieved | None = None
    asks: str = ""
    origin: tuple[int, ...] = ()
    elsewhere: str = ""

    @classmethod
    def of(cls, item: GoldenItem) -> "Draft":
        """Return an item as a draft, to be checked again."""
        contents = [turn.content for turn in item.turns]
        turns = tuple(
            Turn(question=question, answer=answer)
            for question, answer in zip(contents[::2], contents[1::2], strict=False)
        )
        own = {name: getattr(item, name) for name in OF_ITEMS}
        by_rules = item.created.models.get("writer") == "rules"
        return cls(**own, turns=turns, verbatim=by_rules)

    @property
    def item_fields(self) -> dict[str, Any]:
        """What the golden item of it has, as far as that does not depend on its checks."""
        own = {name: getattr(self, name) for name in OF_ITEMS}
        quotes = tuple((group[0].doc_id, group[0].quote) for group in self.gold)
        own["id"] = item_id(self.question, self.reference, self.type, quotes)
        return {**own, "turns": self.messages}

    @property
    def language(self) -> str:
        """The language that it is asked in."""
        return self.axes.language

    @property
    def style(self) -> str:
        """How it is worded."""
        return self.axes.style

    def stating(self, facts: Sequence[ProvenFact], passages: Sequence[Passage]) -> "Draft | None":
        """Return the draft with the facts of its answer, and their quotes as its gold spans.

        Each quote is a group of its own: all are needed; those that overlap are one. Lines that
        lead into several quotes are part of the first. Where a fact is given twice, the second
        quote is another place for the first. Of a question that must be asked back, all are one
        group: each is a possible answer. An unanswerable question has no gold spans.

        Args:
            facts: The facts.
            passages: The passages that they number.

        Returns:
            The draft; `None` if a quote stands in no passage.
        """
        proofs: dict[str, tuple[GoldSpan, ...]] = {}
        others: dict[GoldSpan, list[GoldSpan]] = defaultdict(list)
        for number, fact in enumerate(facts):
            text, passage = fact.fact or fact.quote, passages[fact.passage]
            if text not in proofs:
                quote = _without_lead(fact, facts[:number])
                proofs[text] = spans_of(quote, (passage, *passages), about=fact.fact)
                if not proofs[text]:
                    return None
            elif len(proofs[text]) == 1:
                (first,) = proofs[text]
                spans = spans_of(fact.quote, [passage], about=text)
                others[first] += [span for span in spans if not span.overlaps(first)]
        proving = [*chain(*proofs.values())]
        whole = _without_overlaps(proving, passages)
        for span in whole:
            others[span] = others[span] if sum(map(span.overlaps, proving)) == 1 else []
        groups = {"unanswerable": (), "underspecified": (whole,)}
        gold = groups.get(self.type, tuple((span, *others[span]) for span in whole))
        return replace(self, reference_facts=tuple(Fact(text=text) for text in proofs), gold=gold)

    @property
    def full_question(self) -> str:
        """The question after the questions before it: what a follow-up is about."""
        return " ".join([*(turn.question for turn in self.turns), self.question])

    @property
    def messages(self) -> tuple[Message, ...]:
        """The conversation before it."""
        return tuple(
            message
            for turn in self.turns
            for message in (
                Message(role="user", content=turn.question),
                Message(role="assistant", content=turn.answer),
            )
        )

    @property
    def full_query(self) -> str:
        """The question with its conversation, as an engine is asked it when a pipeline is run."""
        return SingleTurnSample(query=self.question, earlier_messages=self.messages).asked

    @property
    def retrieved(self) -> tuple[int, ...]:
        """The numbers of the passages that a deployed retriever finds for it, best first."""
        return () if self.hits is None else self.hits.passages

    @property
    def spans(self) -> tuple[GoldSpan, ...]:
        """All its gold spans, alternatives too, in order."""
        return tuple(span for group in self.gold for span in group)

    @property
    def doc_ids(self) -> tuple[str, ...]:
        """The documents of its gold spans, each once, in order."""
        return tuple(dict.fromkeys(span.doc_id for span in self.spans))

    @property
    def gold_text(self) -> str:
        """The quotes of the first span of each group, one a line."""
        return "\n".join(group[0].quote for group in self.gold)


def _without_lead(fact: ProvenFact, earlier: Iterable[ProvenFact]) -> str:
    """Return a quote without the lines it begins with that earlier ones of its passage have."""
    same = (each for each in earlier if each.passage == fact.passage)
    known = {line for each in same for line in each.quote.splitlines()}
    lines = fact.quote.splitlines()
    own = next((number for number, line in enumerate(lines) if line not in known), 0)
    return "\n".join(lines[own:])


def _without_overlaps(
    spans: Iterable[GoldSpan], passages: Iterable[Passage]
) -> tuple[GoldSpan, ...]:
    """Return spans of passages in their order; those that overlap as one."""
    documents = {passage.document.doc_id: passage.document for passage in passages}
    joined: list[GoldSpan] = []
    for span in spans:
        for other in [entry for entry in joined if entry.overlaps(span)]:
            joined.remove(other)
            start, end = min(span.start, other.start), max(span.end, other.end)
            span = cut_span(documents[span.doc_id], start, end)
        joined.append(span)
    return tuple(joined)


def passed(evidence: str = "", *, score: float | None = None) -> Check:
    """Return the verdict of a check that found nothing wrong."""
    return Check(verdict="passed", score=_rounded(score), evidence=evidence)


def tagged(evidence: str, *, score: float | None = None) -> Check:
    """Return the verdict of a check that keeps an item, and marks it."""
    return Check(verdict="tagged", score=_rounded(score), evidence=evidence)


def rejected(evidence: str, *, score: float | None = None) -> Check:
    """Return the verdict of a check that turns an item down, and why."""
    return Check(verdict="rejected", score=_rounded(score), evidence=evidence)


def _rounded(score: float | None) -> float | None:
    """Return a score to six places, so that the order of a sum cannot change a file."""
    return None if score is None else round(score, 6)
