"""Excerpts mark the gold spans in the text of their documents."""

import pytest

from tests.testset.review.items import ITEMS, TEXT, span
from testset.review.view import Piece, excerpts_of


def test_evidence_is_the_whole_text_in_pieces_with_its_spans_marked():
    item = ITEMS[0].model_copy(update={"gold": ((span("twelve zones"),), (span("zones. It"),))})
    (shown,) = excerpts_of(item, {"pump.md": TEXT})
    assert shown.exact
    assert shown.pieces == (
        Piece("The VT-240 has "),
        Piece("twelve zones", 1),
        Piece(". It", 2),
        Piece(" weighs 40 kg."),
    )


def test_of_a_long_document_only_the_surroundings_are_shown():
    text = "a" * 9000 + "NEEDLE" + "b" * 9000 + "THREAD" + "c" * 9000
    gold = ((span("NEEDLE", text),), (span("THREAD", text),))
    (shown,) = excerpts_of(ITEMS[0].model_copy(update={"gold": gold}), {"pump.md": text})
    expected = ["…", "a" * 1500, "NEEDLE", "b" * 1500, "\n…\n", "b" * 1500, "THREAD", "c" * 1500]
    assert [piece.text for piece in shown.pieces] == [*expected, "…"]
    assert [piece.text for piece in shown.pieces if piece.group] == ["NEEDLE", "THREAD"]


@pytest.mark.parametrize("texts", [{}, {"pump.md": "Another text altogether."}])
def test_without_its_document_evidence_is_the_quote_in_its_kept_surroundings(texts):
    (shown,) = excerpts_of(ITEMS[1], texts)
    assert not shown.exact
    assert [piece.text for piece in shown.pieces if piece.group] == ["40 kg"]
