"""Marks within reStructuredText: roles, links, literals, substitutions, footnotes."""

import re
from collections.abc import Iterator

from testset.corpus.source import Part, Source

_ROLE = re.compile(r"(?::[\w:.+-]+:)?`(?P<text>(?:[^`\\]|\\.)+)`(?P<tail>__?)?", re.DOTALL)
_LITERAL = re.compile(r"``(?P<text>.+?)``(?![\w`])", re.DOTALL)
_STRONG = re.compile(r"\*\*(?=\S)(?P<text>.+?)(?<=[^\s*])\*\*(?!\w)", re.DOTALL)
_EMPHASIS = re.compile(r"\*(?=[^\s*])(?P<text>.+?)(?<=[^\s*])\*(?![\w*])", re.DOTALL)
_REFERENCE = re.compile(r"(?P<text>[A-Za-z0-9]+(?:[-.+:_][A-Za-z0-9]+)*)__?(?![\w`])")
_NOTE_MARK = re.compile(r"\s*\[(?:#?[\w-]*|\*)\]_(?!\w)")
_SUBSTITUTION = re.compile(r"\|(?=\S)(?P<text>[^|\n]+?)(?<=\S)\|_{0,2}(?!\w)")
_TARGET = re.compile(r"(?P<text>.*?)\s*<(?P<to>[^<>]*)>$", re.DOTALL)
_BEFORE = re.compile(r"[\s'\"(\[{<\-/:‘“’«¡¿–—]|[^\x00-\x7f]")
_MARKS = re.compile(r"[\\`*|:\[_]|[A-Za-z0-9]+(?:[-.+:_][A-Za-z0-9]+)*__?")


def seen_in_restructured(source: Source, replaced: dict[str, str]) -> Iterator[Part]:
    """Yield the parts of a source that a reader sees."""
    text, at, done = source.text, 0, 0
    while match := _MARKS.search(text, at):
        low = match.start()
        found = _mark(text, low, replaced)
        if found is None:
            at = low + 1 if not match[0][0].isalnum() else match.end()
            continue
        start, end, after, shown = found
        yield from source.parts(done, low)
        yield from source.parts(start, end, shown)
        at = done = after
    yield from source.parts(done)


def _mark(text: str, low: int, replaced: dict[str, str]) -> tuple[int, int, int, str | None] | None:
    """Return what a mark shows: its span, where the mark ends, and a text that replaces it."""
    if text[low] == "\\":
        skipped = 2 if text[low + 1 : low + 2].isspace() else 1
        end = min(low + 2, len(text))
        return (low + skipped, end, end, None)
    if low and not _BEFORE.match(text[low - 1]) and text[low - 1] != "\\":
        return None
    for pattern in (_LITERAL, _STRONG, _EMPHASIS):
        if match := pattern.match(text, low):
            return (*match.span("text"), match.end(), None)
    if match := _NOTE_MARK.match(text, low):
        return match.end(), match.end(), match.end(), None
    if match := _SUBSTITUTION.match(text, low):
        return (*match.span("text"), match.end(), replaced.get(match["text"]))
    if match := _ROLE.match(text, low):
        return _role(match)
    if match := _REFERENCE.match(text, low):
        return (*match.span("text"), match.end(), None)
    return None


def _role(match: re.Match[str]) -> tuple[int, int, int, str | None]:
    """Return what a role or a link shows: its title, or the last part of "~a.b.c"."""
    low, high = match.span("text")
    target = _TARGET.match(match["text"])
    if target is not None:
        if target["text"].strip():
            return low, low + target.end("text"), match.end(), None
        return low + target.start("to"), low + target.end("to"), match.end(), None
    if match["text"].startswith("~"):
        return low + max(1, match["text"].rfind(".") + 1), high, match.end(), None
    return low + match["text"].startswith(("!", ".")), high, match.end(), None
