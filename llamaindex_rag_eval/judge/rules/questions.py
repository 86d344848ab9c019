"""Questions: what one would have to ask to be given a text."""

import re

from llamaindex_rag_eval.judge.rules.claims import claims_of
from llamaindex_rag_eval.judge.rules.clauses import is_finite_verb, subject_of
from llamaindex_rag_eval.judge.rules.entities import entities_of
from llamaindex_rag_eval.judge.rules.refusals import is_refusal
from llamaindex_rag_eval.judge.rules.tokens import Language, language_of

_ABOUT: dict[Language, tuple[str, ...]] = {
    "en": ("What is said about {}?", "What is known about {}?", "What should one know about {}?"),
    "de": ("Was wird über {} gesagt?", "Was weiß man über {}?", "Was gilt für {}?"),
    "ja": ("{}について何が言えますか？", "{}とは何ですか？", "{}はどうなっていますか？"),
    "zh": ("关于{}有什么信息？", "{}是怎么回事？", "{}是什么？"),
    "other": ("What is said about {}?", "What is known about {}?", "What is there on {}?"),
}
_TIME = re.compile(
    r"\s*,?\b(?:in|on|im|am|um|seit|since)\s+(?:\w+\s+){0,2}\d{3,4}\b.*", re.IGNORECASE
)
_LONGEST_TOPIC = 120
"""Characters of a claim that a question quotes."""
_ARTICLES = frozenset({"The", "A", "An", "Der", "Die", "Das", "Ein", "Eine"})


def questions_of(text: str, n: int) -> tuple[tuple[str, ...], bool]:
    """Return questions that a text answers, in its language, and whether it evades.

    Args:
        text: An answer.
        n: How many questions; at least 1.

    Returns:
        Exactly `n` questions, different ones as long as rules can tell them apart; none for a
        text that evades, that states nothing, or that is empty, which all count as evading.

    Example:
        >>> questions_of("The lock was built in 1890.", 2)
        (('When was the lock built?', 'What was built in 1890?'), False)
        >>> questions_of("I don't know.", 3)
        ((), True)
    """
    claims = claims_of(text, atomicity="low")
    if is_refusal(text) or not claims:
        return (), True
    language = language_of(text)
    found: list[str] = []
    for claim in claims:
        found += _inverted_questions(claim, language)
    topics = [claim.rstrip(" .。!")[:_LONGEST_TOPIC] for claim in claims]
    topics += list(entities_of(text))
    found += [form.format(topic) for form in _ABOUT[language] for topic in topics]
    distinct = list(dict.fromkeys(found))
    repeats = -(-n // len(distinct))
    return tuple((distinct * repeats)[:n]), False


def _inverted_questions(claim: str, language: Language) -> list[str]:
    """Return questions that turn a simple statement round, where a rule is safe."""
    subject = subject_of(claim)
    rest = claim[len(subject) :].strip().rstrip(".!").strip()
    if language not in {"en", "de"} or not subject or not rest:
        return []
    verb, _, tail = rest.partition(" ")
    if not tail or not is_finite_verb(verb):
        return []
    if language == "de":
        return [f"Was {verb} {tail}?", f"Was {verb} {_with_small_article(subject)}?"]
    return [
        *_english_when(subject, verb, tail),
        f"What {verb} {tail}?",
        f"What {verb} {_with_small_article(subject)}?",
    ]


def _english_when(subject: str, verb: str, tail: str) -> list[str]:
    time = _TIME.search(tail)
    if time is None or verb not in {"is", "was", "are", "were"}:
        return []
    asked = f"{verb} {_with_small_article(subject)} {tail[: time.start()].strip()}"
    return [f"When {asked.strip()}?"]


def _with_small_article(subject: str) -> str:
    """Put an opening article in small letters; a name keeps its capital."""
    first, _, rest = subject.partition(" ")
    return f"{first.lower()} {rest}" if first in _ARTICLES else subject
