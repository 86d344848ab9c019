"""Phrases in which an answer is given or declined: frames, yes and no, refusals.

A frame stands around a short answer, as "The answer is …" or "…だと思います"; a refusal says that there is
no answer.
"""

from functools import lru_cache

from llamaindex_rag_eval.judge.rules.sentences import sentences
from llamaindex_rag_eval.judge.rules.tokens import terms
from llamaindex_rag_eval.judge.rules.vocabulary import pattern_of, sought

_BEFORE = pattern_of("before_answer")
_AFTER = pattern_of("after_answer")
_MOST = 3
"""Frames around one another."""
_ALONE = r"\W*{}(?=\s*(?:[,.!:;，。、！：；-]|$))"
_YES, _NO = pattern_of("yes", _ALONE), pattern_of("no", _ALONE)


def without_frame(text: str) -> str:
    """Return an answer without what only introduces it, or the text if nothing else is there.

    Example:
        >>> without_frame("According to the manual, the answer is 308."), without_frame("答えは20年です。")
        ('308.', '20年')
        >>> without_frame("Das wäre Graz."), without_frame("我认为答案是两年。")
        ('Graz.', '两年')
    """
    plain = text.strip()
    for _ in range(_MOST):
        match = _BEFORE.match(plain)
        rest = plain[match.end() :] if match else plain
        rest = _AFTER.sub("", rest).strip()
        if rest == plain or not terms(rest):
            break
        plain = rest
    return plain


def polarity_of(text: str) -> bool | None:
    """Return whether a text begins with yes (`True`) or no (`False`), else `None`.

    Example:
        >>> polarity_of("Yes, it does."), polarity_of("Nein."), polarity_of("Nobody knows.")
        (True, False, None)
    """
    if _YES.match(text):
        return True
    return False if _NO.match(text) else None


def without_polarity(text: str) -> str:
    """Return a text without the yes or no, and its comma, that it begins with."""
    match = _YES.match(text) or _NO.match(text)
    rest = text[match.end() :].lstrip() if match else text
    return rest[1:].lstrip() if match and rest[:1] in (",", "，", "、") else text


_REFUSAL = sought("refusal")
_TURN = pattern_of("turn")
_CONTENT_AFTER_TURN = 25
"""Characters after a "but" from which a sentence says something beyond its refusal."""
_OFFER = pattern_of("offer")
_LONGEST_SENTENCE = 600
"""Characters of a sentence that are searched; a refusal comes early in it."""


def evades(sentence: str) -> bool:
    """Return whether a sentence refuses or evades and says nothing else.

    Example:
        >>> evades("I don't know."), evades("I am not sure, but Ito built the lock in 1934.")
        (True, False)
    """
    return _evades(sentence[:_LONGEST_SENTENCE])


@lru_cache(maxsize=1024)
def _evades(sentence: str) -> bool:
    """Remember the answer: several judgements on a sample look at the same sentences."""
    plain = sentence.replace("’", "'").strip()
    match = _REFUSAL.search(plain)
    if match is None:
        return False
    turn = _TURN.search(plain, match.start())
    return turn is None or len(plain) - turn.end() < _CONTENT_AFTER_TURN


def is_refusal(text: str) -> bool:
    """Return whether a whole text is a refusal or an evasion.

    Every sentence evades, or the first does and the others only apologise or offer help. An
    empty text is no refusal.

    Example:
        >>> is_refusal("分かりません。"), is_refusal("Die Texte enthalten keine Angaben dazu.")
        (True, True)
        >>> is_refusal("Nobody knows the trouble I've seen."), is_refusal("")
        (False, False)
    """
    units = sentences(text)[:12]
    marks = [evades(unit) for unit in units]
    return any(marks) and all(
        mark or _OFFER.match(unit) is not None or unit.endswith(("?", "？"))
        for mark, unit in zip(marks, units, strict=True)
    )
