"""A PDF as Markdown: headings by the size of their letters, paragraphs whole, code as code.

A PDF has no paragraphs, only letters at places. pypdf gives the text as LlamaIndex's reader has it,
and with it size, font and place of each run of letters.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path
from statistics import median
from typing import Any

from testset.corpus.markup.page import escaped

_LARGER = 1.08
"""How much larger than the text around it a heading is set, at least."""
_MOSTLY = 0.8
"""Share of letters of one width from which a line is code."""
_LEVELS = 4
_LONGEST_HEADING = 200
_MONOSPACED = re.compile(r"mono|courier|consol|code|typewriter|tt\d", re.IGNORECASE)
_BOLD = re.compile(r"bold|black|heavy|semibold|[a-z]-?bx\d", re.IGNORECASE)
_BULLET = re.compile(r"\s*(?:[•◦▪▫●○■□‣⁃–·∙-]|o(?= ))\s+(?=\S)|\s*[•●▪]\s*")
_NUMBER = re.compile(r"\s*(\d{1,2})[.)]\s+(?=\S)")
_LEADS_ON = re.compile(r"(?:\s*\.){4,}\s*[\divxlc]*\s*$")
"""A line of a table of contents: dots that lead to the number of a page."""
_ENDS = (".", "!", "?", ":", ";", "。", "！", "？", "：", "；", "»", "”")
_HYPHENED = re.compile(r"[^\W\d_]+-[^\W\d_]+")
_PARTED = re.compile(r"([^\W\d_]+)-\n((?=[a-zß-öø-ÿ])[^\W\d_]+)")
_WIDE = re.compile("[\u2e80-\u9fff\uff00-\uffef]")
_EDGE = 2
"""Lines at the head and at the foot of a page that may stand on each page."""
_REPEATED = 3
"""Pages on which they stand then."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of letters.

    Attributes:
        text: What it says.
        left: Its first character's distance from the left edge.
        height: Its distance from the lower edge.
        size: The size of most of its letters.
        bold: Whether all of them are bold.
        code: Whether most are of one width.
        page: The number of its page.
    """

    text: str
    left: float
    height: float
    size: float
    bold: bool
    code: bool
    page: int


def pdf_as_markdown(path: Path) -> str:
    """Return the text of a PDF; raises what pypdf raises."""
    with path.open("rb") as file:
        from pypdf import PdfReader

        pages = enumerate(PdfReader(file).pages)
        lines = [line for number, page in pages for line in _lines(page, number)]
    lines = [line for line in _without_edges(lines) if not _LEADS_ON.search(line.text)]
    if not lines:
        return ""
    sizes = Counter[float]()
    for line in lines:
        sizes[line.size] += len(line.text) * (not line.code)
    body = sizes.most_common(1)[0][0]
    larger = sorted({line.size for line in lines if line.size > _LARGER * body}, reverse=True)
    levels = {size: min(number, _LEVELS) for number, size in enumerate(larger, 1)}
    pitch = _pitch(lines, body)
    written = {word for line in lines for word in _HYPHENED.findall(line.text)}
    parts = [_shown(block, levels, written) for block in _blocks(lines, levels, pitch)]
    return "\n\n".join(filter(None, parts)) + "\n"


def _lines(page: Any, number: int) -> Iterator[_Line]:
    """Yield the lines of a page in the order of its text."""
    runs: list[tuple[str, float, float, float, str]] = []

    def keep(text: str, outer: Any, inner: Any, font: Any, size: float) -> None:
        scale = abs(inner[3] * outer[3]) or abs(inner[0] * outer[0]) or 1.0
        left, height = inner[4] * outer[0] + outer[4], inner[5] * outer[3] + outer[5]
        name = str((font or {}).get("/BaseFont", ""))
        for part in re.split(r"(?<=\n)", text):
            if part:
                runs.append((part, left, height, round(abs(size) * scale * 2) / 2, name))

    page.extract_text(visitor_text=keep)
    line: list[tuple[str, float, float, float, str]] = []
    for run in runs:
        inked = [each for each in line if each[0].strip()]
        if line and (line[-1][0].endswith("\n") or (inked and _below(run, inked[-1]))):
            yield from _line(line, number)
            line = []
        line.append(run)
    yield from _line(line, number)


def _below(
    run: tuple[str, float, float, float, str], last: tuple[str, float, float, float, str]
) -> bool:
    return bool(run[0].strip()) and abs(run[2] - last[2]) > 0.6 * max(run[3], last[3], 1.0)


def _line(runs: Sequence[tuple[str, float, float, float, str]], page: int) -> Iterator[_Line]:
    inked = [run for run in runs if run[0].strip()]
    if not inked:
        return
    sizes, codes = Counter[float](), Counter[bool]()
    for text, _, _, size, name in inked:
        sizes[size] += len(text.strip())
        codes[bool(_MONOSPACED.search(name))] += len(text.strip())
    text = unicodedata.normalize("NFKC", "".join(run[0] for run in runs).replace("\n", " "))
    names = [name for _, _, _, _, name in inked]
    yield _Line(
        text=text.rstrip(),
        left=inked[0][1],
        height=inked[0][2],
        size=sizes.most_common(1)[0][0],
        bold=all(_BOLD.search(name) for name in names),
        code=codes[True] > _MOSTLY * codes.total(),
        page=page,
    )


def _without_edges(lines: Sequence[_Line]) -> Iterator[_Line]:
    """Yield the lines without numbers of pages and what stands at the edge of many pages."""
    pages = [list(found) for _, found in groupby(lines, lambda line: line.page)]
    edges = [found[:_EDGE] + found[-_EDGE:] for found in pages]
    times = Counter(
        key for found in edges for key in {_without_numbers(line.text) for line in found}
    )
    for found, edge in zip(pages, edges, strict=True):
        for line in found:
            key = _without_numbers(line.text)
            if line not in edge or (key and times[key] < _REPEATED):
                yield line


def _without_numbers(text: str) -> str:
    return re.sub(r"[\W\d]+|\b[ivxl]+\b", "", text.casefold())


def _pitch(lines: Sequence[_Line], body: float) -> float:
    """Return how far lines of running text are apart."""
    gaps = [
        above.height - line.height
        for above, line in pairwise(lines)
        if above.page == line.page
        and above.size == line.size == body
        and above.height > line.height
    ]
    return median(gaps) if gaps else 1.2 * body


def _blocks(
    lines: Sequence[_Line], levels: dict[float, int], pitch: float
) -> Iterator[list[_Line]]:
    """Yield the lines that are one heading, paragraph, item or piece of code."""
    block: list[_Line] = []
    for line in lines:
        if block and _begins(line, block, levels, pitch):
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _begins(line: _Line, block: Sequence[_Line], levels: dict[float, int], pitch: float) -> bool:
    """Return whether a line begins a block."""
    last = block[-1]
    if (line.size in levels or last.size in levels) and line.size != last.size:
        return True
    if line.code or last.code:
        return line.code != last.code
    if _BULLET.match(line.text) or _NUMBER.match(line.text):
        return True
    if line.bold != last.bold and (line.bold or all(each.bold for each in block)):
        return True
    if line.page != last.page or line.height > last.height:
        return last.text.endswith(_ENDS) or line.size in levels
    gap = last.height - line.height
    if gap > 1.35 * max(pitch, 1.2 * line.size):
        return True
    indented = line.left > last.left + 0.8 * line.size and len(block) > 1
    return indented and last.text.endswith(_ENDS) and not _BULLET.match(block[0].text)


def _goes_on(text: str) -> bool:
    return not text.endswith(_ENDS)


def _shown(block: Sequence[_Line], levels: dict[float, int], written: Set[str]) -> str:
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
    if all(line.bold for line in block) and len(text) <= _LONGEST_HEADING / 2 and _goes_on(text):
        return f"{'#' * min(len(set(levels.values())) + 1, 6)} {escaped(text)}"
    bullet = _BULLET.match(text)
    if bullet is not None:
        return f"- {escaped(text[bullet.end() :], first=True)}"
    number = _NUMBER.match(text)
    if number is not None:
        return f"{number[1]}. {escaped(text[number.end() :], first=True)}"
    return escaped(text, first=True)


def _indented(line: _Line, left: float) -> str:
    return " " * round((line.left - left) / (0.6 * max(line.size, 1.0))) + line.text.strip()


def _joined(lines: Sequence[str], written: Set[str]) -> str:
    """Return lines as one; a hyphen between small letters parts a word, unless it is written so."""
    text = lines[0]
    for line in lines[1:]:
        parted = _PARTED.search(f"{text}\n{line}")
        if parted is not None and f"{parted[1]}-{parted[2]}" not in written:
            text = text[:-1] + line
        elif text.endswith("-") or (_WIDE.match(text[-1:]) and _WIDE.match(line[:1])):
            text += line
        else:
            text += f" {line}"
    return text
