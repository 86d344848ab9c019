"""Nodes carry their document and exact offsets, however they are cut."""

from llama_index.core.schema import MetadataMode

from testset import Corpus, SourceDocument, exact_nodes
from testset.corpus.nodes import section_nodes, window_nodes


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
