"""Titles: what a heading names, without its number and marks."""

import re

_HEAD_NUMBER = re.compile(
    r"(?:(?:[A-Z]\.)?\d+(?:[.-]\d+)+[.)]?|[A-Z](?:\.\d+)+[.)]?|\d+[.)]|[A-Z]\.|[IVX]+\."
    r"|[A-Z][^\W\d_]+ (?:\d+|[A-Z])\.)\s+"
    r"(?=(?:\d+[.)] )?\d*[^\W\d_]|[「『“„«‘'\"])"
    r"|(?:附录|附錄|付録)\s*[A-Z][.、\s]*|(?:[一二三四五六七八九十]+、|[（(][一二三四五六七八九十]+[）)]|\d+\s+(?=[ぁ-鿿])(?!(?:[つ日年月分秒回個人名件本歳]|時間|週間?|か月)(?![一-鿿])))|第\s*[\d０-９一二三四五六七八九十百]+\s*[条章節节项項篇部回](?:の\d+)?[\s、:：]*(?=[^\W\d_]|[（(])"
    r"|[^\w§¿¡\"'“„«「『(（/-]+(?=\S)"
)
"""A number before a heading, as "2.1", "Chapter 3." or "第2条", or pictures."""


def named(text: str) -> str:
    """Return a heading without number, pictures and the mark of a link to it."""
    text = " ".join(text.split())
    kept = text
    while match := _HEAD_NUMBER.match(kept):
        kept = kept[match.end() :]
    kept = re.sub(r"^[（(]([^（）()]+)[）)]$", r"\1", kept)
    return re.sub(r"[\s:：¶#\u2600-\u27bf\ufe0f\U0001f000-\U0001faff]+$", "", kept).strip() or text
