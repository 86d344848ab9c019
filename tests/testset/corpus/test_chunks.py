"""Chunks lie at their offsets, also where a text repeats itself."""

from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from llamaindex_rag_eval.errors import InputError
from testset import chunks_of

PARTS = [
    "All rights reserved. ",
    "Vents open. ",
    "東京です。",
    "\n\n",
    "# Title\n",
    "- item\n",
    "x" * 40,
]
REPEATED = st.lists(st.sampled_from(PARTS), max_size=30).map("".join)


@settings(max_examples=60, deadline=None)
@given(REPEATED, st.integers(1, 60), st.data())
def test_every_chunk_is_the_text_at_its_offsets_and_none_is_lost(text, size, data):
    overlap = data.draw(st.integers(0, size - 1))
    chunks = chunks_of(text, chunk_size=size, overlap=overlap)
    assert all(text[chunk.start : chunk.end] == chunk.text for chunk in chunks)
    assert all(0 < chunk.end - chunk.start <= size for chunk in chunks)
    assert all(before.start < after.start for before, after in pairwise(chunks))
    covered = {place for chunk in chunks for place in range(chunk.start, chunk.end)}
    assert all(text[place].isspace() for place in set(range(len(text))) - covered)


def test_a_repeated_sentence_has_a_place_of_its_own_each_time():
    text = "Same here. Same here. Same here."
    assert [chunk.start for chunk in chunks_of(text, chunk_size=10)] == [0, 11, 22]


def test_overlap_repeats_whole_sentences():
    chunks = chunks_of("A one. B two. C three.", chunk_size=15, overlap=7)
    assert [chunk.text for chunk in chunks] == ["A one. B two.", "B two. C three."]


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (5, 5), (5, -1)])
def test_sizes_that_make_no_sense_are_refused(size, overlap):
    with pytest.raises(InputError, match="chunk_size"):
        chunks_of("text", chunk_size=size, overlap=overlap)
