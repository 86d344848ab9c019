"""A PDF as Markdown: headings by the size of their letters, paragraphs whole, tables, code as code.

A PDF has no paragraphs, only letters at places. pdfplumber gives the words in the order in which
they are drawn, with size, font and place of each, and the tables that have rules;
`pdf_tables` finds those that have none.
"""

import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from llamaindex_rag_eval.errors import DocumentError
from testset.corpus.markup.marks import patterns_of
from testset.corpus.markup.page import escaped, table_lines
from testset.corpus.markup.pdf_furniture import LARGER, Line, Segment, without_furniture
from testset.corpus.markup.pdf_tables import Cell, cell_of, gridded_cells, gridded_rows, with_tables

_MARKS = patterns_of("pdf")

_MOSTLY = 0.8
"""Share of letters of one width from which a line is code."""
_LEVELS = 4
_LONGEST_HEADING = 200
_ENDS = (".", "!", "?", ":", ";", "。", "！", "？", "：", "；", "»", "”")
_BACK = 3
"""Lines back to which a word may belong: those of a cell that was drawn before its neighbour."""
_APART = 0.2
"""Width of a gap between words over the size of the letters, at least: no kerning is as wide."""
_GAP = 0.9
"""Width of a gap between two cells over the size of the letters, at least."""
_IN_NUMBER = 0.35
"""The same between two digits of a number without a blank, as of thousands, at most."""
_RAISED = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
_ACCENTS = dict(zip("¨´`ˆ˜ˇ˚", "\u0308\u0301\u0300\u0302\u0303\u030c\u030a", strict=True))
_REPAIR = b"\nendstream\nendobj\ntrailer\n<</Root<</Type/Catalog>>>>\nstartxref\n0\n%%EOF"
"""What lets a file be read whose end, with the list of its pages, is missing."""


Word = dict[str, Any]
"""A word as pdfplumber has it: text, x0, x1, top, bottom, fontname, size."""


def pdf_as_markdown(path: Path) -> tuple[str, str]:
    """Return the text of a PDF, and what of it is left out; raises what pdfplumber raises.

    Raises:
        DocumentError: It is encrypted, or cut off before its first page, or pdfplumber is not
            installed.
    """
    pages, faults = _pages(path.read_bytes())
    lines = [line for page in pages for line in page]
    if unknown := sum(line.text.count("\ufffd") for line in lines):
        faults.append(f"{unknown} letters whose font does not tell them, which are read as U+FFFD")
    sizes = Counter[float]()
    for line in [line for line in lines if not (line.code or line.cells)] or lines:
        sizes[line.size] += len(line.text)
    body = max(sizes, key=lambda size: sizes[size], default=0.0)
    lines, left_out = without_furniture(lines, body)
    return _as_markdown(lines, body), "; ".join(filter(None, (*faults, left_out)))


def _pages(data: bytes) -> tuple[list[list[Line]], list[str]]:
    """Return the lines of each page, and which pages cannot be read."""
    try:
        import pdfplumber
        from pdfplumber.utils.exceptions import PdfminerException
    except ModuleNotFoundError:
        install = 'pip install "llamaindex-rag-eval[pdf]"'
        raise DocumentError(f"is a PDF, which needs more packages: {install}") from None

    whole = b"%%EOF" in data
    try:
        file = pdfplumber.open(io.BytesIO(data if whole else data + _REPAIR))
    except PdfminerException as error:
        if "Password" in type(error.args[0]).__name__:
            raise DocumentError("is encrypted; save it without a password") from error
        raise error.args[0] from error
    pages: list[list[Line]] = []
    faults = [] if whole else ["the end of the file, which is missing"]
    for number, page in enumerate(file.pages):
        try:
            pages.append(list(with_tables(list(_lines(page, number)))))
        except Exception as error:  # noqa: BLE001 - the parser raises anything; other pages are read
            faults.append(f"page {number + 1}: {type(error).__name__}: {error}")
        page.close()
    if not whole and not any(pages):
        raise DocumentError("is cut off, and no page of it can be read")
    return pages, faults


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
    """Yield the lines of a page in the order in which it is drawn, and tables that have rules."""
    from pdfplumber.utils.text import extract_words

    words: list[Word] = extract_words(
        _once(page.chars),
        use_text_flow=True,
        x_tolerance_ratio=_APART,
        extra_attrs=["fontname", "size"],
    )
    grid = gridded_cells(page)
    cells = [cell_of(word, grid) for word in words]
    words_of: dict[int, dict[Cell, list[Word]]] = {}
    for word, cell in zip(words, cells, strict=True):
        if cell is not None:
            words_of.setdefault(cell.table, {}).setdefault(cell, []).append(word)
    tables = {
        table: gridded_rows({cell: list(_drawn(own, page, number)) for cell, own in parts.items()})
        for table, parts in words_of.items()
    }
    loose: list[Word] = []
    for word, cell in zip(words, cells, strict=True):
        if cell is None or tables[cell.table] is None:
            loose.append(word)
        elif rows := tables[cell.table]:
            yield from _drawn(loose, page, number)
            yield from rows
            loose, tables[cell.table] = [], []
    yield from _drawn(loose, page, number)


