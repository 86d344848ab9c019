"""Short answers: claims of the form "Where is it? Paris", and what speaks for them.

Such an answer is a claim only together with its question; its own words weigh most.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache

from rapidfuzz import fuzz

from llamaindex_rag_eval.judge.rules.index import SentenceIndex, rarity, richest_sentence
from llamaindex_rag_eval.judge.rules.lexicon import without_negations
from llamaindex_rag_eval.judge.rules.matching import Match, differences
from llamaindex_rag_eval.judge.rules.profile import (
    Profile,
    content_share,
    profile_of,
    source_profiles,
    weight_of_keys,
)
from llamaindex_rag_eval.judge.rules.tokens import normalise, terms
from llamaindex_rag_eval.judge.rules.values import written_as_in
from llamaindex_rag_eval.judge.rules.vocabulary import union_of

ANSWER_FEATURES = (
    "cover",
    "phrase",
    "fuzzy",
    "head",
    "has_number",
    "length",
    "question",
)
"""The features of a short answer: what of it is found, and what it is like."""

_FORM = re.compile(r"(?P<question>[^\n]*?[?？])\s+(?P<answer>[^?？]+)", re.DOTALL)
_YES_OR_NO = re.compile(
    rf"(?P<question>.*[?？])\s+(?:(?P<no>{union_of('no')})|{union_of('yes')})[.!。！]?",
    re.IGNORECASE | re.DOTALL,
)
_DISAMBIGUATION = re.compile(r"\s*\([^()]*\)$")
_WORD = re.compile(r"\w+")
_SLASH = re.compile(
    r"(?<=\w{3})/(?=\d{3})|(?<!\d)/(?!\d)(?!(?:km|m|s|h|l|kg|sec|min|day|year)\b)|(?<=\d)/(?=[^\W\d])(?!\w{1,3}\b)"
)
"""What parts the names of one thing, but not a date or a measure as "km/h"."""
_LONGEST_FORM = 12
"""Words up to which the parts between slashes are taken for names of one thing."""
_LONGEST_CLAIM = 10_000
"""Characters of question and answer up to which a claim may be one."""
_LIKELY = 4
"""Forms of an answer that are looked at closely: those that are found most."""
_LONGEST_ANSWER = 3
"""Words of content up to which a source is a short answer, which its question makes a statement."""
_REPEATED = 0.3
"""Share of the question from which an answer that has it is a statement of its own."""
_MOST_FORMS = 60
"""Forms of an answer that are compared; lists of aliases may be far longer."""
_QUESTION_WEIGHT = 0.3
"""What a word of the question counts beside one of the answer, in the choice of a sentence."""


@dataclass(frozen=True, eq=False, slots=True)
class ShortAnswer:
    """An answer that only its question makes a claim.

    Attributes:
        question: The question.
        names: The answer, in each of its alternative forms; at least one.
    """

    question: Profile
    names: tuple[Profile, ...]


@lru_cache(maxsize=4_096)
def short_answer(claim: str) -> ShortAnswer | None:
    """Return a claim as question and answer, or None if it does not have that form.

    Example:
        >>> found = short_answer("Which share index? Nikkei/Nikkei 225 (index)")
        >>> [name.text for name in found.names]
        ['Nikkei', 'Nikkei 225']
    """
    form = _FORM.fullmatch(claim.strip()) if len(claim) <= _LONGEST_CLAIM else None
    if form is None:
        return None
    names = tuple(profile_of(each) for each in answer_forms(form["answer"]) if terms(each))
    return ShortAnswer(profile_of(form["question"]), names) if names else None


def answered_profiles(source: str, question: str) -> tuple[Profile, ...]:
    """Return the profiles of a source's sentences; a short answer has its question's words too.

    Example:
        >>> (found,) = answered_profiles("Saint Peter", "Who guards the gates?")
        >>> found.text, "gate" in found.weights
        ('Saint Peter', True)
    """
    profiles = source_profiles(source)
    if not question or len(profiles) != 1 or len(profiles[0].content) > _LONGEST_ANSWER:
        return profiles
    if content_share(profile_of(question), profiles[0].weights) > _REPEATED:
        return profiles
    said = f"{question} {source}"
    return (replace(profile_of(said), text=profiles[0].text, said=said),)


@lru_cache(maxsize=4_096)
def yes_or_no(claim: str) -> Profile | None:
    """Return what "yes" or "no" to a question states, or None if it does not have that form.

    Example:
        >>> yes_or_no("Is the lock red? No").negated, yes_or_no("Is it? In Kyoto")
        (1, None)
    """
    match = _YES_OR_NO.fullmatch(claim.strip()) if len(claim) <= _LONGEST_CLAIM else None
    if match is None:
        return None
    statement = profile_of(match["question"])
    if not match["no"]:
        return statement
    said = without_negations(statement.text) if statement.negated else f"not {statement.text}"
    return replace(statement, negated=int(not statement.negated), said=said)


def answer_forms(answer: str) -> tuple[str, ...]:
    """Return the forms of an answer written with slashes between them, or the answer alone."""
    parts = [part.strip() for part in (_SLASH.split(answer) if "/" in answer else ())]
    if len(parts) < 2 or any(len(part.split()) > _LONGEST_FORM for part in parts):
        return (answer.strip(),)
    named = (_DISAMBIGUATION.sub("", part) for part in parts[:_MOST_FORMS])
    return tuple(dict.fromkeys(part for part in named if part))


def match_answer(answer: ShortAnswer, index: SentenceIndex) -> Match:
    """Return what speaks in an index for the form of the answer that it has most of.

    Of the likeliest forms, the first against which nothing speaks.
    """
    likely = sorted(answer.names, key=lambda each: -_found_share(each, answer, index))[:_LIKELY]
    matches = [_match_form(name, answer, index) for name in likely]
    return next((each for each in matches if not each.doubts), matches[0])


def _match_form(name: Profile, answer: ShortAnswer, index: SentenceIndex) -> Match:
    first = _nearest(name, answer, index)
    said = written_as_in([index.sentences[first].said] if first >= 0 else [], name.said)
    if said not in (name.said, normalise(name.said)):
        name = profile_of(said)
        first = _nearest(name, answer, index)
    own = _own_words(name, answer)
    best = index.sentences[first] if first >= 0 else None
    nearest = [best] if best else []
    conflicts, doubts, values = differences(name, nearest, answer.question.text)
    granted = values.keys
    phrase, text = _plain_words(name.text), _plain_words(best.said) if best else ""
    exact = float(phrase in text if name.cjk else f" {phrase} " in f" {text} ")
    features = {
        "cover": _found_share(name, answer, index, granted),
        "phrase": exact,
        "fuzzy": fuzz.partial_ratio(phrase, text) / 100 if len(phrase) > 3 and text else exact,
        "head": float(own[-1] in index.positions or own[-1] in granted),
        "numbers_missing": float(any(number not in index.numbers for number in name.numbers)),
        "has_number": float(bool(name.numbers)),
        "length": float(len(own)) ** 0.5,
        "question": content_share(answer.question, best.weights) if best else 0.0,
    }
    return Match(first, -1, features, conflicts, doubts)


def _nearest(name: Profile, answer: ShortAnswer, index: SentenceIndex) -> int:
    """Return the number of the sentence with most of an answer and its question, or -1."""
    own = {key: name.weights[key] for key in _own_words(name, answer)}
    weights = dict.fromkeys(answer.question.content, _QUESTION_WEIGHT) | own
    return richest_sentence(weights, weights, rarity(weights, index), index)


def _own_words(name: Profile, answer: ShortAnswer) -> list[str]:
    """Return the words of an answer that are not the question's; all if none is its own."""
    content = [key for key in name.keys if key in name.content] or list(name.keys)
    return [key for key in content if key not in answer.question.weights] or content


def _found_share(
    name: Profile, answer: ShortAnswer, index: SentenceIndex, granted: Collection[str] = ()
) -> float:
    own: Collection[str] = set(_own_words(name, answer))
    present = [key for key in own if key in index.positions or key in granted]
    return weight_of_keys(name, present) / (weight_of_keys(name, own) or 1.0)


def _plain_words(text: str) -> str:
    return " ".join(_WORD.findall(normalise(text).casefold()))
