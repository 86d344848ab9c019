"""Spans of the plain view become exact spans of the raw text and come back, in every format."""

import re

import pytest
from hypothesis import given, settings, strategies as st

from testset import SourceDocument
from testset.corpus.plain import Block, Piece, PlainView

FRAGMENTS = [
    "Vents open at 8 a.m.",
    " ",
    "\n",
    "\n\n",
    "\r\n",
    "**bold** ",
    "*",
    "_em_ ",
    "`code`",
    "``lit``",
    "[a](b) ",
    ":ref:`x <y>`",
    "link:u[t]",
    "&amp;",
    "&#8211;",
    "\\*",
    "<b>",
    "</b>",
    "<p>",
    "<td>",
    "<tr>",
    "<table>",
    "</table>",
    "<li>",
    "<br>",
    "<pre>",
    "# ",
    "= ",
    "====\n",
    "- ",
    "  - ",
    "1. ",
    "    ",
    "> ",
    "| a | b |\n",
    "|---|---|\n",
    "|===\n",
    "+---+---+\n",
    "=== ===\n",
    ".. note::\n",
    "::\n",
    ":: ",
    "term::\n",
    ":   ",
    "```py\n",
    "----\n",
    "/// tip | T\n",
    "///\n",
    "---\n",
    "!!! note\n",
    "[^1]",
    "{#a}",
    "日本語の",
    "文章。",
    '"x, y",',
    "\u2028",
    "\0",
    "\t",
]
MIXED = st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join)
ENDINGS = ["adoc", "csv", "html", "md", "rst", "txt"]


@pytest.mark.parametrize("ending", ENDINGS)
@settings(max_examples=30, deadline=None)
@given(MIXED, st.data())
def test_a_span_of_exact_characters_comes_back_from_the_raw_text(ending, text, data):
    view = SourceDocument(f"d.{ending}", text).view
    exact = exact_places(view)
    if not exact:
        return
    start = data.draw(st.sampled_from(exact))
    end = data.draw(st.sampled_from([place for place in exact if place >= start])) + 1
    low, high = view.raw_span(start, end)
    assert 0 <= low < high <= len(text)
    found = view.plain_span(low, high)
    assert found is not None
    assert found[0] <= start < end <= found[1]
    if in_order(view):
        assert found == (start, end)


@pytest.mark.parametrize("ending", ENDINGS)
@settings(max_examples=30, deadline=None)
@given(MIXED)
def test_each_exact_character_stands_at_its_place_in_the_raw_text(ending, text):
    view = SourceDocument(f"d.{ending}", text).view
    for place in exact_places(view):
        low, high = view.raw_span(place, place + 1)
        assert high == low + 1
        assert simple(view.text[place]) == simple(text[low:high])


@pytest.mark.parametrize("ending", ENDINGS)
@settings(max_examples=30, deadline=None)
@given(MIXED)
def test_blocks_follow_each_other_and_hold_their_cells(ending, text):
    view = SourceDocument(f"d.{ending}", text).view
    ends = [0, *(block.end for block in view.blocks)]
    for block, before in zip(view.blocks, ends, strict=False):
        assert before <= block.start < block.end <= len(view.text)
        assert all(block.start <= low <= high <= block.end for low, high in block.cells)


def test_what_stands_for_a_mark_is_mapped_as_a_whole():
    view = SourceDocument("a.md", "a &amp; b").view
    assert view.text == "a & b"
    assert view.raw_span(2, 3) == (2, 7)
    assert view.plain_span(4, 5) == (2, 3)


def test_a_value_as_long_as_its_name_is_mapped_as_a_whole():
    view = SourceDocument("a.adoc", ":a: xyz\n\nbe {a} on").view
    assert view.text == "be xyz on"
    assert view.raw_span(4, 5) == (12, 15)


def test_a_part_that_no_reader_sees_has_no_plain_span():
    view = SourceDocument("a.md", "[text](http://x.y)").view
    assert view.plain_span(8, 12) is None


def test_pieces_out_of_order_give_the_span_around_them():
    # Two cells of a grid whose first one runs on below the second: "ab" at 0, "cd" at 10, "x" at 5.
    pieces = [
        Piece(0, 0, 2, True, 2),
        Piece(2, 10, 12, True, 4),
        Piece(4, 5, 6, True, 5),
    ]
    view = PlainView("abcdx", (Block("row", 0, 5),), pieces)
    assert view.raw_span(2, 5) == (5, 12)
    assert view.plain_span(5, 12) == (2, 5)


def exact_places(view):
    """Return the characters of a plain text that are mapped one by one."""
    ends = [piece.end for piece in view.pieces]
    assert ends == [*(piece.start for piece in view.pieces[1:]), len(view.text)][: len(ends)]
    return [
        place
        for piece, end in zip(view.pieces, ends, strict=False)
        if piece.exact
        for place in range(piece.start, end)
    ]


def simple(character):
    """Return a character with blanks made equal; CommonMark replaces the zero byte."""
    return re.sub(r"\s", " ", character).replace("\0", "\ufffd")


def in_order(view):
    return all(
        one.raw_end <= two.raw_start for one, two in zip(view.pieces, view.pieces[1:], strict=False)
    )