def _once(chars: Sequence[Word]) -> list[Word]:
    """Return letters without those that are drawn twice, to be bold, and with numbers whole."""
    drawn: dict[tuple[str, int, int], tuple[float, float]] = {}
    letters: list[Word] = []
    for char in chars:
        x, y = char["x0"], char["top"]
        near = (
            drawn.get((char["text"], round(x) + across, round(y) + down), (-9.0, -9.0))
            for across in (-1, 0, 1)
            for down in (-1, 0, 1)
        )
        if any(abs(x - left) < 1 and abs(y - top) < 1 for left, top in near):
            continue
        drawn[char["text"], round(x), round(y)] = x, y
        if letters and letters[-1]["text"].isdigit() and char["text"].isdigit():
            gap = x - letters[-1]["x1"]
            if 0 < gap <= _IN_NUMBER * char["size"] and letters[-1]["top"] == y:
                letters[-1] = {**letters[-1], "x1": x}
        letters.append(char)
    return letters


def _in_lines(words: Sequence[Word]) -> list[list[Word]]:
    """Return the words of each line."""
    lines: list[list[Word]] = []
    for word in words:
        line = next((line for line in lines[: -_BACK - 1 : -1] if _is_beside(word, line)), None)
        if line is None:
            lines.append([word])
        else:
            line.append(word)
    return [sorted(line, key=lambda word: float(word["x0"])) for line in lines]


def _is_beside(word: Word, line: Sequence[Word]) -> bool:
    """Return whether a word stands in a line, over none of its words."""
    room = 0.5 * max(word["size"], line[-1]["size"], 1.0)
    return abs(word["bottom"] - line[-1]["bottom"]) <= 1.2 * room and all(
        word["x0"] >= other["x1"] - room or word["x1"] <= other["x0"] + room for other in line
    )


def _drawn(words: Sequence[Word], page: Any, number: int) -> Iterator[Line]:
    for line in _in_lines(words):
        sizes, codes = Counter[float](), Counter[bool]()
        for word in line:
            sizes[round(word["size"] * 2) / 2] += len(word["text"])
            codes[bool(_MARKS["monospaced"].search(word["fontname"]))] += len(word["text"])
        size, code = sizes.most_common(1)[0][0], codes[True] > _MOSTLY * codes.total()
        segments = _segments(line, size, code=code)
        yield Line(
            text=" ".join(segment.text for segment in segments),
            left=line[0]["x0"],
            height=page.height - line[0]["bottom"],
            size=size,
            bold=all(_MARKS["bold"].search(word["fontname"]) for word in line),
            code=code,
            page=number,
            segments=() if code else tuple(segments),
        )


def _segments(words: Sequence[Word], size: float, *, code: bool) -> list[Segment]:
    """Return the parts of a line between wide gaps; of code the whole, with its blanks."""
    segments: list[Segment] = []
    base = next(word["bottom"] for word in words if round(word["size"] * 2) / 2 == size)
    end = words[0]["x0"]
    for word in words:
        text, gap = word["text"], word["x0"] - end
        raised = word["size"] < 0.85 * size and word["bottom"] < base - 0.1 * size
        text = text.translate(_RAISED) if raised else text
        if not segments or (gap > _GAP * size and not code):
            segments.append(Segment(word["x0"], word["x1"], text))
        else:
            blanks = max(1, round(gap / (0.6 * size))) if code else 1
            between = " " * blanks if gap > _APART * min(size, word["size"]) else ""
            segments[-1] = Segment(
                segments[-1].left, word["x1"], segments[-1].text + between + text
            )
        end = word["x1"]
    return [segment._replace(text=_cleaned(segment.text)) for segment in segments]


def _cleaned(text: str) -> str:
    """Return a text with ligatures, radicals and accents that stand alone as what they mean."""
    text = _MARKS["unknown"].sub("\ufffd", text)
    text = _MARKS["presented"].sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    text = _MARKS["accented"].sub(
        lambda match: match[2].replace("ı", "i") + _ACCENTS[match[1]], text
    )
    return unicodedata.normalize("NFC", text).replace("\xad", "-")


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
    """Yield the lines that are one heading, paragraph, item, table or piece of code."""
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
    if line.cells or last.cells:
        goes_on = line.table == last.table or line.page == last.page + 1
        return not goes_on or len(line.cells) != len(last.cells)
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
    if first.cells:
        rows = [line.cells for line in block if line is first or line.cells != first.cells]
        return "\n".join(table_lines(rows, named=_names_columns(block)))
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


def _names_columns(rows: Sequence[Line]) -> bool:
    """Return whether the first row of a table names its columns: it is bold, or has no number."""
    first = rows[0].cells
    if len(rows) == 1 or not all(first[1:]):
        return False
    numbers = any(re.match(r"[\W\d]*\d", cell) for cell in first)
    return rows[0].bold or (not numbers and (len(first) > 2 or _has_number(rows[1:])))


def _has_number(rows: Sequence[Line]) -> bool:
    return all(re.search(r"\d", row.cells[-1]) for row in rows)


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
