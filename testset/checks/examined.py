"""Examined: one call of a model, on which all its checks rest, each with a verdict of its own.

The model is shown the passages of the evidence, and what other passages tell on the question.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from llamaindex_rag_eval.judge import Judge
from testset.checks.bearing import bearing
from testset.checks.draft import Draft
from testset.corpus.index import CorpusIndex
from testset.golden.item import GoldSpan
from testset.golden.spans import spans_of
from testset.requests.examine import ExamineOf, Finding, Opinion
from testset.requests.parts import Turn

_QuestionKey = tuple[str, str, tuple[Turn, ...]]
"""A question, its answer and its conversation: what an opinion depends on."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What a model thinks of a draft, of the passages and the evidence that it was shown."""

    opinion: Opinion
    shown: Mapping[int, str]
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

    def _request(self, draft: Draft, passages: Iterable[str]) -> ExamineOf:
        """Return what the model is asked."""
        return ExamineOf(
            question=draft.question,
            reference=draft.reference,
            facts=tuple(fact.text for fact in draft.reference_facts),
            evidence=self._evidence(draft),
            passages=tuple(passages),
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
            opinion = await self._judge.ask(self._request(draft, shown.values()))
            self._known[key] = _Known(opinion, shown, tuple(group[0] for group in draft.gold))
        return self._known[key].opinion

    async def findings(self, draft: Draft) -> Mapping[int, Finding | None]:
        """Return how each passage, by its number, answers the question; `None` for not at all.

        Of passages that the model was shown in part, only those that answer it are among them.
        """
        opinion = await self.opinion(draft)
        entries = {e.passage: e for e in opinion.findings if e.kind == "other" or not e.evidence}
        shown = self._known[_key(draft)].shown
        return {
            number: entries.get(turn)
            for turn, (number, text) in enumerate(shown.items())
            if turn in entries or text == self._index.passages[number].shown
        }

    async def proving(self, draft: Draft) -> Mapping[GoldSpan, Sequence[GoldSpan]]:
        """Return what proves, elsewhere, all that the first span of a group proves.

        A span may join several that the model was shown: then a passage has to prove each of them.
        """
        opinion = await self.opinion(draft)
        known, numbers = self._known[_key(draft)], [*self._known[_key(draft)].shown]
        same = [entry for entry in opinion.findings if entry.kind == "same" and entry.evidence]
        quotes = {(entry.evidence, entry.passage): entry.quote for entry in same}
        proving = defaultdict[GoldSpan, list[GoldSpan]](list)
        for span, turn in product((group[0] for group in draft.gold), range(len(numbers))):
            joined = [n for n, part in enumerate(known.evidence, 1) if part.overlaps(span)]
            if joined and all((n, turn) in quotes for n in joined):
                quote = "\n".join(dict.fromkeys(quotes[n, turn] for n in joined))
                passage = self._index.passages[numbers[turn]]
                proving[span].extend(spans_of(quote, [passage]))
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
        if opinion.question and not draft.gold:
            without["findings"] = ()  # they answered the question as it was
        self._known[_key(mended)] = replace(known, opinion=opinion.model_copy(update=without))
        return mended

    def _shown(self, draft: Draft) -> Mapping[int, str]:
        """Return what the model is shown: the number of a passage -> its text, or parts of it.

        Where the evidence is a choice, these are its own passages.
        """
        clarify = draft.expected_behaviour == "clarify"
        spans = draft.spans if clarify else [group[0] for group in draft.gold]
        own = [*self._index.passages_at(*spans), *(() if clarify else draft.origin)]
        shown = {number: self._index.passages[number].shown for number in own}
        return shown if clarify else {**shown, **bearing(draft, self._index)}

    def _evidence(self, draft: Draft) -> tuple[str, ...]:
        if draft.expected_behaviour == "clarify":
            return tuple(map(self._index.in_setting, draft.spans))
        return tuple(self._index.led_in(group[0]) for group in draft.gold)


def _key(draft: Draft) -> _QuestionKey:
    return draft.question, draft.reference, draft.turns
