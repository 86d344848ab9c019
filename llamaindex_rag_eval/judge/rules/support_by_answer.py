"""Support by an answer: which claims does a text bear out that answers a question?"""

import math

from llamaindex_rag_eval.judge.rules.answer_conflicts import ECHO, exchanged_name, is_fragment
from llamaindex_rag_eval.judge.rules.answers import answer_forms, short_answer, yes_or_no
from llamaindex_rag_eval.judge.rules.claims import as_question
from llamaindex_rag_eval.judge.rules.phrases import polarity_of, without_frame
from llamaindex_rag_eval.judge.rules.profile import content_share, profile_of
from llamaindex_rag_eval.judge.rules.sentences import sentences
from llamaindex_rag_eval.judge.rules.support import SUPPORT_THRESHOLD
from llamaindex_rag_eval.judge.rules.verdict import (
    ENOUGH,
    VerdictByRule,
    best_of,
    conflict_text,
    list_parts,
    verdict_on,
    verdict_weights,
)
from llamaindex_rag_eval.judge.support import Support, Verdict

_BELOW = math.nextafter(SUPPORT_THRESHOLD, 0)
"""The highest probability of what is not supported."""
_OWN = 0.3
"""Share of the question's words up to which an answer is one, and no statement of its own."""


def support_as_answer(
    question: str, claim: str, source: str, by_words: Support, *, answers: bool = True
) -> Support:
    """Return whether a text that answers a question bears out a claim, as far as it is asked.

    Args:
        question: What both answer.
        claim: A statement, or a short answer behind the question.
        source: A text.
        by_words: What the words of the two say.
        answers: Whether the source answers the question and is no document. That a document has the
            words of a short answer is no more likely for it: the words say how likely.

    Returns:
        By a text that is only a short answer, the verdict on the claim as an answer. By another
        text: a short answer that it gives is supported, unless their words contradict one another;
        a statement that differs from its one sentence in one thing alone is contradicted. Else
        what the words say.

    Example:
        >>> from llamaindex_rag_eval.judge.rules.support import support_of
        >>> claim = "Ito built the red lock in 1890."
        >>> (found,) = support_of([claim], ["Ito"])
        >>> found.verdict, support_as_answer("Who built the lock?", claim, "Ito", found).verdict
        ('not_mentioned', 'supported')
    """
    if not question:
        return by_words
    plain_question = as_question(question)
    short = is_fragment(without_frame(source), plain_question)
    if claim.startswith(f"{plain_question} "):
        if yes_or_no(claim) is not None and polarity_of(source) is None:
            return by_words
        answer = claim.removeprefix(plain_question).strip()
        given = _as_support(
            claim, _answer_by_answer(plain_question, answer, source, short=short), source
        )
        if by_words.contradicted_by and len(answer_forms(source)) == 1:
            return by_words
        own = content_share(profile_of(plain_question), profile_of(answer).weights) < _OWN
        decided = own and bool(given.sources or (given.contradicted_by and not by_words.sources))
        if given.sources and not (answers or short):
            given = given.model_copy(
                update={"probability": max(by_words.degree, SUPPORT_THRESHOLD)}
            )
        return given if short or decided else by_words
    if short_answer(claim) is not None:
        return by_words
    if short:
        return _statement_by_answer(plain_question, claim, source)
    if len(sentences(source)) > 1 or (other := exchanged_name(claim, source)) is None:
        return by_words
    wrong = VerdictByRule("wrong", conflict_text(*other), wrong=other[:1])
    chance = by_words.degree * (SUPPORT_THRESHOLD if by_words.sources else 1)
    return _as_support(claim, wrong, source).model_copy(update={"probability": chance})


def _answer_by_answer(question: str, answer: str, source: str, *, short: bool) -> VerdictByRule:
    """Return whether a text bears out a short answer: it gives it, or is given by what is no list."""
    forms = answer_forms(without_frame(source)) if short else (source,)
    verdicts = [verdict_on(question, form, [answer]) for form in forms]
    if short and not list_parts(answer):
        verdicts.append(verdict_on(question, answer, [source]))
    return best_of(verdicts)


def _statement_by_answer(question: str, claim: str, answer: str) -> Support:
    """Return whether a short answer bears out a statement.

    An item of a list that it gives is borne out. What does not take up the question is beside it,
    and no other value than the answer.
    """
    judged = verdict_on(question, claim, [answer])
    echoed = content_share(profile_of(question), profile_of(claim).weights) >= ECHO
    about = echoed or judged.probability >= ENOUGH
    if judged.verdict == "partly_right":
        judged = judged._replace(verdict="right")
    return _as_support(claim, judged if about else judged._replace(wrong=()), answer)


def _as_support(claim: str, judged: VerdictByRule, source: str) -> Support:
    """Return the verdict on an answer as one on a claim by its source.

    That the answer is there says less than that it is there and nothing contradicts it.
    """
    verdict: Verdict = "not_mentioned"
    chance = min(judged.probability, _BELOW)
    if judged.verdict == "right":
        left = verdict_weights()["doubt_left"] * (1 - max(judged.probability, ENOUGH))
        chance, verdict = 1 - left, "supported"
    elif judged.verdict == "partly_right":
        verdict = "partly"
    elif judged.wrong:
        chance, verdict = 0.0, "contradicted"
    return Support(
        claim=claim,
        verdict=verdict,
        sources=(0,) if verdict == "supported" else (),
        contradicted_by=(0,) if verdict == "contradicted" else (),
        quote="" if verdict == "not_mentioned" else source,
        probability=chance,
        reason=judged.reason,
    )
