"""Titles: what a heading names, without its number and marks."""

import re

__all__ = ["PLAIN_ARTICLE", "PLAIN_HEAD", "PLAIN_TITLE", "letters", "named"]

_HEAD_NUMBER = re.compile(
    r"(?:(?:[A-Z]\.)?\d+(?:\.\d+)+[.)]?|[A-Z]\.\d+[.)]|\d+[.)]|[A-Z]\.|[IVX]+\."
    r"|[A-Z][^\W\d_]+ (?:\d+|[A-Z])\.)\s+"
    r"(?=[^\W\d_]|[「『“„«])"
    r"|(?:[一二三四五六七八九十]+、|[（(][一二三四五六七八九十]+[）)]|\d+\s+(?=[ぁ-鿿]))|第[\d０-９一二三四五六七八九十百]+[条章節节项項篇部回](?:の\d+)?[\s、:：]*(?=[^\W\d_]|[（(])"
    r"|[^\w§\"'“„«「『(（/-]+(?=\S)"
)
"""A number before a heading, as "2.1", "Chapter 3." or "第2条", or pictures."""
PLAIN_HEAD = re.compile(
    r"第[\d一二三四五六七八九十]+[章节節编編]\s*[^。！？!?\n]{1,40}|[一二三四五六七八九十]+、[^。：:，,；;！？!?\n]{1,30}"
    r"|\d+(?:\.\d+)*[.)]? [^\W\d_a-z][^.:;,!?。\n]{1,60}"
)
"""A heading in a text without markup: alone on a line, numbered, and no sentence."""
PLAIN_ARTICLE = re.compile(
    r"(?:§ ?\d+\w?|(?i:article|artículo|artikel) \d+|第[\d０-９一二三四五六七八九十百]+条|제\d+조)"
    r"[^.:;!?。：；！？，\n]{2,60}(?=\n)"
)
"""The heading of an article: the line above its text, in a text without markup."""
PLAIN_TITLE = re.compile(r"[《「『“„«]?[^\W\d_](?:[^。.！？!?:：；;，\n]|(?<=\b\w)\.){1,60}")
"""Its title: the first line, if it is no sentence."""


def named(text: str) -> str:
    """Return a heading without number, pictures and the mark of a link to it."""
    text = " ".join(text.split())
    found = _HEAD_NUMBER.match(text)
    kept = text[found.end() :] if found else text
    kept = re.sub(r"^[（(]([^（）()]+)[）)]$", r"\1", kept)
    return kept.rstrip(":： ¶").strip() or text


def letters(text: str) -> str:
    """Return a text without case, blanks and marks, to tell equal ones."""
    return re.sub(r"[\W_]+", "", text.casefold())
