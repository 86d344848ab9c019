"""Short answers: which texts are one, and their items."""

from llamaindex_rag_eval.judge.rules.answers import answer_forms
from llamaindex_rag_eval.judge.rules.claims import is_short_answer
from llamaindex_rag_eval.judge.rules.phrases import without_frame
from llamaindex_rag_eval.judge.rules.profile import content_share, profile_of
from llamaindex_rag_eval.judge.rules.tokens import terms
from llamaindex_rag_eval.judge.rules.values import values_of
from llamaindex_rag_eval.judge.rules.vocabulary import pattern_of

_ECHO = 0.5
"""Share of the question's words from which a text is a sentence that takes it up."""
_PART = pattern_of("joined", r"\s*(?:[,;、，；]|(?<!-){}(?!-))\s*(?:{}\s+)?")
"""What stands between the parts of a list."""


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


def is_fragment(text: str, question: str) -> bool:
    """Return whether a text is an answer without a predicate of its own or of the question.

    So are several names for one, whatever words they share with the question.
    """
    if len(answer_forms(text)) > 1:
        return True
    in_question = profile_of(question)
    return is_short_answer(text) and content_share(in_question, profile_of(text).weights) < _ECHO


def plain_words(text: str) -> str:
    """Return the words of a text in small letters, without punctuation."""
    return " ".join(term.surface.casefold() for term in terms(text))
