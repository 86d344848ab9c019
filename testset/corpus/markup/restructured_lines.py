"""Lines of reStructuredText: what is indented below a line, and where paragraphs end."""

import re
from collections.abc import Iterator, Sequence

from testset.corpus.source import Line

FIELD = re.compile(r":(?P<name>[^:`\s][^:`]*):(?:\s+|$)(?P<value>.*)")
"""A field: ":name: value"."""


def items_of(lines: Sequence[Line]) -> Iterator[tuple[list[Line], int]]:
    """Yield the items of a bullet list, each without its mark."""
    at = 0
    while at < len(lines):
        mark = re.match(r"[-*+](?:\s+|$)", lines[at].text)
        body, after = indented(lines, at + 1)
        if mark is not None:
            yield [lines[at].cut(mark.end()), *body], after
        at = max(after, at + 1)


def options_of(body: list[Line]) -> tuple[dict[str, str], list[Line]]:
    """Return the options at the head of the body of a directive, and the rest."""
    options: dict[str, str] = {}
    at = 0
    while at < len(body) and (match := FIELD.match(body[at].text)):
        options[match["name"]] = match["value"]
        at += 1
    return options, body[at:]


def indented(lines: Sequence[Line], at: int, *, least: int = 1) -> tuple[list[Line], int]:
    """Return the indented lines from a line on without their margin, and the line after them."""
    end = at
    while end < len(lines) and (lines[end].blank or lines[end].indent >= least):
        end += 1
    while end > at and lines[end - 1].blank:
        end -= 1
    margin = min((line.indent for line in lines[at:end] if not line.blank), default=0)
    return [line.cut(margin) for line in lines[at:end]], end


def end_of_paragraph(lines: Sequence[Line], at: int) -> int:
    """Return the line after a paragraph."""
    while at < len(lines) and not lines[at].blank:
        at += 1
    return at


def ends_in_literal(lines: Sequence[Line]) -> bool:
    """Return whether a paragraph says that code follows."""
    return bool(lines) and lines[-1].text.rstrip().endswith("::")


def without_mark(lines: Sequence[Line]) -> list[Line]:
    """Return the lines of a paragraph; of "::" at its end one colon stays, or none if alone."""
    if not ends_in_literal(lines):
        return list(lines)
    text = lines[-1].text.rstrip()
    alone = len(text) == len("::") or text[:-2].endswith(" ")
    return [*lines[:-1], lines[-1].cut(0, len(text) - (2 if alone else 1))]
