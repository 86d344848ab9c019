"""Profiles: a sentence as it is compared: its words, parts and values, each worked out once.

Words of content say most, function words next to nothing. How rare a word is among the texts that are
compared is known only there, see `evidence`.
"""

import math
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from llamaindex_rag_eval.judge.rules.codes import letters_of
from llamaindex_rag_eval.judge.rules.lexicon import count_negations
from llamaindex_rag_eval.judge.rules.sentences import sentences, with_columns
from llamaindex_rag_eval.judge.rules.tokens import (
    PLAIN_TOKEN,
    Term,
    is_cjk,
    map_terms,
    normalise,
    stem,
    term_of,
)
from llamaindex_rag_eval.judge.rules.values import Value, agree, values_in
from llamaindex_rag_eval.judge.rules.vocabulary import (
    cjk_function_characters,
    function_words,
    pattern_of,
    words_of,
)

_BETWEEN = "\x1e"
"""What separates records; between sentences that are normalised together."""
_LONGEST_CACHED = 4_000
"""Characters up to which a text's profile is cached, so that the cache stays small."""
HEAD = 4
"""Letters by which words are told that may be of one family."""
_SEGMENT = pattern_of("segment", r"[,;:](?!\d)\s*|[，；：。]|、(?=.{4})|\s[–—-]\s|{}", re.NOFLAG)


class Unit(NamedTuple):
    """A word of content, or a character, with its place in a text."""

    key: str
    start: int
    end: int


