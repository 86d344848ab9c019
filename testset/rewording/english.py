"""English, in other words: synonyms with their inflection, and other forms of the same question."""

import re
from collections.abc import Sequence
from functools import cache

from llamaindex_rag_eval.judge.rules.vocabulary import english_words
from testset.rewording.english_passive import without_doer
from testset.rewording.english_words import ADVERBS, NOUNS, QUALITIES, VERBS
from testset.rewording.tables import forms_of, pairs_of, phrase_pattern
from testset.rewording.words import words
from testset.rules.english.verbs import third_person, verb_of

__all__ = ["in_other_words", "shorter", "without_doer", "without_tail"]

_FRAMES = tuple(
    (re.compile(pattern), other)
    for pattern, other in (
        (r"^In (?:which|what) year (did|was|were) ", r"When \1 "),
        (r"^(?:During|In) which years (did|was|were) ", r"When \1 "),
        (r"^What percentage of ", "What share of "),
        (r"^How much does (.+) weigh\?$", r"What is the weight of \1?"),
        (r"^How much did (.+) weigh\?$", r"What was the weight of \1?"),
        (r"^How much did (.+) cost\?$", r"What was the price of \1?"),
        (r"^Where is (.+) (?:located|situated)\?$", r"Where can \1 be found?"),
        (r"^What does (.+) consist of\?$", r"What is \1 made up of?"),
        (r"^What do (.+) consist of\?$", r"What are \1 made up of?"),
        (r"^What is the population of ([^,]+)\?$", r"How many people live in \1?"),
        (r"^What was the population of ([^,]+)\?$", r"How many people lived in \1?"),
        (r"^Where was ((?:[A-Z][\w.'’-]*)(?: [A-Z][\w.'’-]*)*) born\?$",
         r"What is the birthplace of \1?"),
        (r"^What is (.+) also (?:known as|called)\?$", r"What other name does \1 have?"),
    )
)  # fmt: skip
_BE = words("is are was were be been being")
_HAVE = words("has have had")
_DO = words("do does did")
_BEFORE_BASE = words("to can could will would must should may might")
_DETERMINERS = words("the a an its their his her this that these those")
_BEFORE_NOUN = _DETERMINERS | words("which what many of any")
_PREPOSITIONS = words(
    "at by for from in into of on onto to with within under over after before during as through "
    "against about between until since"
)
_AFTER_NOUN = _PREPOSITIONS | _BE | _HAVE | _DO | frozenset(["?", "that", "who", "and", "can"])
_ALSO_NOUNS = words(
    "award ban capture complete construct delay fund finance found grant head launch link "
    "purchase request supply support"
)
"""Verbs that are nouns or adjectives as well: the word before must be a name to tell."""
_STAND_ALONE = words(
    "die reside occur happen remain begin launch commence cease depart resign relocate"
)
"""Verbs that need no object, so that a preposition may follow in both wordings."""
_NEED_OBJECT = words("operate manage govern examine")
_SPARED = (("required", "to"), ("require", "to"), ("named", "after"), ("allowed", "to"))
_ASIDE = re.compile(
    r" (?:officially|formally|eventually|finally|subsequently|successfully|famously|reportedly|"
    r"ultimately|immediately|also(?! (?:known|called)))(?= )"
    r"|, (?:an?|the|who|which) [^,?]+,(?= [a-z])| \([^()]*\)"
)
_ARTICLE_WORD = re.compile(r"\b(an?) (\w+)")
_TAIL = re.compile(
    r"(?P<rest>(?:When|Who|What|Which|Where|Why|In which year) [^?]+?) (?:during|after|before|"
    r"alongside|while|since|until) [^?]*\?$"
)
_MEASURED = re.compile(
    r"\b(?:\w+est|most|least|first|last|only|\w+th|second|third|population|percentage|share|"
    r"percent|how (?:many|much))\b",
    re.IGNORECASE,
)
_LEFT_OPEN = re.compile(
    r"(?:ed|ly|ing|[a-z]n't)$|^(?:is|was|are|were|be|been|did|does|do|has|have|had|born|known|"
    r"and|or|of|to|by|for|as|not|than|more|less|go|come|held|made|found|given|written|seen|led|"
    r"set|put|won|lost|kept|built|sent|shown|taken|held|begun|brought|rise|rose|lie|lies|stand|"
    r"stands|meet|met|fall|fell|grow|grew|the|a|an)$"
)
"""Last words after which a circumstance is likely to be one that the verb needs."""
_BARE = re.compile(r" (?:the|an?) [a-z][\w-]*$")
"""A thing without a word that says which one: what follows it may be what tells."""
LEAST_LEFT = 4
_QUOTES = re.compile(r"[“”\"«»„]")


