"""Chunks and nodes lie at their offsets, also where a text repeats itself."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llama_index.core.schema import MetadataMode

from llamaindex_rag_eval.errors import InputError
from testset import Corpus, SourceDocument, chunks_of, exact_nodes
from testset.corpus.chunks import section_nodes, window_nodes

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


def test_nodes_carry_document_and_offsets():
    corpus = Corpus.of([SourceDocument("a/b.md", "One two. One two. Three.")])
    nodes = exact_nodes(corpus.llama_documents(), chunk_size=9)
    assert {node.ref_doc_id for node in nodes} == {"a/b.md"}
    for node in nodes:
        assert corpus.texts["a/b.md"][node.start_char_idx : node.end_char_idx] == node.text


def test_windows_are_cut_anywhere_and_lose_nothing():
    corpus = Corpus.of([SourceDocument("a.md", "One two three.")])
    nodes = window_nodes(corpus.llama_documents(), size=6)
    assert [node.text for node in nodes] == ["One tw", "o thre", "e."]
    assert [(node.start_char_idx, node.end_char_idx) for node in nodes] == [
        (0, 6),
        (6, 12),
        (12, 14),
    ]


def test_sections_end_at_headings_and_name_them():
    text = "# Vents\n\nBoth open.\n\n## Winter\n\nBoth stay shut.\n"
    nodes = section_nodes(Corpus.of([SourceDocument("a.md", text)]).llama_documents())
    assert [(node.text, node.metadata["section"]) for node in nodes] == [
        ("Both open.", "Vents"),
        ("Both stay shut.", "Vents / Winter"),
    ]
    for node in nodes:
        assert text[node.start_char_idx : node.end_char_idx] == node.text
        assert node.metadata["section"] in node.get_content(metadata_mode=MetadataMode.EMBED)
