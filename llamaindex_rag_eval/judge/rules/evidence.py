"""Evidence: what of a claim the sentences of the sources have, in a few figures.

All sentences of all sources are read once for the claims that are held against them. The two
sentences that have most of a claim, of one source or of all, are what speaks for it.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from llamaindex_rag_eval.formulas.texts import common_start
from llamaindex_rag_eval.judge.rules.lexicon import synonyms_of
from llamaindex_rag_eval.judge.rules.profile import (
    HEAD,
    Profile,
    content_share,
    profile_of,
    source_profiles,
    weight_of_keys,
)
from llamaindex_rag_eval.judge.rules.values import agree

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
_SHORT_ANSWER = 3
"""Words of content up to which a source is a short answer, which its question makes a statement."""
_REPEATED = 0.3
"""Share of the question from which an answer that has it is a statement of its own."""


@dataclass(frozen=True, eq=False, slots=True)
class Sources:
    """The sentences of some sources, and how many of them have each term.

    Attributes:
        sentences: The sentences of all sources, in order.
        spans: For each source, the numbers of its sentences: from the first to before the last.
        counts: In how many sentences each term is.
        rarities: How rare a term is that so many sentences have, in [0, 1]: near 0 if all do.
        answers: Whether each source answers one question, so that all its sentences belong
            together; of a document two count.
    """

    sentences: tuple[Profile, ...]
    spans: tuple[tuple[int, int], ...]
    counts: Mapping[str, int]
    rarities: Sequence[float]
    answers: bool

    def weighed(self, weights: Mapping[str, float]) -> list[float]:
        """Return the squares of the weights of terms, by their rarity: TF-IDF."""
        counts, rarities = self.counts, self.rarities
        return [(weight * rarities[counts.get(key, 0)]) ** 2 for key, weight in weights.items()]

    def owner(self, sentence: int) -> int:
        """Return the number of the source that has a sentence."""
        return next(n for n, (start, end) in enumerate(self.spans) if start <= sentence < end)


@lru_cache(maxsize=64)
def sources_of(texts: tuple[str, ...], question: str = "", *, answers: bool = False) -> Sources:
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
    counts = Counter(chain.from_iterable([each.weights for each in sentences]))
    size = len(sentences) + 2
    rarities = [math.log(size / (count + 1)) / math.log(size) for count in range(size - 1)]
    return Sources(tuple(sentences), tuple(spans), counts, rarities, answers)


def _answered(sentences: tuple[Profile, ...], question: str) -> tuple[Profile, ...]:
    if not question or len(sentences) != 1 or len(sentences[0].content) > _SHORT_ANSWER:
        return sentences
    answer = sentences[0]
    if content_share(profile_of(question), answer.weights) > _REPEATED:
        return sentences
    said = f"{question} {answer.text}"
    return (replace(profile_of(said), text=answer.text, said=said),)


class Evidence(NamedTuple):
    """What speaks for a claim in some sentences.

    Attributes:
        sentences: Of a document the one or two that have most of the claim, of an answer all that
            have something of it, the best first; none if none has.
        numbers: Their numbers among all.
        cover: The share of the claim's content, by weight, that they have.
        alike: The cosine of the first and the claim, by weight and rarity.
        quoted: Whether the first has the claim word for word.
        last_missing: One over the number of content words if the last one, which is mostly the
            news, is not found; else 0. Not in Chinese and Japanese.
        answer: Whether the claim is a short answer to a question.
        in_answer: Whether it is looked for in what answers that question.
    """

    sentences: tuple[Profile, ...] = ()
    numbers: tuple[int, ...] = ()
    cover: float = 0.0
    alike: float = 0.0
    quoted: bool = False
    last_missing: float = 0.0
    answer: bool = False
    in_answer: bool = False


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
        self.sources, self._answer = sources, answer
        self._about = about if answer else None
        self._in_question = about.content if about else frozenset()
        self._look_for(claim)
        written = self._as_written(claim)
        if written is not claim:
            self._look_for(written)

    def _look_for(self, claim: Profile) -> None:
        """Score all sentences by what they have of a claim, and of the question of a short answer."""
        self.claim = claim
        own = claim.content - self._in_question if self._answer else claim.content
        self._wanted = sorted(own or claim.content or claim.weights)
        self._gains = self._weighed(claim, self._wanted)
        gains = dict(self._gains)
        if self._about is not None:
            around = self._weighed(self._about, sorted(self._about.content - gains.keys()))
            gains |= {key: _QUESTION_WEIGHT * gain for key, gain in around.items()}
        self._scores: dict[int, float] = {}
        for number, sentence in enumerate(self.sources.sentences):
            if not gains.keys().isdisjoint(sentence.weights.keys()):
                score = 0.0
                for key, gain in gains.items():  # in one order, so that sums are the same
                    if key in sentence.weights:
                        score += gain
                self._scores[number] = score

    def _weighed(self, profile: Profile, keys: Sequence[str]) -> dict[str, float]:
        counts, rarities = self.sources.counts, self.sources.rarities
        return {k: profile.weights[k] * (_EVERY_WORD + rarities[counts.get(k, 0)]) for k in keys}

    def _best(self, start: int, end: int) -> list[int]:
        """Return the sentences from one number to before another that have something, the best first."""
        numbers = (number for number in self._scores if start <= number < end)
        return sorted(numbers, key=lambda number: (-self._scores[number], number))

    def _as_written(self, claim: Profile) -> Profile:
        """Return the claim with each value written as the likeliest sentences write it."""
        if claim.said != claim.text or not claim.values:
            return claim
        sentences = self.sources.sentences
        every = range(len(sentences))
        order = [*self._best(0, len(sentences)), *(n for n in every if n not in self._scores)]
        written = written_as_in([sentences[number] for number in order[:_CANDIDATES]], claim)
        return claim if written in (claim.text, claim.plain) else profile_of(written)

    def within(self, start: int, end: int) -> Evidence:
        """Return the evidence of the sentences from one number to before another."""
        sentences, best = self.sources.sentences, self._best(start, end)
        if best and not self.sources.answers:
            left = {k: v for k, v in self._gains.items() if k not in sentences[best[0]].weights}
            added = {n: _sum(left, sentences[n].weights) for n in best[1:_CANDIDATES]}
            second = max(added, key=lambda number: (added[number], -number), default=-1)
            best = [best[0], second] if added.get(second) else best[:1]
        return self._evidence(tuple(best))

    def _evidence(self, numbers: tuple[int, ...]) -> Evidence:
        in_answer = self._answer and self.sources.answers
        if not numbers:
            return Evidence(answer=self._answer, in_answer=in_answer)
        sentences = tuple(self.sources.sentences[number] for number in numbers)
        claim, wanted, first = self.claim, self._wanted, sentences[0]
        if first.said != first.text:  # an answer repeats no question
            wanted = [key for key in wanted if key not in self._in_question] or wanted
        near = sentences[:2]
        window = frozenset(chain.from_iterable([each.weights for each in sentences]))
        credit = math.fsum([claim.weights[key] * credit_among(key, *near) for key in wanted])
        exact = weight_of_keys(claim, [key for key in wanted if key in window])
        content = [key for key in claim.keys if key in claim.content]
        last = 0.0 if claim.cjk or not content or content[-1] in window else 1 / len(content)
        return Evidence(
            sentences,
            numbers,
            cover=max(credit, exact) / (weight_of_keys(claim, wanted) or 1.0),
            alike=self._cosine(first),
            quoted=claim.weights.keys() <= first.weights.keys()
            and f" {' '.join(claim.keys)} " in f" {' '.join(first.keys)} ",
            last_missing=last,
            answer=self._answer,
            in_answer=in_answer,
        )

    def _cosine(self, sentence: Profile) -> float:
        """Return how alike a sentence is to the claim, in [0, 1], by TF-IDF."""
        mine = self.sources.weighed(self.claim.weights)
        theirs = self.sources.weighed(sentence.weights)
        size = math.sqrt(math.fsum(mine) * math.fsum(theirs))
        pairs = zip(self.claim.weights, mine, strict=True)
        both = [weight for key, weight in pairs if key in sentence.weights]
        return math.fsum(both) / (size or 1.0)


def _sum(values: Mapping[str, float], keys: Collection[str]) -> float:
    return math.fsum([value for key, value in values.items() if key in keys])


def written_as_in(sentences: Iterable[Profile], claim: Profile) -> str:
    """Return a claim with each of its values as the first of the sentences that has it writes it.

    Example:
        >>> claim = profile_of("It runs for 2,400 metres.")
        >>> written_as_in([profile_of("It is 2.4 kilometres long.")], claim)
        'It runs for 2.4 kilometres.'
    """
    texts = [each if each.said == each.text else profile_of(each.text) for each in sentences]
    there = [(value, text.text_of(value)) for text in texts for value in text.values]
    plain = claim.plain
    for value in reversed(claim.values):
        forms = [form for other, form in there if agree(value, other)]
        if forms and claim.text_of(value).lower() not in map(str.lower, forms):
            plain = f"{plain[: value.start]}{forms[0]}{plain[value.end :]}"
    return plain


def credit_among(key: str, *others: Profile) -> float:
    """Return what a term is worth among the terms of some sentences: 1 if it is one of them.

    Returns:
        A share in [0, 1]: 0.8 for a synonym, less for a word of the same beginning, else 0.

    Example:
        >>> lock = profile_of("They built a lock.")
        >>> credit_among("built", lock), credit_among("tea", lock)
        (1.0, 0.0)
    """
    for each in others:
        if key in each.weights:
            return 1.0
    synonyms = synonyms_of(key)
    if synonyms and any(not synonyms.isdisjoint(each.weights) for each in others):
        return _SYNONYM_CREDIT
    head = key[:HEAD]
    related = [k for each in others if head in each.heads for k in each.weights if k[:HEAD] == head]
    if len(key) < HEAD or not related or not key[0].isalpha():
        return 0.0
    best = max(_likeness(key, other) for other in related)
    return _RELATIVE_CREDIT * best if best >= _LEAST_RELATED else 0.0


def _likeness(first: str, second: str) -> float:
    return 2 * common_start(first, second) / (len(first) + len(second))
