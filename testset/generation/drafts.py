"""Drafts from what a model has written about passages."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from testset.checks.draft import Draft
from testset.corpus.passages import Passage
from testset.generation.passages import OVER_TWO
from testset.generation.quotas import Stratum
from testset.generation.traffic import length_of
from testset.golden.item import BEHAVIOUR, Axes
from testset.requests.drafts import LEAST_FACTS, Drafts, Wanted, Written


@dataclass(frozen=True)
class ModelProposal:
    """A question that a model has written, before it is examined.

    Attributes:
        topic: The topic of its passages.
        passages: The numbers of the passages it is about.
        draft: The question, with its answer and gold spans.
    """

    topic: str
    passages: tuple[int, ...]
    draft: Draft

    @property
    def stratum(self) -> Stratum:
        """Its topic and type."""
        return Stratum(self.topic, self.draft.type)

    @property
    def traits(self) -> Mapping[str, str]:
        """What it is, by the axes of a target."""
        draft = self.draft
        return {
            **self.stratum.traits,
            "kind": draft.kind or "none",
            "user": draft.axes.persona or "nobody",
            "style": draft.style,
            "language": draft.language,
            "length": length_of(draft.question, draft.language),
        }


def drafts_in(
    reply: Drafts,
    wanted: Sequence[Wanted],
    topic: str,
    passages: Mapping[int, Passage],
    *,
    without: Container[str],
) -> tuple[ModelProposal, ...]:
    """Return the questions of a reply whose proof stands in the passages.

    Args:
        reply: The questions.
        wanted: What was asked for.
        topic: Where the questions count.
        passages: The passages by their numbers, in the order in which they were shown.
        without: Sentences that no question is about, as they stand in many documents.
    """
    proposals: list[ModelProposal] = []
    numbers, shown = [*passages], [*passages.values()]
    for entry in reply.questions:
        target = wanted[entry.wanted]
        passages_used = sorted({fact.passage for fact in entry.facts}) or [0]
        facts = () if target.type == "unanswerable" else entry.facts
        draft = _draft(entry, target, shown[passages_used[0]]).stating(facts, shown)
        joined = len(passages_used) >= (2 if target.type in OVER_TWO else 1)
        whole = joined and len(entry.facts) >= LEAST_FACTS.get(target.type, 1)
        if draft is None or not whole:
            continue
        if not any(" ".join(span.quote.split()) in without for span in draft.spans):
            about = tuple(numbers[number] for number in passages_used)
            origin = () if draft.gold else about
            proposals.append(ModelProposal(topic, about, replace(draft, origin=origin)))
    return tuple(proposals)


def _draft(entry: Written, target: Wanted, passage: Passage) -> Draft:
    """Return a question as a draft without evidence."""
    language = target.language or passage.language
    return Draft(
        question=entry.question,
        reference="" if target.type == "unanswerable" else entry.answer,
        kind=target.kind or entry.kind,
        type=target.type,
        axes=Axes(
            persona=target.persona or entry.persona,
            style=target.style or "plain",
            language=language,
        ),
        gold=(),
        turns=entry.history if target.type == "conversational" else (),
        expected_behaviour=BEHAVIOUR.get(target.type, "answer"),
        verbatim=False,
        asks="" if language == passage.language else entry.asks,
        elsewhere=entry.elsewhere,
    )
