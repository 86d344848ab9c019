"""Evidence: what of a claim the sentences of the sources have, in a few figures.

All sentences of all sources stand in one index, which is built once for the claims that are held
against them. The two sentences that have most of a claim, of one source or of all, are what speaks
for it.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from llamaindex_rag_eval.judge.rules.lexicon import synonyms_of
from llamaindex_rag_eval.judge.rules.profile import (
    Profile,
    content_share,
    profile_of,
    source_profiles,
    weight_of_keys,
)
from llamaindex_rag_eval.judge.rules.tokens import normalise
from llamaindex_rag_eval.judge.rules.values import values_of, written_as_in

FEATURES = ("cover", "alike", "quoted", "last_missing")
"""The figures that the model of support weighs: see `Evidence`."""

_QUESTION_WEIGHT = 0.3
"""What a word of the question counts beside one of a short answer, in the choice of a sentence."""
_EVERY_WORD = 0.2
"""What a word counts in the choice of sentences even if all of them have it."""
_CANDIDATES = 6
"""Sentences of a source among which the second one is looked for."""
_SYNONYM_CREDIT = 0.8
"""What a synonym counts beside the word itself."""
_RELATIVE_CREDIT = 0.6
"""What a word of the same beginning counts at most, beside the word itself."""
_LEAST_RELATED = 0.6
"""Share of shared beginning below which two words are not taken for relatives."""
_PREFIX = 4
"""Letters by which a word finds its likely relatives."""
_SHORT_ANSWER = 3
"""Words of content up to which a source is a short answer, which its question makes a statement."""
_REPEATED = 0.3
"""Share of the question from which an answer that has it is a statement of its own."""


@dataclass(frozen=True, eq=False, slots=True)
class Sources:
    """The sentences of some sources, and where their terms stand.

    Attributes:
        sentences: The sentences of all sources, in order.
        spans: For each source, the numbers of its sentences: from the first to before the last.
        positions: For each term, the numbers of the sentences that have it.
    """

    sentences: tuple[Profile, ...]
    spans: tuple[tuple[int, int], ...]
    positions: Mapping[str, Sequence[int]]

    def rarity(self, keys: Iterable[str]) -> dict[str, float]:
        """Return how rare each term is here, in [0, 1]: near 0 if all sentences have it."""
        size = len(self.sentences)
        scale = math.log(size + 2)
        return {
            key: math.log((size + 2) / (len(self.positions.get(key, ())) + 1)) / scale
            for key in keys
        }

    def owner(self, sentence: int) -> int:
        """Return the number of the source that has a sentence."""
        return next(n for n, (start, end) in enumerate(self.spans) if start <= sentence < end)


@lru_cache(maxsize=64)
def sources_of(texts: tuple[str, ...], question: str = "") -> Sources:
    """Return the sentences of texts; one that is only a short answer has its question's words, too.

    Example:
        >>> sources = sources_of(("Saint Peter",), "Who guards the gates?")
        >>> sources.sentences[0].text, "gate" in sources.sentences[0].weights
        ('Saint Peter', True)
    """
    sentences: list[Profile] = []
    spans = []
    for text in texts:
        start = len(sentences)
        sentences += _answered(source_profiles(text), question)
        spans.append((start, len(sentences)))
    positions: dict[str, list[int]] = {}
    for number, sentence in enumerate(sentences):
        for key in sentence.weights:
            positions.setdefault(key, []).append(number)
    return Sources(tuple(sentences), tuple(spans), positions)


def _answered(sentences: tuple[Profile, ...], question: str) -> tuple[Profile, ...]:
    if not question or len(sentences) != 1 or len(sentences[0].content) > _SHORT_ANSWER:
        return sentences
    answer = sentences[0]
    if content_share(profile_of(question), answer.weights) > _REPEATED:
        return sentences
    said = f"{question} {answer.text}"
    return (replace(profile_of(said), text=answer.text, said=said),)


@dataclass(frozen=True, eq=False, slots=True)
class Evidence:
    """What speaks for a claim in some sentences.

    Attributes:
        sentences: The one or two that have most of the claim; none if none has anything of it.
        numbers: Their numbers among all.
        cover: The share of the claim's content, by weight, that they have.
        alike: The cosine of the first and the claim, by weight and rarity.
        quoted: Whether the first has the claim word for word.
        last_missing: One over the number of content words if the last one, which is mostly the
            news, is not found; else 0. Not in Chinese and Japanese.
        answer: Whether the claim is a short answer to a question.
    """

    sentences: tuple[Profile, ...]
    numbers: tuple[int, ...]
    cover: float = 0.0
    alike: float = 0.0
    quoted: bool = False
    last_missing: float = 0.0
    answer: bool = False


class Reader:
    """One claim as it is looked for in the sources."""

    def __init__(
        self,
        claim: Profile,
        sources: Sources,
        *,
        about: Profile | None = None,
        answer: bool = False,
    ) -> None:
        """Find the sentences that have something of a claim.

        Args:
            claim: A statement, or a short answer.
            sources: Where it is looked for.
            about: The question that it answers.
            answer: Whether it is a short answer.
        """
        self._sources, self._answer = sources, answer
        self._in_question = about.content if about else frozenset()
        self.claim = self._as_written(claim)
        own = self.claim.content - self._in_question if answer else self.claim.content
        self._wanted = own or self.claim.content or frozenset(self.claim.weights)
        self._rarity = sources.rarity({*self.claim.weights, *self._in_question})
        self._scores = self._score_sentences(about if answer else None)

    def _as_written(self, claim: Profile) -> Profile:
        """Return the claim with each value written as the sources write it."""
        if not values_of(claim.text):
            return claim
        near = (each.text for each in self._sources.sentences if values_of(each.text))
        written = written_as_in(near, claim.text)
        if written in (claim.text, normalise(claim.text)):
            return claim
        return replace(profile_of(written), negated=claim.negated)

    def _score_sentences(self, about: Profile | None) -> dict[int, float]:
        """Return what the sentences have of the claim, and of the question of a short answer."""
        gains = {key: self._gain(key) for key in self._wanted}
        if about is not None:
            for key in about.content:
                gain = about.weights[key] * (_EVERY_WORD + self._rarity[key])
                gains.setdefault(key, _QUESTION_WEIGHT * gain)
        scores: dict[int, float] = {}
        for key in sorted(gains):  # a fixed order, so that sums are equal in every process
            for number in self._sources.positions.get(key, ()):
                scores[number] = scores.get(number, 0.0) + gains[key]
        return scores

    def _gain(self, key: str) -> float:
        return self.claim.weights[key] * (_EVERY_WORD + self._rarity[key])

    def within(self, start: int, end: int) -> Evidence:
        """Return the evidence of the sentences from one number to before another."""
        scores = self._scores
        best = sorted(
            (number for number in scores if start <= number < end),
            key=lambda number: (-scores[number], number),
        )[:_CANDIDATES]
        chosen = best[:1]
        if best:
            rest = self._wanted - self._sentence(best[0]).weights.keys()
            gains = {number: self._added(number, rest) for number in best[1:]}
            second = max(gains, key=lambda number: (gains[number], -number), default=-1)
            chosen += [second] if gains.get(second) else []
        return self._evidence(tuple(chosen))

    def _sentence(self, number: int) -> Profile:
        return self._sources.sentences[number]

    def _added(self, number: int, rest: Collection[str]) -> float:
        return math.fsum(self._gain(key) for key in rest if key in self._sentence(number).weights)

    def _evidence(self, numbers: tuple[int, ...]) -> Evidence:
        sentences = tuple(map(self._sentence, numbers))
        claim, wanted = self.claim, self._wanted
        if sentences and sentences[0].said != sentences[0].text:
            wanted = wanted - self._in_question or wanted  # an answer repeats no question
        window = frozenset().union(*(each.weights for each in sentences))
        credit = (claim.weights[key] * credit_among(key, window) for key in sorted(wanted))
        content = [key for key in claim.keys if key in claim.content]
        last = 0.0 if claim.cjk or not content or content[-1] in window else 1 / len(content)
        return Evidence(
            sentences,
            numbers,
            cover=math.fsum(credit) / (weight_of_keys(claim, wanted) or 1.0),
            alike=self._cosine(sentences[0]) if sentences else 0.0,
            quoted=bool(sentences) and _is_quoted(claim, sentences[0]),
            last_missing=last,
            answer=self._answer,
        )

    def _cosine(self, sentence: Profile) -> float:
        """Return how alike a sentence is to the claim, in [0, 1], by TF-IDF."""
        rare = self._sources.rarity(sentence.weights) | self._rarity
        mine, theirs = (
            {key: (weight * rare[key]) ** 2 for key, weight in each.weights.items()}
            for each in (self.claim, sentence)
        )
        shared = math.fsum(mine[key] for key in mine if key in theirs)
        return shared / (math.sqrt(math.fsum(mine.values()) * math.fsum(theirs.values())) or 1.0)


def _is_quoted(claim: Profile, sentence: Profile) -> bool:
    return f" {' '.join(claim.keys)} " in f" {' '.join(sentence.keys)} "


def credit_among(key: str, others: Collection[str]) -> float:
    """Return what a term is worth among the terms of a sentence: 1 if it is one of them.

    Returns:
        A share in [0, 1]: 0.8 for a synonym, less for a word of the same beginning, else 0.

    Example:
        >>> credit_among("built", {"built", "lock"}), credit_among("tea", {"lock"})
        (1.0, 0.0)
    """
    if key in others:
        return 1.0
    if not synonyms_of(key).isdisjoint(others):
        return _SYNONYM_CREDIT
    if len(key) < _PREFIX or not key[0].isalpha():
        return 0.0
    head = key[:_PREFIX]
    best = max((_likeness(key, other) for other in others if other.startswith(head)), default=0.0)
    return _RELATIVE_CREDIT * best if best >= _LEAST_RELATED else 0.0


def _likeness(first: str, second: str) -> float:
    shared = next(
        (n for n, (a, b) in enumerate(zip(first, second, strict=False)) if a != b),
        min(len(first), len(second)),
    )
    return 2 * shared / (len(first) + len(second))
