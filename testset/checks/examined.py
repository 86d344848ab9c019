"""Examined: one call of a model, on which all its checks rest, each with a verdict of its own.

The model is shown, whole, all that may qualify an answer: the section of the evidence, what stands
beside it, and what is near by words or by vectors, also in other documents.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.judge.rules.tokens import is_cjk
from testset.checks.cross_lingual import search_text
from testset.checks.draft import Draft
from testset.corpus.index import CorpusIndex
from testset.corpus.passages import CJK
from testset.golden.item import GoldSpan
from testset.golden.spans import span_of_lines
from testset.requests.examine import ExamineOf, Finding, Opinion
from testset.requests.parts import Turn

SECTION = 4
"""Passages of the section that are looked at before and after the evidence."""
SEARCHED = 10
"""Passages of each search that are looked at."""
FLAT = 3
"""Makes the first ranks of a search count about alike (reciprocal rank fusion)."""
BESIDE = 1
"""The rank in a search that standing beside the evidence is worth."""
ROOM, MORE_ROOM = 4_000, 7_000
"""Characters of other passages that are shown; more of a question that no document answers, and of
one that follows on another: a search finds less for these."""

_QuestionKey = tuple[str, str, tuple[Turn, ...]]
"""A question, its answer and its conversation: what an opinion depends on."""


def bearing(draft: Draft, index: CorpusIndex) -> list[int]:
    """Return the numbers of other passages that may bear on a question, the nearest first.

    These are its section, what stands before and after the evidence, what a deployed retriever
    finds, and what searches for the question, for it with its answer, for each fact and for each
    quote find; as many as there is room for, each whole.
    """
    own = {*index.passages_at(*draft.spans), *draft.origin}
    question, nearness = search_text(draft, index), defaultdict[int, float](float)
    said = [fact.text for fact in draft.reference_facts] + [group[0].quote for group in draft.gold]
    for text in dict.fromkeys([question, f"{question} {draft.reference}".strip(), *said]):
        searched = index.search(text, k=SEARCHED + len(own))
        for rank, number in enumerate(number for number in searched if number not in own):
            nearness[number] += 1 / (FLAT + rank)
    for number in {*_around(own, index), *draft.retrieved} - own:
        nearness[number] += 1 / (FLAT + BESIDE)
    ranked = sorted(nearness, key=lambda number: (-nearness[number], number))
    return list(_that_fit(ranked, index, ROOM if draft.gold and not draft.turns else MORE_ROOM))


def _around(own: Iterable[int], index: CorpusIndex) -> set[int]:
    """Return the passages of the same sections, and those before and after these."""
    around: set[int] = set()
    for number, step in product(own, (-1, 1)):
        passage = index.passages[number]
        inside = index.by_document.get(passage.document.doc_id, ())
        for near in range(number + step, number + step * (1 + SECTION), step):
            if near not in inside:
                break
            around.add(near)
            if index.passages[near].headings != passage.headings:
                break
    return around


def _that_fit(numbers: Iterable[int], index: CorpusIndex, room: int) -> Iterator[int]:
    """Yield the passages for which there is room; the first in any case."""
    left = room
    for number in numbers:
        text = index.passages[number].shown
        size = len(text) * (CJK if is_cjk(text) else 1)
        if left == room or size <= left:
            left -= size
            yield number


@dataclass(frozen=True, slots=True)
class _Known:
    """What a model thinks of a draft, of the passages and the evidence that it was shown."""

    opinion: Opinion
    shown: Sequence[int]
    evidence: Sequence[GoldSpan]


class Examiner:
    """Asks a model what it thinks of a draft, once for each draft.

    Args:
        index: The documents.
        judge: Who examines.
    """

    def __init__(self, index: CorpusIndex, judge: Judge) -> None:
        self._index, self._judge = index, judge
        self._known: dict[_QuestionKey, _Known] = {}

    def _request(self, draft: Draft, shown: Iterable[int]) -> ExamineOf:
        """Return what the model is asked."""
        return ExamineOf(
            question=draft.question,
            reference=draft.reference,
            facts=tuple(fact.text for fact in draft.reference_facts),
            evidence=self._evidence(draft),
            passages=tuple(self._index.passages[number].shown for number in shown),
            history=draft.turns,
            behaviour=draft.expected_behaviour,
            type="" if draft.type == "single_hop" else draft.type,
            style="" if draft.style == "plain" else draft.style,
        )

    async def opinion(self, draft: Draft) -> Opinion:
        """Return what the model thinks of a draft.

        Checks before may have changed the evidence of the draft, and not its question.
        """
        key = _key(draft)
        if key not in self._known:
            shown = self._shown(draft)
            opinion = await self._judge.ask(self._request(draft, shown))
            self._known[key] = _Known(opinion, shown, tuple(group[0] for group in draft.gold))
        return self._known[key].opinion

    async def findings(self, draft: Draft) -> Mapping[int, Finding | None]:
        """Return how each passage that the model was shown, by its number, answers the question."""
        opinion = await self.opinion(draft)
        entries = {e.passage: e for e in opinion.findings if e.kind == "other" or not e.evidence}
        shown = self._known[_key(draft)].shown
        return {number: entries.get(turn) for turn, number in enumerate(shown)}

    async def proving(self, draft: Draft) -> Mapping[GoldSpan, Sequence[GoldSpan]]:
        """Return what proves, elsewhere, the same as a gold span that the model was shown."""
        opinion = await self.opinion(draft)
        known, proving = self._known[_key(draft)], defaultdict[GoldSpan, list[GoldSpan]](list)
        for entry in opinion.findings:
            if entry.kind == "same" and 0 < entry.evidence <= len(known.evidence):
                passage = self._index.passages[known.shown[entry.passage]]
                span = span_of_lines(entry.quote, passage)
                if span is not None:
                    proving[known.evidence[entry.evidence - 1]].append(span)
        return proving

    def knows(self, draft: Draft) -> bool:
        """Return whether the model was asked about the question of a draft."""
        return _key(draft) in self._known

    def mended(self, draft: Draft) -> Draft | None:
        """Return a draft as the model has mended it; `None` unless it has, with quotes that stand.

        What it thinks of that is known, and not asked: the faults are gone, the rest is the same.
        """
        if not self.knows(draft):
            return None
        known = self._known[_key(draft)]
        opinion = known.opinion
        question, answer = opinion.question or draft.question, opinion.answer or draft.reference
        mended: Draft | None = replace(draft, question=question, reference=answer, hits=None)
        if mended is not None and opinion.facts:
            mended = mended.stating(opinion.facts, [self._index.passages[n] for n in known.shown])
        if mended is None or not opinion.mends:
            return None
        without = {"faults": (), "question": "", "answer": "", "facts": ()}
        self._known[_key(mended)] = replace(known, opinion=opinion.model_copy(update=without))
        return mended

    def _shown(self, draft: Draft) -> list[int]:
        """Return the passages that the model is shown: where the evidence is a choice, its own."""
        if draft.expected_behaviour == "clarify":
            return [*self._index.passages_at(*draft.spans)]
        evidence = self._index.passages_at(*(group[0] for group in draft.gold))
        return [*evidence, *draft.origin, *bearing(draft, self._index)]

    def _evidence(self, draft: Draft) -> tuple[str, ...]:
        if draft.expected_behaviour == "clarify":
            return tuple(map(self._index.in_setting, draft.spans))
        return tuple(self._index.led_in(group[0]) for group in draft.gold)


def _key(draft: Draft) -> _QuestionKey:
    return draft.question, draft.reference, draft.turns
