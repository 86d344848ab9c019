"""Short answers: their items, another value in their place, and that they are denied."""

import re

from llamaindex_rag_eval.judge.rules.claims import is_short_answer
from llamaindex_rag_eval.judge.rules.lexicon import count_negations, parts_at_negation
from llamaindex_rag_eval.judge.rules.phrases import without_frame
from llamaindex_rag_eval.judge.rules.profile import (
    COMMON_WEIGHT,
    Profile,
    content_share,
    profile_of,
)
from llamaindex_rag_eval.judge.rules.tokens import terms
from llamaindex_rag_eval.judge.rules.values import compete, values_of
from llamaindex_rag_eval.judge.rules.vocabulary import pattern_of

_ECHO = 0.5
"""Share of an answer's words from which a part of a sentence has it."""
_PART = pattern_of("joined", r"\s*(?:[,;、，；]|(?<!-){}(?!-))\s*(?:{}\s+)?")
"""What stands between the parts of a list."""
_MOST_VALUES = 100
"""Numbers and dates of a text that are compared."""
_QUOTED = re.compile(r"[\"“„«「《『][^\"”“»」》』]{1,100}[\"”“»」》』]")
"""A title: its words deny nothing."""
_CONTRAST = pattern_of("contrast")
"""Words beside which a negation takes nothing from the answer."""


def conflict_text(said: str, stands: str) -> str:
    """Return in words what an answer says that the reference does not."""
    if not stands:
        return "The answer denies the reference."
    return f"The answer says {said!r}; the reference says {stands!r}."


def is_denied(question: str, said: str, wanted: Profile) -> bool:
    """Return whether a sentence denies an answer: in the part of it that has the answer.

    "8443, not 8080" sets the answer against another one and denies nothing of it.
    """
    if count_negations(wanted.text) or count_negations(question):
        return False
    known = profile_of(question).content | wanted.content
    open_negation = False
    for part in profile_of(_QUOTED.sub(" ", said)).segments:
        if content_share(wanted, part.weights) < _ECHO:
            says_little = all(part.weights[key] <= COMMON_WEIGHT for key in part.content)
            open_negation = says_little and (open_negation or bool(part.negated))
            continue
        if open_negation:  # "It is not true that …"
            return True
        if not part.negated or _CONTRAST.search(part.text):
            continue
        before, behind = parts_at_negation(part.text)
        has_answer = content_share(wanted, profile_of(before).weights) >= _ECHO
        if not has_answer or not profile_of(behind).content - known:
            return True
    return False


def other_value(question: str, own: str, reference: str) -> tuple[str, str] | None:
    """Return a value for which the reference has another of its kind, at best of its unit."""
    about, said, stands = map(profile_of, (question, own, reference))
    given, wanted = (
        [each for each in text.values[:_MOST_VALUES] if not about.has(each)]
        for text in (said, stands)
    )
    lacking = [value for value in wanted if not said.has(value)]
    other_unit = None
    for value in given:
        for other in [] if stands.has(value) else lacking:
            if compete(value, other):
                pair = said.text_of(value), stands.text_of(other)
                if value.shares_unit(other):
                    return pair
                other_unit = other_unit or pair
    return other_unit


def list_parts(reference: str) -> tuple[str, ...]:
    """Return the items of a list, or nothing for a text that is none.

    Example:
        >>> list_parts("German, French and Italian"), list_parts("Ada Holm")
        (('German', 'French', 'Italian'), ())
    """
    plain = " ".join(without_frame(reference).split()).rstrip(".。")
    if any(value.start == 0 and value.end == len(plain) for value in values_of(plain)):
        return ()  # "two hundred and four"
    parts = [part for part in _PART.split(plain) if part]
    return tuple(parts) if len(parts) > 1 and all(map(is_short_answer, parts)) else ()


def plain_words(text: str) -> str:
    """Return the words of a text in small letters, without punctuation."""
    return " ".join(term.surface.casefold() for term in terms(text))
