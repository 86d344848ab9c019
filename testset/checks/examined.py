"""Examined: one call of a model on which four checks rest, each with a verdict of its own.

They are `self_contained`, `grounded`, `round_trip` and `critics_agree`.
"""

from collections.abc import Callable, Sequence

from llamaindex_rag_eval.judge.rules.sentences import sentences
from testset.checks.answers import holds, without_steps
from testset.checks.cross_lingual import search_text
from testset.checks.draft import Draft
from testset.corpus.index import CorpusIndex, keys_of
from testset.requests.examine import ExamineOf, Opinion
from testset.requests.writer import Writer

NEAREST = 4
"""Passages that an examiner is shown of a question that no document answers."""


class Examiner:
    """Asks a model what it thinks of a draft, once for each draft.

    Args:
        index: The documents.
        writer: Who examines.
    """

    def __init__(self, index: CorpusIndex, writer: Writer) -> None:
        self._index, self._writer = index, writer
        self._known: dict[Draft, Opinion] = {}

    def request(self, draft: Draft) -> ExamineOf:
        """Return what the model is asked: of a draft without evidence, beside what is nearest.

        Evidence whose passages are shown, under their headings, is quoted below its lead-in alone.
        """
        evidence = self._evidence(draft)
        return ExamineOf(
            question=draft.question,
            reference=draft.reference,
            evidence=evidence,
            passages=self._passages(draft),
            claims=claims_in(draft, "\n".join(evidence)) if draft.gold else (),
            history=draft.turns,
            behaviour=draft.behaviour,
            type=draft.type if draft.type == "multi_hop" else "",
            style="" if draft.style == "plain" else draft.style,
        )

    async def opinion(self, draft: Draft) -> Opinion:
        """Return what the model thinks of a draft."""
        if draft not in self._known:
            self._known[draft] = await self._writer.examine(self.request(draft))
        return self._known[draft]

    def knows(self, draft: Draft) -> bool:
        """Return whether the model was asked about a draft."""
        return draft in self._known

    def _passages(self, draft: Draft) -> tuple[str, ...]:
        """Return the whole passages in which the evidence stands; none where it is a choice."""
        if draft.behaviour == "clarify":
            return ()
        numbers = (number for group in draft.gold for number in self._index.passages_at(group[0]))
        return tuple(self._index.passages[number].shown for number in dict.fromkeys(numbers))

    def _evidence(self, draft: Draft) -> tuple[str, ...]:
        if not draft.gold:
            near = self._index.search(search_text(draft, self._index), k=NEAREST)[:NEAREST]
            return tuple(self._index.passages[number].shown for number in near)
        if draft.behaviour == "clarify":
            return tuple(map(self._index.in_setting, draft.spans))
        return tuple(self._index.led_in(group[0]) for group in draft.gold)


def claims_in(
    draft: Draft, evidence: str, split: Callable[[str], Sequence[str]] = sentences
) -> tuple[str, ...]:
    """Return what the answer says; nothing if it stands in the evidence as it is.

    These are its facts, and what it says in words that they do not have.
    Of a question that must be asked back these are its possible meanings.

    Args:
        draft: The draft.
        evidence: Where the answer may stand.
        split: Parts the answer; a model reads whole sentences better than parts of them.
    """
    facts = tuple(fact.text for fact in draft.facts)
    if draft.behaviour == "clarify" and facts:
        return facts
    if holds(evidence, draft.reference):
        return ()
    words = set(keys_of(" ".join(facts)))
    said = split(without_steps(draft.reference)) or (draft.reference,)
    new = (text for text in said if not facts or not words.issuperset(keys_of(text)))
    return tuple(dict.fromkeys([*facts, *new]))
