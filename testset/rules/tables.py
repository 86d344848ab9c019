"""Table cells: "What is the weight of the VT-240?" for Markdown tables and CSV files."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from testset.corpus.passages import Passage
from testset.rules.passage_candidate import Candidate

__all__ = ["tables"]

MOST_PER_TABLE = 12
LONGEST_NAME = 48
_EMPTY = frozenset({"", "-", "–", "—", "n/a", "none", "yes", "no", "ja", "nein", "all", "●", "✓"})
_TEMPLATES = {
    "en": "What is the {column} of {row}?",
    "de": "Was ist bei {row} unter „{column}“ angegeben?",
    "ja": "{row}の{column}は何ですか?",
    "zh": "{row}的{column}是什么？",
}
_ROW_HEADS = frozenset({"property", "item", "eigenschaft", "項目", "项目", "属性"})
_CODE = re.compile(r"(?:[A-Z]{1,6}-?\d[\w-]*|[A-Z][\w-]* ?\d[\w.-]*)$")
_NO_NOUN = re.compile(
    r"(?:value|wert|number|no|quantity|description|item|total|note|notes|name|.*\b(?:\w+ed|in|"
    r"until|"
    r"since|sold|may|can|with|of these)\b.*|of .*|\d.*)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Row:
    start: int
    end: int
    cells: tuple[str, ...]


def tables(passage: Passage) -> Iterator[Candidate]:
    """Yield questions for the cells of each table whose row or column has a name of its own."""
    groups: dict[int, list[_Row]] = {}
    view = passage.document.view
    for block in passage.blocks:
        if block.kind == "row" and block.header:
            rows = groups.setdefault(block.group, [_Row(0, 0, block.header)])
            rows.append(_Row(*passage.raw_span(block), view.cell_texts(block)))
    for rows in groups.values():
        yield from _cells(passage, rows)


def _cells(passage: Passage, rows: Sequence[_Row]) -> Iterator[Candidate]:
    head = rows[0].cells
    template = _TEMPLATES.get(passage.language, _TEMPLATES["en"])
    turned = bool(head) and head[0].strip().casefold() in _ROW_HEADS
    keys = Counter(row.cells[0] for row in rows[1:] if row.cells)
    asked = 0
    for row in rows[1:]:
        if len(row.cells) != len(head) or keys[row.cells[0]] > 1:
            continue
        for number in range(1, len(head)):
            names = _names(head[0], head[number], row.cells[0], turned, passage.language)
            value = row.cells[number]
            if names is None or not _is_value(value) or asked >= MOST_PER_TABLE:
                continue
            asked += 1
            owner = _article(names[1]) if template is _TEMPLATES["en"] else names[1]
            form = _plural(value) if _is_plural(names[0], template) else template
            question = form.format(column=names[0], row=owner)
            yield Candidate(
                question, value, row.start, row.end, "factoid", "table", 0.8, type="table"
            )


def _names(
    corner: str, column: str, first: str, turned: bool, language: str
) -> tuple[str, str] | None:
    """Return what is asked for and whose it is; `None` if the names would not make a question.

    German nouns keep their capital.
    """
    what, whose = (first, column) if turned else (column, first)
    what, whose = re.split(r",| \(", what)[0].strip(), whose.strip()
    if (
        not _CODE.match(whose)
        or _NO_NOUN.match(what)
        or not re.match(r"[^\W\d_]", what)
        or len(what) > LONGEST_NAME
    ):
        return None
    kind = corner.strip().casefold()
    if not turned and kind in {"code", "error", "error code"}:
        whose = f"error {whose}"
    lower = language != "de" and what[1:2].islower()
    return (what[:1].lower() + what[1:] if lower else what), whose


def _is_plural(column: str, template: str) -> bool:
    """Return whether an English column names several things."""
    return template is _TEMPLATES["en"] and re.search(r"[^\Wsui]s$", column) is not None


def _plural(value: str) -> str:
    """Return how several things are asked for: their number, or which they are."""
    counted = re.fullmatch(r"\d[\d,.]*", value) is not None
    return "How many {column} does {row} have?" if counted else "What are the {column} of {row}?"


def _article(name: str) -> str:
    """Return a model's name with its article: "the VT-240", but "error E-01"."""
    return f"the {name}" if re.match(r"[A-Z]{1,4}-\d", name) else name


def _is_value(value: str) -> bool:
    plain = value.strip().casefold()
    return plain not in _EMPTY and 1 <= len(plain) <= 120
