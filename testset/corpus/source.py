"""Parts of the raw text: lines with their places, and what is written of them."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

BREAK = "\u2028"
"""What a reader of a format writes for a line break that the author asked for."""
_RUN = re.compile(r"\u2028|[^\S\u2028]+|\S+(?: \S+)*")
WIDE = re.compile("[\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]")
"""Characters of Chinese, Japanese and Korean, between which a line break is no blank."""
_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n|\Z)")
_WORDS = re.compile(r"\s+")


class Part(NamedTuple):
    """Text to be written, and the part of the raw text that it stands for."""

    text: str
    raw_start: int
    raw_end: int
    replaced: bool = False
    """Whether the text is another than that of the raw text, though it may be as long."""


class Line(NamedTuple):
    """A line without its end, and where it begins in the raw text."""

    start: int
    text: str

    def cut(self, low: int, high: int | None = None) -> "Line":
        """Return a part of the line."""
        return Line(self.start + min(low, len(self.text)), self.text[low:high])

    def stripped(self) -> "Line":
        """Return the line without the blanks around it."""
        return self.cut(len(self.text) - len(self.text.lstrip()), len(self.text.rstrip()))

    @property
    def indent(self) -> int:
        """Blanks before its first character."""
        return len(self.text) - len(self.text.lstrip())

    @property
    def blank(self) -> bool:
        """Whether it holds only blanks."""
        return not self.text.strip()


def lines_of(text: str, start: int = 0, end: int | None = None) -> list[Line]:
    r"""Return the lines of a part of a text.

    Example:
        >>> [line.text for line in lines_of("a\r\nb\nc")]
        ['a', 'b', 'c']
    """
    end = len(text) if end is None else end
    lines = [Line(match.start(), match[1]) for match in _LINE.finditer(text, start, end)]
    return lines[:-1] if len(lines) > 1 and not lines[-1].text else lines


def indented(lines: Sequence[Line], at: int) -> tuple[list[Line], int]:
    """Return the indented lines from a line on without their indentation, and the line after."""
    end = at
    while end < len(lines) and (lines[end].blank or lines[end].indent):
        end += 1
    while end > at and lines[end - 1].blank:
        end -= 1
    margin = min((line.indent for line in lines[at:end] if not line.blank), default=0)
    return [line.cut(margin) for line in lines[at:end]], end


class Source:
    """Lines of the raw text, each without its margin, as one string with a map to the raw text."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.text = "\n".join(line.text for line in lines)
        self._offsets = list(accumulate((len(line.text) + 1 for line in lines), initial=0))

    def parts(self, low: int = 0, high: int | None = None, text: str | None = None) -> list[Part]:
        """Return a span as parts: its lines as they are, or another text for the whole of it."""
        high = len(self.text) if high is None else high
        parts: list[Part] = []
        for number in range(max(0, bisect_right(self._offsets, low) - 1), len(self.lines)):
            line, offset = self.lines[number], self._offsets[number]
            end = offset + len(line.text)
            start, stop = max(low, offset), min(high, end)
            if start < stop:
                raw = line.start - offset
                parts.append(Part(self.text[start:stop], start + raw, stop + raw))
            if low <= end < high and number + 1 < len(self.lines):
                parts.append(Part("\n", line.start + len(line.text), self.lines[number + 1].start))
            if end + 1 >= high:
                break
        if text is None or not parts:
            return parts
        return [Part(text, parts[0].raw_start, parts[-1].raw_end, replaced=True)]


def squeezed(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield parts with single blanks between words, and none at the ends.

    A line break between two characters of Chinese, Japanese or Korean vanishes; elsewhere it is
    a blank.
    """
    last = ""
    gap: Part | None = None
    for part in parts:
        for run in _runs(part):
            if run.text.isspace():
                gap = run if gap is None else Part(gap.text + run.text, gap.raw_start, run.raw_end)
                continue
            between = _between(gap.text, last, run.text[0]) if gap is not None and last else ""
            if gap is not None and between:
                yield Part(between, gap.raw_start, gap.raw_end)
            gap, last = None, run.text[-1]
            yield run


def _runs(part: Part) -> Iterator[Part]:
    """Yield the runs of words, and of blanks, of a part."""
    if part.replaced or len(part.text) != part.raw_end - part.raw_start:
        text = _WORDS.sub(" ", part.text) if part.text.strip() else part.text
        if text:
            yield part._replace(text=text)
        return
    for match in _RUN.finditer(part.text):
        yield Part(match[0], part.raw_start + match.start(), part.raw_start + match.end())


def _between(gap: str, before: str, after: str) -> str:
    if BREAK in gap:
        return "\n"
    return "" if "\n" in gap and WIDE.match(before) and WIDE.match(after) else " "
