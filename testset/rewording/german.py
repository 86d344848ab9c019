"""German, in other words: synonyms of one form and gender, and other forms of the question."""

import re
from collections.abc import Sequence
from functools import cache

from llamaindex_rag_eval.judge.rules.vocabulary import german_words
from testset.rewording.german_words import FINITE, FIXED, NOUNS, PARTICIPLES, QUALITIES
from testset.rewording.tables import pairs_of, phrase_pattern
from testset.rewording.words import words

__all__ = ["in_other_words", "shorter", "without_tail"]

_FRAMES = tuple(
    (re.compile(pattern), other)
    for pattern, other in (
        (r"^In welchem Jahr ", "Wann "),
        (r"^Wo befindet sich (.+)\?$", r"Wo liegt \1?"),
        (r"^Wo befinden sich (.+)\?$", r"Wo liegen \1?"),
        (r"^(Wo|Wann) wurde ([^?]+) geboren\?$", r"\1 kam \2 zur Welt?"),
        (r"^Wie viele Einwohner hat ([A-ZÄÖÜ][\w-]+)\?$", r"Wie viele Menschen leben in \1?"),
        (r"^Wie viele Einwohner hatte ([A-ZÄÖÜ][\w-]+)( \d{4}| im [^?]+)?\?$",
         r"Wie viele Menschen lebten\2 in \1?"),
    )
)  # fmt: skip
_STRONG = words(
    "begann erhielt bekam erwarb fand schlug starb verstarb beschrieb verbot schrieb unterschrieb "
    "gab besaß entwarf"
)
"""Pasts whose plural takes `en`; those in `te` take an `n`."""
_AUXILIARIES = words(
    "ist sind war waren wird werden wurde wurden worden hat haben hatte hatten kann können"
)
_BEFORE_NOUN = words(
    "der die das den dem ein eine einer einem einen welcher welche welches welchem welchen viele "
    "im zur zum"
)
_PARTS = words(
    "ab an auf aus bei ein fest fort her heraus hervor hin hinaus los mit nach nieder statt um vor "
    "voran vorbei weg weiter zu zurück zusammen über teil durch frei bekannt"
)
"""Parts of verbs that stand at the end, away from the verb they belong to."""
_ENDINGS = ("en", "er", "es", "em", "e")
_ASIDE = re.compile(
    r" (?:offiziell|schließlich|endlich|ebenfalls|anschließend|erfolgreich|sogar|bereits|zudem|"
    r"außerdem|letztendlich|letztlich)(?= )|, (?:ein|eine|der|die|das) [^,?]+,(?= (?!und |oder ))"
    r"| \([^()]*\)"
)
_ASKS_FOR_ONE = ("Wer ", "Was ", "Welche", "Wo ", "Von wem ", "Warum ", "Wozu ")
_MEASURED = re.compile(
    r"\b\w+ste[nrms]?\b|\bam \w+sten\b|\b(?:viel|viele|hoch|groß|seit|ab|bis|von|vor|nach|um) \d",
    re.IGNORECASE,
)
"""Superlatives, ordinals, and spans of years, whose year says which one is meant."""
_TAIL = re.compile(
    r"(?P<rest>\w+ [a-zäöüß]+te(?:n)? [^?]+ [A-ZÄÖÜ][\w-]+) "
    r"(?:während|mit|unter) [^?]*[A-ZÄÖÜ][\w-]+\?$"
)
"""A clause in the past that ends in a noun, and a circumstance that ends in one.

Years and places stay: without them a question may have several answers."""
LEAST_LEFT = 3
_QUOTES = re.compile('[„“”"«»]')


def in_other_words(question: str) -> str:
    """Return a question in other words; the same one where the tables know none of its words.

    Example:
        >>> in_other_words("In welchem Jahr wurde der Turm in Lynn errichtet?")
        'Wann wurde der Turm in Lynn erbaut?'
        >>> in_other_words("Wer schrieb den Leitfaden?")
        'Wer verfasste den Leitfaden?'
    """
    if _QUOTES.search(question):
        return question
    for pattern, other in _FRAMES:
        question = pattern.sub(other, question)
    question = _phrases().sub(lambda match: pairs_of(FIXED)[match.group()], question)
    tokens = re.findall(r"[?,]|[^\s?,]+", question)
    changed = [_word(tokens, place) for place in range(len(tokens))]
    return re.sub(r" (?=[?,])", "", " ".join(changed))


def shorter(question: str) -> str:
    """Return a question without the words that only set it off: "endlich", an apposition.

    Example:
        >>> shorter("Wer leitete schließlich die Gilde (EG) in Lynn?")
        'Wer leitete die Gilde in Lynn?'
    """
    return question if _QUOTES.search(question) else _ASIDE.sub("", question)


def without_tail(question: str) -> str:
    """Return a question without the last circumstance of what it asks for.

    Example:
        >>> without_tail("Wer schrieb im Jahr 1951 den Leitfaden von Lynn?")
        'Wer schrieb im Jahr 1951 den Leitfaden von Lynn?'
        >>> without_tail("Wer malte das Wappen der Gilde von Lynn während der Belagerung?")
        'Wer malte das Wappen der Gilde von Lynn?'
    """
    if _MEASURED.search(question) or _QUOTES.search(question):
        return question
    if not question.startswith(_ASKS_FOR_ONE):
        return question
    other = question
    match = _TAIL.match(other)
    words = question.rstrip("?").split()
    if match and words[-1] not in _PARTS and _AUXILIARIES.isdisjoint(words):
        other = match["rest"] + "?"
    telling = [word for word in other.rstrip("?").split() if word.lower() not in german_words()]
    return other if len(telling) >= LEAST_LEFT else question


def _word(tokens: Sequence[str], place: int) -> str:
    """Return the other word for one in its place; the word itself if there is none."""
    token, before = tokens[place], tokens[:place]
    after = tokens[place + 1] if place + 1 < len(tokens) else ""
    if not before:
        return token
    if not _AUXILIARIES.isdisjoint(before):
        other = pairs_of(PARTICIPLES).get(token, "") if after in {"?", "und"} else ""
    else:
        whole = after not in {"?", ""} and _PARTS.isdisjoint(tokens[-2:])
        other = _finite().get(token, "") if whole else ""
    if not other and before[-1] in _BEFORE_NOUN and not after[:1].isupper():
        other = pairs_of(NOUNS).get(token, "")
    return other or _quality(token, before) or token


def _quality(token: str, before: Sequence[str]) -> str:
    if before[-1] not in _BEFORE_NOUN:
        return ""
    for ending in _ENDINGS:
        stem = token.removesuffix(ending)
        if stem != token and stem in pairs_of(QUALITIES):
            return pairs_of(QUALITIES)[stem] + ending
    return ""


def _plural(past: str) -> str:
    """Return the plural of a past; empty for a present, whose plural is not told by its form."""
    if past.endswith("te"):
        return past + "n"
    return past + "en" if past in _STRONG else ""


@cache
def _finite() -> dict[str, str]:
    ones = pairs_of(FINITE)
    several = {_plural(own): _plural(other) for own, other in ones.items()}
    return {**ones, **{own: other for own, other in several.items() if own and other}}


@cache
def _phrases() -> re.Pattern[str]:
    return phrase_pattern(pairs_of(FIXED))
