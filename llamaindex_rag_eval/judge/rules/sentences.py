"""Sentences: where each begins and ends, for English, German, Japanese and Chinese.

Headings, list items and table rows of Markdown are units of their own. Time is linear in the
length of the text.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from llamaindex_rag_eval.judge.rules.vocabulary import pattern_of, words_of

LONGEST_KEPT = 20_000
"""Characters of a text whose sentences are kept for the next who asks."""

_LINE = re.compile(r"[^\n]*\n?")
_OWN_UNIT = re.compile(r"\s*(?:#{1,6}\s|[-*+•]\s|\d{1,3}[.)]\s|\||>\s|```|={3,}|-{3,})")
_HEADING_OR_ROW = re.compile(r"\s*(?:#{1,6}\s|\||={3,}\s*$|-{3,}\s*$)")
_RULE = re.compile(r"\|[\s:|-]+")
"""What stands between the names of columns and the rows of a table."""
_WRAPPED_LINE = 60
"""Characters from which a line that ends without a full stop is taken for hard-wrapped prose."""
_WRAPPED_CJK_LINE = 30
"""The same for Chinese and Japanese, whose characters are twice as wide."""

_END = re.compile(
    r"[。！？｡!?.…](?:(?<=[.…])[.…]*[\"'”’)\]»“]*(?=\s|\Z|\[\d)"
    r"|(?<![.…])[。！？｡!?]*[」』”’）】)\"']*)"
)
_BEFORE_WORD = re.compile(r".*[\s(\[\"'“„«/]", re.DOTALL)
_LONGEST_WORD = 40
"""Characters before a full stop that are searched for an abbreviation."""
_LONGEST_MARKER = 12
"""Characters from the start of a line within which a number may be that of a list item."""
_LIST_NUMBER = re.compile(r"\s*(?:#{1,6}\s+)?\d{1,3}")
_PAIR = re.compile(r"(?<!\w)[^\W\d_]\.\s?[^\W\d_]\.")
"""An abbreviation of two words, as "z. B." or "d. h."."""
_INITIAL = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")

_ABBREVIATIONS = frozenset(words_of("abbreviations"))
_NEVER_LAST = frozenset(words_of("never_last"))
"""Abbreviations after which a sentence goes on even before a capital letter."""
_BEHIND_ORDINAL = pattern_of("ordinal_nouns", r"\s+{}", re.NOFLAG)
"""What "3." counts in German."""


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, without the white space around them.

    Example:
        >>> sentences("Dr. Ito paid 3.50 euros. Why? 東京です。大阪です。")
        ('Dr. Ito paid 3.50 euros.', 'Why?', '東京です。', '大阪です。')
    """
    return _sentences(text) if len(text) > LONGEST_KEPT else _kept_sentences(text)


def _sentences(text: str) -> tuple[str, ...]:
    return tuple(text[start:end] for start, end in sentence_spans(text))


_kept_sentences = lru_cache(maxsize=1024)(_sentences)
"""Several judgements on a sample read the same contexts, each of them more than once."""


