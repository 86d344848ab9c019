"""Questions: what one would have to ask to be given a text, and which texts help to answer one."""

from collections.abc import Sequence

from llamaindex_rag_eval.judge.rules.claims import (
    ARTICLES,
    claims_of,
    is_finite_verb,
    is_short_answer,
    subject_of,
)
from llamaindex_rag_eval.judge.rules.entities import entities_of
from llamaindex_rag_eval.judge.rules.phrases import is_refusal, without_frame
from llamaindex_rag_eval.judge.rules.profile import content_share, profile_of, source_profiles
from llamaindex_rag_eval.judge.rules.support import support_of
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
    questions: list[str] = []
    for claim in claims:
        questions += _inverted_questions(claim, language)
    topics = [claim.rstrip(" .。!")[:_LONGEST_TOPIC] for claim in claims]
    topics += list(entities_of(text))
    questions += [
        form.format(topic) for form in _ABOUT.get(language, _ABOUT["en"]) for topic in topics
    ]
    distinct = list(dict.fromkeys(questions))
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
    question = f"{verb} {_with_small_article(subject)} {tail[: time.start()].strip()}"
    return [f"When {question.strip()}?"]


def _with_small_article(subject: str) -> str:
    """Put an opening article in small letters; a name keeps its capital."""
    first, _, rest = subject.partition(" ")
    return f"{first.lower()} {rest}" if first in ARTICLES else subject


_ANSWER_SHARE = 0.6
"""Share of the answer's own words from which a context counts as where it comes from."""
_WHOLE_CONTEXT = 0.3
"""Weight of the whole context beside its best sentence."""
_LEAST_SHARE = 0.4
"""Share of the question's words below which no sentence is taken to answer it."""
_NEAR_BEST = 0.75
"""Share of the best sentence's share from which another is needed too."""


def useful_contexts(
    question: str, contexts: Sequence[str], answer: str
) -> tuple[tuple[bool, str], ...]:
    """Return for each context whether it was useful to arrive at the answer, and why.

    A context is useful if it supports a claim of the answer, or has most of the answer's words
    that are not the question's own.

    Returns:
        One pair per context, in order.

    Example:
        >>> useful_contexts("Where is it?", ["It is in Kyoto.", "Tea is green."], "In Kyoto.")[1][0]
        False
    """
    claims = claims_of(answer, question=question)
    support = support_of(claims, contexts)
    wanted, stated = profile_of(question), profile_of(answer)
    verdicts = []
    for number, context in enumerate(contexts):
        supported = [
            claim
            for claim, entry in zip(claims, support, strict=True)
            if entry.verdict == "supported" and number in entry.sources
        ]
        keys = {key for unit in source_profiles(context) for key in unit.content}
        share = content_share(stated, keys, without=wanted.content)
        if supported:
            verdicts.append((True, f"It supports {supported[0]!r}."))
        else:
            reason = f"It has {share:.0%} of the answer's own words."
            verdicts.append((share >= _ANSWER_SHARE, reason))
    return tuple(verdicts)


def relevance_grade(question: str, context: str) -> float:
    """Return how relevant a context is to a question, in [0, 1]; higher is better.

    The weighted share of the question's words that the best sentence has, and the whole context.
    An empty question or context is 0.

    Example:
        >>> relevance_grade("Who built the lock?", "Ito built the lock.")
        1.0
    """
    wanted = profile_of(question)
    units = source_profiles(context)
    best = max((content_share(wanted, unit.content) for unit in units), default=0.0)
    whole = content_share(wanted, {key for unit in units for key in unit.content})
    return (1 - _WHOLE_CONTEXT) * best + _WHOLE_CONTEXT * whole


def response_grade(question: str, response: str) -> tuple[float, str]:
    """Return how far a response answers a question, in [0, 1], true or not, and why.

    A refusal is 0. A short answer, bare or framed, is 1: it shares no words with its question.
    Else it is the relevance of the response's words.

    Example:
        >>> response_grade("Who built the lock?", "The answer is Ito.")
        (1.0, 'It is a short answer.')
        >>> response_grade("Who built the lock?", "Tea is grown here in many gardens.")[0]
        0.0
    """
    if is_refusal(response):
        return 0.0, "It gives no answer."
    if is_short_answer(without_frame(response)):
        return 1.0, "It is a short answer."
    share = relevance_grade(question, response)
    return share, f"It has {share:.0%} of the question's words, by weight."


def relevant_sentences(question: str, sentences: Sequence[str]) -> tuple[int, ...]:
    """Return the numbers of the sentences needed to answer the question, in order.

    Returns:
        Those that have nearly as many of the question's words as the best; empty if even the
        best has too few, or the question has no content.

    Example:
        >>> relevant_sentences("Who built the lock?", ["Tea is green.", "Ito built the lock."])
        (1,)
    """
    wanted = profile_of(question)
    shares = [content_share(wanted, profile_of(sentence).content) for sentence in sentences]
    best = max(shares, default=0.0)
    if best < _LEAST_SHARE:
        return ()
    return tuple(number for number, share in enumerate(shares) if share >= _NEAR_BEST * best)
