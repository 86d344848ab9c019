"""Sentences and blocks lie at their offsets; headings, lists and tables are told apart."""

from hypothesis import given, settings

from tests.testset.corpus.test_chunks import REPEATED
from testset import SourceDocument
from testset.corpus.passages import blocks_of, passages_of


@settings(max_examples=60, deadline=None)
@given(REPEATED)
def test_sentences_of_passages_lie_at_their_offsets(text):
    for passage in passages_of(SourceDocument("d", text)):
        for sentence in passage.sentences:
            assert text[sentence.start : sentence.end] == sentence.text


def test_blocks_tell_headings_lists_and_tables_apart():
    text = "1. PURPOSE\nThis says why.\n\n- one\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    kinds = [block.kind for block in blocks_of(text)]
    assert kinds == ["heading", "paragraph", "item", "row", "rule", "row"]