def with_columns(units: Sequence[str]) -> list[str]:
    """Return sentences, each row of a table of Markdown with its name and its columns' at each cell.

    Example:
        >>> with_columns(["| size | day | week |", "|---|---|---|", "| large | $5 | $25 |"])[2]
        'large day $5; large week $25'
    """
    read, names = list(units), list[str]()
    for number, unit in enumerate(units):
        if not unit.startswith("|"):
            names = []
        elif _RULE.fullmatch(unit):
            names = _cells(units[number - 1]) if number else []
        elif len(cells := _cells(unit)) == len(names):
            pairs = zip(names[1:], cells[1:], strict=True)
            read[number] = "; ".join(f"{cells[0]} {name} {cell}" for name, cell in pairs) or unit
    return read


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def sentence_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return where each sentence starts and ends: `text[start:end]` is the sentence.

    Args:
        text: Plain text or Markdown in English, German, Japanese or Chinese.

    Returns:
        Spans in order that do not overlap; between them is nothing but white space. Empty for
        a text of white space.

    Example:
        >>> sentence_spans("Am 3. Mai kam er. Sie ging.")
        ((0, 17), (18, 27))
    """
    spans: list[tuple[int, int]] = []
    for start, end in _blocks(text):
        lowercase = text[start:end].islower()
        cut = start
        for match in _END.finditer(text, start, end):
            if match.end() > cut and _is_end(text, match, start, end, lowercase=lowercase):
                spans.append((cut, match.end()))
                cut = match.end()
        spans.append((cut, end))
    return tuple(span for raw in spans if (span := _strip_span(text, *raw)) is not None)


def _strip_span(text: str, start: int, end: int) -> tuple[int, int] | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches of text that sentences do not cross."""
    if text and "\n" not in text:
        yield 0, len(text)
        return
    start = position = 0
    previous = ""
    for match in _LINE.finditer(text):
        line = match.group()
        if previous and not _goes_on(previous, line):
            yield start, position
            start = position
        position = match.end()
        previous = line
    if start < len(text):
        yield start, len(text)


def _goes_on(previous: str, line: str) -> bool:
    """Return whether a line carries on the sentence of the line before it."""
    before, after = previous.strip(), line.strip()
    if not before or not after or _OWN_UNIT.match(line) or _HEADING_OR_ROW.match(previous):
        return False
    if before[-1] in ".!?。！？:：…":
        return False
    if after[0].islower() or before[-1] in ",;、，；-–":
        return True
    wide = before[-1] > "\u2e7f"
    return len(before) >= (_WRAPPED_CJK_LINE if wide else _WRAPPED_LINE)


def _is_end(text: str, match: re.Match[str], start: int, end: int, *, lowercase: bool) -> bool:
    """Return whether the punctuation found ends a sentence."""
    mark = match.group()[0]
    following = text[match.end() : match.end() + 24]
    if mark in "。！？｡":
        return not following[:1] or following[0] not in "」』）】とっ"
    if mark in "!?":
        return _mark_ends_sentence(text, match, following, lowercase=lowercase)
    if match.end() >= end:
        return True
    near = match.start() - start <= _LONGEST_MARKER
    if near and _LIST_NUMBER.fullmatch(text, start, match.start()):
        return False
    rest = following.lstrip()
    word = _word_before(text, match.start(), start)
    if rest[:1].isupper() and len(word) > 1 and word.isalpha():
        return word.casefold() not in _NEVER_LAST
    if rest[:1].islower() and not lowercase:
        return False
    if match.group().startswith(("..", "…")):
        return True
    pair = _PAIR.search(text, max(start, match.start() - 4), min(end, match.start() + 5))
    if pair is not None and pair.start() < match.start() < pair.end():
        return False
    return not _is_abbreviation(word, following, rest)


def _mark_ends_sentence(
    text: str, match: re.Match[str], following: str, *, lowercase: bool
) -> bool:
    """Return whether "!" or "?" ends a sentence; in a name like "Yahoo! is" it does not."""
    if following and not (following[0].isspace() or following[0] > "\u2e7f"):
        return False
    detached = text[match.start() - 1 : match.start()].isspace()
    return lowercase or detached or "?" in match.group() or not following.lstrip()[:1].islower()


def _word_before(text: str, position: int, start: int) -> str:
    head = text[max(start, position - _LONGEST_WORD) : position]
    before = _BEFORE_WORD.match(head)
    return head[before.end() :] if before else head


def _is_abbreviation(word: str, following: str, rest: str) -> bool:
    folded = word.casefold()
    if folded in _NEVER_LAST:
        return True
    if word.isdigit():
        return len(word) <= 2 and _BEHIND_ORDINAL.match(following) is not None
    if len(word) == 1 and word.isupper() and word != "I":
        return True
    if "." in word and _INITIAL.fullmatch(word) and len(word) > 1:
        return not rest[:1].isupper()
    return folded in _ABBREVIATIONS and not rest[:1].isupper()
