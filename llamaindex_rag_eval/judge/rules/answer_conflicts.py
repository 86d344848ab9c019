"""Conflicts of answers: in what a response that gives the answer contradicts the reference.

Of a short text, only its values and its denial; of two sentences also what `conflicts` finds, and
one name in the place of another.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import product

from llamaindex_rag_eval.judge.rules.answers import answer_forms
from llamaindex_rag_eval.judge.rules.claims import is_short_answer
from llamaindex_rag_eval.judge.rules.conflicts import conflicts_between
from llamaindex_rag_eval.judge.rules.lexicon import count_negations
from llamaindex_rag_eval.judge.rules.parts import is_object
from llamaindex_rag_eval.judge.rules.phrases import without_frame
from llamaindex_rag_eval.judge.rules.profile import Profile, content_share, profile_of
from llamaindex_rag_eval.judge.rules.sentences import sentences
from llamaindex_rag_eval.judge.rules.tokens import normalise, terms
from llamaindex_rag_eval.judge.rules.values import Value, agree, compete, values_of, written_as_in
from llamaindex_rag_eval.judge.rules.vocabulary import cjk_function_characters, pattern_of

ECHO = 0.5
"""Share of the question's words from which a text is a sentence that takes it up."""
_CONTRAST = pattern_of("contrast")
"""Words beside which a negation takes nothing from the answer."""
_CONDITION = pattern_of("condition")
"""What begins a clause that says when, why or what else: a negation in it denies no answer."""
_QUOTED = re.compile(r"[\"“„«「《『][^\"”“»」》』]{1,100}[\"”“»」》』]")
"""A title: its words deny nothing."""
_COMPARED = 2_000
"""Characters of two sentences that are compared; nobody wrote a longer one."""
_MOST_VALUES = 100
"""Numbers and dates of a text that are compared."""
_ALIKE = 0.7
"""Share of words that two sentences have in common, from which one is the other but for a change."""


def answer_conflict(question: str, response: str, reference: str) -> tuple[str, str] | None:
    """Return what the sentence with the answer says, and what the reference has in its place."""
    wanted = profile_of(without_frame(reference))
    units = [unit for unit in sentences(response) if profile_of(unit).keys]
    said = max(units, key=lambda unit: content_share(wanted, profile_of(unit).weights), default="")
    own = without_frame(said)
    if is_fragment(wanted.text, question):
        if _denied(question, said, wanted) or is_object(question, own, wanted.text.rstrip(".。")):
            return said, ""
        return _other_value(question, own, wanted.text)
    near = max(
        sentences(reference),
        key=lambda unit: content_share(profile_of(unit), profile_of(own).weights),
    )
    if plain_words(own) in plain_words(near):
        return None
    if is_short_answer(own) and (other := _other_value(question, own, near)):
        return other
    conflicts = conflicts_between(own[:_COMPARED], near[:_COMPARED], question=question)
    if conflicts:
        return conflicts[0].claim, conflicts[0].sentence
    return exchanged_name(own, near)


def _denied(question: str, said: str, wanted: Profile) -> bool:
    """Return whether a sentence denies the answer: beside it, and in words not of the question."""
    if count_negations(wanted.text) or _CONTRAST.search(said):
        return False
    plain = _QUOTED.sub(" ", said)
    main = _CONDITION.split(plain, maxsplit=1)[0]
    given = [content_share(wanted, profile_of(text).weights) for text in (main, said)]
    near = main if given[0] == given[1] else plain
    return bool(count_negations(near)) and not count_negations(question)


def _other_value(question: str, own: str, reference: str) -> tuple[str, str] | None:
    """Return a value for which the reference has another of its kind, if neither has both."""
    plain, in_question, wanted = normalise(own), _values(question), _values(reference)
    given = [value for value in _values(own) if not _among(value, in_question)]
    others = [value for value in given if not _among(value, wanted)]
    lacking = [value for value in wanted if not _among(value, (*given, *in_question))]
    for value, other in product(others, lacking):
        if compete(value, other):
            text = normalise(reference)[other.start : other.end]
            return plain[value.start : value.end], text
    return None


def _values(text: str) -> tuple[Value, ...]:
    return values_of(text)[:_MOST_VALUES]


def _among(value: Value, others: Sequence[Value]) -> bool:
    return any(agree(value, other) or agree(other, value) for other in others)


def exchanged_name(own: str, theirs: str) -> tuple[str, str] | None:
    """Return the words that stand in a sentence for others, if all around them is alike."""
    own = written_as_in([theirs], own)
    mine, other = _units(own[:_COMPARED]), _units(theirs[:_COMPARED])
    blocks = SequenceMatcher(None, mine, other, autojunk=False)
    if blocks.ratio() < _ALIKE:
        return None
    if bool(count_negations(own)) != bool(count_negations(theirs)):
        return own, ""
    for kind, start, end, first, last in blocks.get_opcodes():
        said, stands = mine[start:end], other[first:last]
        if kind == "replace" and _differ(said, stands):
            return " ".join(said), " ".join(stands)
    return None


def _differ(said: Sequence[str], stands: Sequence[str]) -> bool:
    """Return whether names or numbers stand for others; other words may say the same."""
    own, other = profile_of(" ".join(said)), profile_of(" ".join(stands))
    if not (own.content and other.content) or own.weights.keys() & other.weights.keys():
        return False
    if own.cjk or other.cjk:
        return min(len(said), len(stands)) > 1 and not any(map(_is_grammar, (*said, *stands)))
    return all(any(map(_is_named, words)) for words in (said, stands))


def _is_named(word: str) -> bool:
    """Return whether a word may be a name or number: it has no small letter first, nor is "A"."""
    return not word[0].islower() and bool(profile_of(word).content)


def _is_grammar(character: str) -> bool:
    return character in cjk_function_characters() or "\u3040" <= character <= "\u309f"


def _units(text: str) -> list[str]:
    """Return the words of a text in order; in Chinese and Japanese its characters."""
    return [term.surface for term in terms(text) if term.kind != "cjk" or len(term.key) == 1]


def is_fragment(text: str, question: str) -> bool:
    """Return whether a text is an answer without a predicate of its own or of the question.

    So are several names for one, whatever words they share with the question.
    """
    if len(answer_forms(text)) > 1:
        return True
    in_question = profile_of(question)
    return is_short_answer(text) and content_share(in_question, profile_of(text).weights) < ECHO


def plain_words(text: str) -> str:
    """Return the words of a text in small letters, without punctuation."""
    return " ".join(term.surface.casefold() for term in terms(text))
