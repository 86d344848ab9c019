"""A PDF as Markdown: headings by the size of their letters, paragraphs whole, code as code.

A PDF has no paragraphs, only letters at places. pypdf gives the text as LlamaIndex's reader has it,
and with it size, font and place of each run of letters.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from testset.corpus.markup.marks import patterns_of
from testset.corpus.markup.page import escaped
from testset.corpus.markup.pdf_furniture import LARGER, Line, without_furniture

_MARKS = patterns_of("pdf")

_MOSTLY = 0.8
"""Share of letters of one width from which a line is code."""
_LEVELS = 4
_LONGEST_HEADING = 200
_ENDS = (".", "!", "?", ":", ";", "。", "！", "？", "：", "；", "»", "”")


class Run(NamedTuple):
    """Letters of one font in a line, where they begin, and their size."""

    text: str
    left: float
    height: float
    size: float
    font: str


def pdf_as_markdown(path: Path) -> tuple[str, str]:
    """Return the text of a PDF, and which lines of it are left out; raises what pypdf raises."""
    with path.open("rb") as file:
        from pypdf import PdfReader

        pages = enumerate(PdfReader(file).pages)
        read = [line for number, page in pages for line in _lines(page, number)]
    sizes = Counter[float]()
    for line in read:
        sizes[line.size] += len(line.text) * (not line.code)
    body = max(sizes, key=lambda size: sizes[size], default=0.0)
    lines, left_out = without_furniture(read, body)
    return _as_markdown(lines, body), left_out


def _as_markdown(lines: Sequence[Line], body: float) -> str:
    """Return lines as Markdown; `body` is the size of running text."""
    if not lines:
        return ""
    larger = sorted({line.size for line in lines if line.size > LARGER * body}, reverse=True)
    levels = {size: min(number, _LEVELS) for number, size in enumerate(larger, 1)}
    pitch = _pitch(lines, body)
    written = {word for line in lines for word in _MARKS["hyphened"].findall(line.text)}
    parts = [_shown(block, levels, written) for block in _blocks(lines, levels, pitch)]
    return "\n\n".join(filter(None, parts)) + "\n"


def _lines(page: Any, number: int) -> Iterator[Line]:
    """Yield the lines of a page in the order of its text."""
    runs: list[Run] = []

    def keep(text: str, outer: Any, inner: Any, font: Any, size: float) -> None:
        scale = abs(inner[3] * outer[3]) or abs(inner[0] * outer[0]) or 1.0
        left, height = inner[4] * outer[0] + outer[4], inner[5] * outer[3] + outer[5]
        name = str((font or {}).get("/BaseFont", ""))
        for part in re.split(r"(?<=\n)", text):
            if part:
                runs.append(Run(part, left, height, round(abs(size) * scale * 2) / 2, name))

    page.extract_text(visitor_text=keep)
    line: list[Run] = []
    for run in runs:
        last = next((other for other in reversed(line) if other.text.strip()), run)
        far = abs(run.height - last.height) > 0.6 * max(run.size, last.size, 1.0)
        if line and (line[-1].text.endswith("\n") or (far and run.text.strip())):
            yield from _line(line, number)
            line = []
        line.append(run)
    yield from _line(line, number)


def _line(runs: Sequence[Run], page: int) -> Iterator[Line]:
    inked = [run for run in runs if run.text.strip()]
    if not inked:
        return
    sizes, codes = Counter[float](), Counter[bool]()
    for run in inked:
        sizes[run.size] += len(run.text.strip())
        codes[bool(_MARKS["monospaced"].search(run.font))] += len(run.text.strip())
    text = unicodedata.normalize("NFKC", "".join(run.text for run in runs).replace("\n", " "))
    yield Line(
        text=text.rstrip(),
        left=inked[0].left,
        height=inked[0].height,
        size=sizes.most_common(1)[0][0],
        bold=all(_MARKS["bold"].search(run.font) for run in inked),
        code=codes[True] > _MOSTLY * codes.total(),
        page=page,
    )


def _pitch(lines: Sequence[Line], body: float) -> float:
    """Return how far lines of running text are apart."""
    gaps = [
        above.height - line.height
        for above, line in pairwise(lines)
        if above.page == line.page
        and above.size == line.size == body
        and above.height > line.height
    ]
    return median(gaps) if gaps else 1.2 * body


def _blocks(lines: Sequence[Line], levels: dict[float, int], pitch: float) -> Iterator[list[Line]]:
    """Yield the lines that are one heading, paragraph, item or piece of code."""
    block: list[Line] = []
    for line in lines:
        if block and _begins(line, block, levels, pitch):
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _begins(line: Line, block: Sequence[Line], levels: dict[float, int], pitch: float) -> bool:
    """Return whether a line begins a block."""
    last = block[-1]
    if (line.size in levels or last.size in levels) and line.size != last.size:
        return True
    if line.code or last.code:
        return line.code != last.code
    if _MARKS["bullet"].match(line.text) or _MARKS["number"].match(line.text):
        return True
    if line.bold != last.bold and (line.bold or all(each.bold for each in block)):
        return True
    if line.page != last.page or line.height > last.height:
        return last.text.endswith(_ENDS) or line.size in levels
    gap = last.height - line.height
    if gap > 1.35 * max(pitch, 1.2 * line.size):
        return True
    indented = line.left > last.left + 0.8 * line.size and len(block) > 1
    return indented and last.text.endswith(_ENDS) and not _MARKS["bullet"].match(block[0].text)


def _shown(block: Sequence[Line], levels: dict[float, int], written: Set[str]) -> str:
    """Return a block as Markdown.

    Args:
        block: Its lines.
        levels: The sizes of headings -> their levels.
        written: The words with a hyphen that stand within lines.
    """
    first = block[0]
    if all(line.code for line in block):
        left = min(line.left for line in block)
        return "\n".join(["```", *(_indented(line, left) for line in block), "```"])
    text = _joined([line.text.strip() for line in block], written)
    if first.size in levels and len(text) <= _LONGEST_HEADING:
        return f"{'#' * levels[first.size]} {escaped(text)}"
    if (
        all(line.bold for line in block)
        and len(text) <= _LONGEST_HEADING / 2
        and not text.endswith(_ENDS)
    ):
        return f"{'#' * min(len(set(levels.values())) + 1, 6)} {escaped(text)}"
    bullet = _MARKS["bullet"].match(text)
    if bullet is not None:
        return f"- {escaped(text[bullet.end() :], first=True)}"
    number = _MARKS["number"].match(text)
    if number is not None:
        return f"{number[1]}. {escaped(text[number.end() :], first=True)}"
    return escaped(text, first=True)


def _indented(line: Line, left: float) -> str:
    return " " * round((line.left - left) / (0.6 * max(line.size, 1.0))) + line.text.strip()


def _joined(lines: Sequence[str], written: Set[str]) -> str:
    """Return lines as one; a hyphen between small letters parts a word, unless it is written so."""
    text = lines[0]
    for line in lines[1:]:
        parted = _MARKS["parted"].search(f"{text}\n{line}")
        if parted is not None and f"{parted[1]}-{parted[2]}" not in written:
            text = text[:-1] + line
        elif text.endswith("-") or (
            _MARKS["wide"].match(text[-1:]) and _MARKS["wide"].match(line[:1])
        ):
            text += line
        else:
            text += f" {line}"
    return text