@dataclass(frozen=True, eq=False)
class Profile:
    """A sentence as it is compared.

    Attributes:
        text: The sentence.
        plain: What it says, `said`, normalised.
        keys: The terms in order.
        weights: The weight of each distinct term, function words included.
        said: The sentence with what the question adds to it, where it is an answer to one.
    """

    text: str
    plain: str
    keys: tuple[str, ...]
    weights: dict[str, float]
    said: str

    @cached_property
    def content(self) -> frozenset[str]:
        """The distinct terms that are no function words."""
        return frozenset([key for key, each in self.weights.items() if each > FUNCTION_WEIGHT])

    @cached_property
    def heads(self) -> frozenset[str]:
        """How its terms begin, by which a word finds its likely relatives."""
        return frozenset([key[:HEAD] for key in self.weights])

    @cached_property
    def cjk(self) -> bool:
        """Whether it is Chinese or Japanese."""
        return is_cjk(self.text)

    @cached_property
    def negated(self) -> int:
        """How many negations it has, with what the question adds to it."""
        return count_negations(self.said)

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """Its values, each with its place in `plain`."""
        return values_in(self.plain)

    @cached_property
    def segments(self) -> tuple["Profile", ...]:
        """Its parts between commas and conjunctions; at least one."""
        return tuple([part for _, part in self._placed_segments])

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Its words of content in order; in Chinese and Japanese all its characters."""
        if self.cjk:
            return tuple([Unit(k, n, n + 1) for n, k in enumerate(self.plain) if k.isalnum()])
        weights, content = self.weights, []
        for match in PLAIN_TOKEN.finditer(self.plain):
            key, _ = _weighed_word(match.group())
            if weights.get(key, 1.0) > FUNCTION_WEIGHT:
                content.append(Unit(key, *match.span()))
        return tuple(content)

    def segment_at(self, offset: int) -> int:
        """Return the number of the segment at a place of `plain`."""
        return max(n for n, (start, _) in enumerate(self._placed_segments) if start <= offset)

    def text_of(self, value: Value) -> str:
        """Return a value as it is written."""
        return self.plain[value.start : value.end]

    def has(self, value: Value) -> bool:
        """Return whether it has a value, however it writes it.

        Example:
            >>> (value,) = profile_of("the VT-240").values
            >>> profile_of("our VT 240").has(value), profile_of("our VT-24").has(value)
            (True, False)
        """
        if any(agree(value, each) for each in self.values):
            return True
        return (
            value.code[:1].isalpha()
            and value.code.isalnum()
            and value.code in letters_of(self.said)
        )

    @cached_property
    def _placed_segments(self) -> list[tuple[int, "Profile"]]:
        placed: list[tuple[int, Profile]] = []
        start = 0
        for end, after in (*(m.span() for m in _SEGMENT.finditer(self.plain)), (None, 0)):
            piece = self.plain[start:end]
            if piece == self.plain:
                return [(0, Profile(piece, piece, self.keys, self.weights, piece))]
            part = _profile(piece, piece)
            if part.keys or (end is None and not placed):
                placed.append((start if placed else 0, part))
                start = after
        return placed


def profile_of(text: str) -> Profile:
    """Return the profile of one sentence."""
    known = _cached_profile if len(text) <= _LONGEST_CACHED else _cached_profile.__wrapped__
    return known(text)


@lru_cache(maxsize=1_024)
def source_profiles(source: str) -> tuple[Profile, ...]:
    """Return the profiles of the sentences of a source, which is normalised as a whole."""
    units = sentences(source)
    read = with_columns(units)
    plain = normalise(_BETWEEN.join(read)).split(_BETWEEN)
    if len(plain) != len(units):
        plain = list(map(normalise, read))
    return tuple(map(_profile, units, plain))


@lru_cache(maxsize=8_192)
def _cached_profile(text: str) -> Profile:
    return _profile(text, normalise(text))


def _profile(text: str, plain: str) -> Profile:
    weighed = map_terms(plain, _weighed_word, lambda key: (key, _cjk_weight(key)))
    return Profile(text, plain, tuple([key for key, _ in weighed]), dict(weighed), text)


@lru_cache(maxsize=65_536)
def _weighed_word(surface: str) -> tuple[str, float]:
    term = term_of(surface)
    return term.key, weight_of(term)


def content_share(
    wanted: Profile, keys: Collection[str], *, without: Collection[str] = ()
) -> float:
    """Return the share, by weight, of a text's content terms that are among `keys`.

    Args:
        wanted: The text.
        keys: The terms of another text.
        without: Terms of the text that do not count.

    Returns:
        A share in [0, 1], higher is more; 0 for a text without content.
    """
    counted = [key for key in wanted.content if key not in without]
    return weight_of_keys(wanted, [key for key in counted if key in keys]) / (
        weight_of_keys(wanted, counted) or 1.0
    )


def weight_of_keys(profile: Profile, keys: Iterable[str]) -> float:
    """Return the weight of some of a text's terms together, whatever order they come in.

    Sets are ordered differently in each process; an exact sum is the same in all of them.
    """
    return math.fsum(profile.weights[key] for key in keys)


FUNCTION_WEIGHT = 0.1
"""Weight of a function word; a rare word weighs 1."""
COMMON_WEIGHT = 0.35
"""Weight of a word of content that nearly every text has."""
_SHORT = 3
"""Letters up to which a word in small letters weighs `_SHORT_WEIGHT`: most of them are common."""
_SHORT_WEIGHT = 0.7
_NUMBER_WEIGHT = 1.1
"""A number is as good as a rare word, and a claim with another number is another claim."""
_CJK_SINGLE = 1.0
"""Weight of a single character: other than hiragana it carries the meaning; pairs add order."""
_CJK_PAIR = 0.3
_KANA_PAIR = 0.15
"""Weight of a pair with hiragana, which is mostly grammar."""
_HIRAGANA = re.compile(r"[\u3040-\u309f]+")


def weight_of(term: Term) -> float:
    """Return how much a term says, from `FUNCTION_WEIGHT` to 1.1, the weight of a number.

    Example:
        >>> weight_of(Term("the", "The", "word")), weight_of(Term("turbin", "turbine", "word"))
        (0.1, 1.0)
    """
    if term.kind == "cjk":
        return _cjk_weight(term.key)
    if term.kind == "number":
        return _NUMBER_WEIGHT
    folded = term.surface.casefold().removesuffix("'s")
    if folded in function_words() or (len(folded) == 1 and not term.surface.isupper()):
        return FUNCTION_WEIGHT
    if is_common(term.key):
        return COMMON_WEIGHT
    if len(folded) <= _SHORT and not term.surface[0].isupper():
        return _SHORT_WEIGHT
    return 1.0


@lru_cache(maxsize=65_536)
def _cjk_weight(key: str) -> float:
    functional = sum(character in cjk_function_characters() for character in key)
    if functional == len(key):
        return FUNCTION_WEIGHT
    if _HIRAGANA.fullmatch(key):
        return _KANA_PAIR
    if len(key) == 1:
        return _CJK_SINGLE
    return _KANA_PAIR if functional else _CJK_PAIR


def is_common(key: str) -> bool:
    """Return whether a stem is of a word of content that nearly every text has.

    Example:
        >>> [is_common(stem(word)) for word in ("makes", "painting")]
        [True, False]
    """
    return key in _common_stems()


@cache
def _common_stems() -> frozenset[str]:
    return frozenset(map(stem, words_of("common")))
