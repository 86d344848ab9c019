"""Titles: what a heading names, without its number and marks."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest

from testset.corpus.plain import Block, PlainView

_HEAD_NUMBER = re.compile(
    r"(?:(?:[A-Z]\.)?\d+(?:[.-]\d+)+[.)]?|[A-Z](?:\.\d+)+[.)]?|\d+[.)]|[A-Z]\.|[IVX]+\."
    r"|[A-Z][^\W\d_]+ (?:\d+|[A-Z])\.)\s+"
    r"(?=(?:\d+[.)] )?\d*[^\W\d_]|[「『“„«‘'\"])"
    r"|(?:附录|附錄|付録)\s*[A-Z][.、\s]*|(?:[一二三四五六七八九十]+、|[（(][一二三四五六七八九十]+[）)]|\d+\s+(?=[ぁ-鿿])(?!(?:[つ日年月分秒回個人名件本歳]|時間|週間?|か月)(?![一-鿿])))|第\s*[\d０-９一二三四五六七八九十百]+\s*[条章節节项項篇部回](?:の\d+)?[\s、:：]*(?=[^\W\d_]|[（(])"
    r"|[^\w§¿¡\"'“„«「『(（/-]+(?=\S)"
)
"""A number before a heading, as "2.1", "Chapter 3." or "第2条", or pictures."""
_PLAIN_HEAD = re.compile(
    r"第[\d一二三四五六七八九十]+[章节節编編]\s*[^。！？!?\n]{1,40}|[一二三四五六七八九十]+、[^。：:，,；;！？!?\n]{1,30}"
    r"|\d+(?:\.\d+)*[.)]? [^\W\d_a-z][^.:;,!?。\n]{1,60}"
)
"""A heading in a text without markup: alone on a line, numbered, and no sentence."""
_PLAIN_ARTICLE = re.compile(
    r"(?<![^\n。])(?:(?:§ ?\d+\w?|(?i:article|artículo|artikel) \d+|제\d+조|%s)"
    r"[^.:;!?。：；！？，\n]{2,60}(?=\n)|%s\s*[（(【][^）)】\n]{1,40}[)）】])"
    % ((r"第[\d０-９一二三四五六七八九十百]+条",) * 2)
)
"""The heading of an article: the line above its text, in a text without markup."""
_PLAIN_TITLE = re.compile(r"[《「『“„«]?[^\W\d_](?:[^。.！？!?:：；;，\n]|(?<=\b\w)\.){1,60}")
"""Its title: the first line, if it is no sentence."""


_ENDS = (".", "。", "!", "！")
_SHORT = 30
"""Characters of a line at most that is a heading, if sentences follow."""
_DEEP = 3
"""The level of an article, below a chapter and its sections."""


def named(text: str) -> str:
    """Return a heading without number, pictures and the mark of a link to it."""
    text = " ".join(text.split())
    kept = text
    while match := _HEAD_NUMBER.match(kept):
        kept = kept[match.end() :]
    kept = re.sub(r"^[（(]([^（）()]+)[）)]$", r"\1", kept)
    return re.sub(r"[\s:：¶#\u2600-\u27bf\ufe0f\U0001f000-\U0001faff]+$", "", kept).strip() or text


def headed(view: PlainView) -> Iterator[Block]:
    """Yield the blocks of a text without markup, with its title and headings told by their form."""
    for number, (block, below) in enumerate(zip_longest(view.blocks, view.blocks[1:])):
        text = view.block_text(block)
        said = view.block_text(below) if below is not None else ""
        if block.kind != "paragraph":
            yield block
        elif not number and _PLAIN_TITLE.fullmatch(text):
            yield replace(block, kind="title", level=1)
        elif _PLAIN_HEAD.fullmatch(text):
            level = 1 + (text[0] != "第") + text.split()[0].strip(".").count(".")
            yield replace(block, kind="heading", level=level)
        elif len(text) <= _SHORT and _PLAIN_TITLE.fullmatch(text) and said.endswith(_ENDS):
            yield replace(block, kind="heading", level=_DEEP - 1)
        else:
            ends = [0]
            for match in _PLAIN_ARTICLE.finditer(text):
                yield from _part(block, text, ends[-1], match.start())
                start, end = block.start + match.start(), block.start + match.end()
                yield replace(block, kind="heading", level=_DEEP, start=start, end=end)
                ends.append(match.end())
            yield from _part(block, text, ends[-1], len(text))


def _part(block: Block, text: str, start: int, end: int) -> Iterator[Block]:
    """Yield the part of a block that has text, without blanks around it."""
    said = text[start:end]
    low, high = start + len(said) - len(said.lstrip()), start + len(said.rstrip())
    if low < high:
        yield replace(block, start=block.start + low, end=block.start + high)
