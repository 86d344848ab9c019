"""Questions: what one would have to ask to be given a text."""

from llamaindex_rag_eval.judge.rules.claims import claims_of
from llamaindex_rag_eval.judge.rules.clauses import ARTICLES, is_finite_verb, subject_of
from llamaindex_rag_eval.judge.rules.entities import entities_of
from llamaindex_rag_eval.judge.rules.refusals import is_refusal
from llamaindex_rag_eval.judge.rules.tokens import Language, language_of
from llamaindex_rag_eval.judge.rules.vocabulary import by_language, pattern_of

_ABOUT = by_language("about")
_TIME = pattern_of("time", r"\s*,?\b{}\s+(?:\w+\s+){0,2}\d{3,4}\b.*")
_LONGEST_TOPIC = 120
"""Characters of a claim that a question quotes."""


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
    found += [form.format(topic) for form in _ABOUT.get(language, _ABOUT["en"]) for topic in topics]
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
    return f"{first.lower()} {rest}" if first in ARTICLES else subject
