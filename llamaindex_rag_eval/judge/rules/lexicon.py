"""Relations of words: synonyms, opposites and negations.

A synonym keeps a paraphrase from being taken for something new; a negation or an opposite speaks
against a claim. `synonyms.txt` has a group of words on each line, `opposites.txt` two groups parted
by a bar; both were written by hand from general knowledge of the languages. Words are compared by
stem.
"""

import re
from functools import cache, lru_cache
from importlib.resources import files

from llamaindex_rag_eval.judge.rules.tokens import is_cjk, normalise, stem, terms
from llamaindex_rag_eval.judge.rules.vocabulary import pattern_of, sought

_NEGATION = sought("negation")
_BOUND = pattern_of("bound")
"""A negation that makes a number the most or the least, and denies nothing."""
_DENIES_OTHERWISE = sought("denies_otherwise")
"""Words that deny something, or say when it is so, without a negation."""
_NEAR = re.compile(r"\W*\w+\W*?")
_NEAR_EAST = re.compile(r"\w{1,2}")
_AROUND = 3
"""Words, or pairs of characters, around a negation that it may deny."""
_QUANTITIES = [sought(kind) for kind in ("few", "some", "many", "all")]
_EXCLUSIVE = sought("exclusive")


def synonyms_of(key: str) -> frozenset[str]:
    """Return the stems that may stand for a stem; none for a word that is not in the table.

    Example:
        >>> sorted(synonyms_of("movi"))
        ['film', 'pictur']
    """
    return _synonyms().get(key, frozenset())


@cache
def _synonyms() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for line in _lines("synonyms.txt"):
        group = {stem(word) for word in line.split()}
        for word in group:
            table.setdefault(word, set()).update(group - {word})
    return {word: frozenset(others) for word, others in table.items()}


def _lines(name: str) -> list[str]:
    return files(__package__).joinpath(name).read_text(encoding="utf-8").splitlines()


def count_negations(text: str) -> int:
    """Return how many negations a text has.

    Example:
        >>> [count_negations(text) for text in ("It is not red.", "赤くない", "Er kam nie.", "Yes")]
        [1, 1, 1, 0]
        >>> count_negations("Take not more than four."), count_negations("不得超过六片")
        (0, 0)
    """
    return len(_NEGATION.anywhere.findall(_without_bounds(text)))


def _without_bounds(text: str) -> str:
    """Return a text in which "not more than 4" denies nothing; "" if it denies nothing at all."""
    plain = text.replace("’", "'")
    if not _NEGATION.search(plain):
        return ""
    return _BOUND.sub(lambda match: " " * len(match.group()), normalise(plain))


def denies_otherwise(text: str) -> bool:
    """Return whether a text denies, or limits to a time or case, without a negation.

    Example:
        >>> denies_otherwise("It keeps rain from entering."), denies_otherwise("Rain enters.")
        (True, False)
    """
    return _DENIES_OTHERWISE.search(text) is not None


def around_negations(text: str) -> list[str]:
    """Return the words around each negation of a text.

    Example:
        >>> around_negations("It is not sold in the old town.")
        ['It is not sold in the']
    """
    near = _NEAR_EAST if re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", text) else _NEAR
    phrases = []
    text = _without_bounds(text)
    for match in _NEGATION.anywhere.finditer(text):
        before = [each.start() for each in near.finditer(text, 0, match.start())][-_AROUND:]
        after = [each.end() for each in near.finditer(text, match.end())][:_AROUND]
        phrases.append(text[(before or [match.start()])[0] : (after or [match.end()])[-1]].strip())
    return phrases


def parts_at_negation(text: str) -> tuple[str, str]:
    """Return what stands before the first negation of a text, and what stands behind it."""
    plain = text.replace("’", "'")
    match = _NEGATION.search(plain)
    return (plain[: match.start()], plain[match.end() :]) if match else (plain, "")


def without_negations(text: str) -> str:
    """Return a text without what denies it.

    Example:
        >>> without_negations("Is it not red?")
        'Is it  red?'
    """
    return _NEGATION.anywhere.sub("", text)


@cache
def antonyms() -> dict[str, frozenset[str]]:
    """Return the opposites of each stem that has some; of CJK characters and pairs too."""
    table: dict[str, set[str]] = {}
    for line in _lines("opposites.txt"):
        words, other = ({_key(word) for word in side.split()} for side in line.split("|"))
        for word in words | other:
            against = (other if word in words else set()) | (words if word in other else set())
            table.setdefault(word, set()).update(against - {word})
    return {word: frozenset(opposites) for word, opposites in table.items()}


def _key(word: str) -> str:
    return word if is_cjk(word) else terms(word)[-1].key


@lru_cache(maxsize=8_192)
def quantities(text: str) -> dict[int, str]:
    """Return how many a text speaks of, from 1 (few) to 4 (all), each with its word.

    Example:
        >>> quantities("Most locks are red, all are old."), quantities("一部の塔")
        ({3: 'most', 4: 'all'}, {2: '一部'})
    """
    plain = text.lower()
    matches = ((level, form.search(plain)) for level, form in enumerate(_QUANTITIES, start=1))
    return {level: match.group() for level, match in matches if match}


def exclusive(text: str) -> str:
    """Return the word by which a text says that there is nothing else, as "only", or "".

    Example:
        >>> exclusive("It is sold only here."), exclusive("It takes only one day.")
        ('only', '')
    """
    match = _EXCLUSIVE.search(text)
    return text[match.start() : match.end()] if match else ""
