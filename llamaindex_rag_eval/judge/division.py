"""Dividing a text that is too long for one call, without cutting a sentence in two."""

from llamaindex_rag_eval.judge.rules.sentences import sentence_spans

__all__ = ["text_halves"]


def text_halves(text: str) -> tuple[str, ...]:
    """Return a text in two halves, cut between sentences or, within one, between words.

    Nothing is lost but white space at the cut. A text of one character cannot be divided.

    Example:
        >>> text_halves("One is here. Two is there.")
        ('One is here.', 'Two is there.')
    """
    middle = len(text) // 2
    starts = [start for start, _ in sentence_spans(text)][1:]
    spaces = (text.rfind(" ", 1, middle + 1), text.find(" ", middle))
    places = starts or [place for place in spaces if place > 0] or ([middle] if middle else [])
    if not places:
        return ()
    cut = min(places, key=lambda place: abs(place - middle))
    return (text[:cut].rstrip(), text[cut:].lstrip())