def in_other_words(question: str) -> str:
    """Return a question in other words; the same one where the tables know none of its words.

    Example:
        >>> in_other_words("In which year did Nora Quill establish the Ely Guild?")
        'When did Nora Quill set up the Ely Guild?'
        >>> in_other_words("Who was appointed head of the Ely Guild?")
        'Who was named head of the Ely Guild?'
    """
    if _QUOTES.search(question):
        return question
    for pattern, other in _FRAMES:
        question = pattern.sub(other, question)
    question = _phrases().sub(lambda match: pairs_of(ADVERBS)[match.group()], question)
    return _articles(_words(question), question)


def shorter(question: str) -> str:
    """Return a question without the words that only set it off: "finally", an apposition.

    Example:
        >>> shorter("Who finally led the Ely Guild (EG) in Lynn?")
        'Who led the Ely Guild in Lynn?'
    """
    return question if _QUOTES.search(question) else _ASIDE.sub("", question)


def without_tail(question: str) -> str:
    """Return a question without its last circumstance, if enough is left to know what is meant.

    That is a whole clause of four telling words, a name among them; where a name is asked for,
    five are enough without one.

    Nothing is dropped that the answer may depend on (a place or time after a superlative, a
    number or an ordinal), that may tell which thing is meant, or that may belong to a title.

    Example:
        >>> without_tail("When did Nora Quill write the Ely Guide during her stay in Lynn?")
        'When did Nora Quill write the Ely Guide?'
        >>> without_tail("What is the oldest bridge in Lynn?")
        'What is the oldest bridge in Lynn?'
    """
    match = _TAIL.match(question)
    if match is None or _QUOTES.search(question) or _MEASURED.search(match["rest"]):
        return question
    rest = match["rest"].split()
    titled = any(word in {"A", "An", "The"} for word in rest[1:])
    whole = _LEFT_OPEN.search(rest[-1]) is None and not _is_verb(rest[-1]) and not titled
    whole = whole and not _BARE.search(match["rest"])
    telling = len(_telling(rest))
    named = telling >= LEAST_LEFT and any(word[0].isupper() for word in rest[2:])
    told = rest[0] in {"Who", "Which"} and telling > LEAST_LEFT
    return match["rest"] + "?" if whole and (named or told) else question


def _telling(words: Sequence[str]) -> list[str]:
    """Return the words that tell what is asked about."""
    return [word for word in words if word.lower() not in english_words()]


def _is_verb(word: str) -> bool:
    """Return whether a word is a verb's form, plain ones included."""
    return verb_of(word) is not None or verb_of(third_person(word)) is not None


def _words(question: str) -> str:
    """Return the question with verbs, nouns and qualities changed where their place is clear."""
    tokens = re.findall(r"\?|[^\s?]+", question)
    changed: list[str] = []
    for place, token in enumerate(tokens):
        before, after = tokens[:place], tokens[place + 1] if place + 1 < len(tokens) else ""
        other = _verb(token, before, after) or _noun(token, before, after)
        changed.append(other or _quality(token, before) or token)
    return " ".join(changed).replace(" ?", "?")


def _verb(token: str, before: Sequence[str], after: str) -> str:
    """Return another verb in the form of this one; empty if it is none, or unclear."""
    forms = forms_of(VERBS).get(token)
    if forms is None or not before or (token, after) in _SPARED or before[-1] in _DETERMINERS:
        return ""
    passive = not _BE.isdisjoint(before) or after == "by"
    if after in _PREPOSITIONS and not passive and forms.key not in _STAND_ALONE:
        return ""
    if after == "?" and not passive and forms.key in _NEED_OBJECT:
        return ""
    if not _DO.isdisjoint(before) or before[-1] in _BEFORE_BASE:
        clear = forms.key not in _ALSO_NOUNS or before[-1][:1].isupper()
        return forms.other[0] if token == forms.own[0] and clear else ""
    if passive or not _HAVE.isdisjoint(before):
        return forms.other[2] if token == forms.own[2] else ""
    return forms.other[1] if token == forms.own[1] else ""


def _noun(token: str, before: Sequence[str], after: str) -> str:
    if not before or before[-1].lower() not in _BEFORE_NOUN:
        return ""
    if after not in _AFTER_NOUN and verb_of(after) is None:
        return ""
    one = pairs_of(NOUNS).get(token)
    many = pairs_of(NOUNS).get(_singular(token))
    return one or (_plural(many) if many else "")


def _quality(token: str, before: Sequence[str]) -> str:
    if not before or before[-1] not in {"the", "a", "an", *_BE}:
        return ""
    return pairs_of(QUALITIES).get(token, "")


def _articles(question: str, former: str) -> str:
    """Return the question with "a" or "an" as the changed words want it."""
    if question == former:
        return question
    kept = {match.group(2): match.group() for match in _ARTICLE_WORD.finditer(former)}
    return _ARTICLE_WORD.sub(
        lambda m: kept.get(m.group(2)) or f"{'an' if m.group(2)[0] in 'aeiou' else 'a'} {m[2]}",
        question,
    )


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word.removesuffix("s")


def _plural(word: str) -> str:
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word if word.endswith("s") else word + "s"


@cache
def _phrases() -> re.Pattern[str]:
    return phrase_pattern(pairs_of(ADVERBS))
