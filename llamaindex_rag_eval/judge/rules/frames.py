"""Frames: what stands around a short answer, as "The answer is …" or "…だと思います"."""

from llamaindex_rag_eval.judge.rules.tokens import terms
from llamaindex_rag_eval.judge.rules.vocabulary import pattern_of

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
        found = _BEFORE.match(plain)
        rest = plain[found.end() :] if found else plain
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
