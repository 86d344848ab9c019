"""Nodes with exact offsets: LlamaIndex documents cut into chunks, windows or sections."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from testset.corpus.chunks import CHUNK_SIZE, chunks_of
from testset.corpus.documents import SourceDocument
from testset.corpus.passages import passages_of

if TYPE_CHECKING:
    from llama_index.core.schema import Document as LlamaDocument, TextNode


def exact_nodes(
    documents: "Sequence[LlamaDocument]", *, chunk_size: int = CHUNK_SIZE, overlap: int = 0
) -> "list[TextNode]":
    """Cut LlamaIndex documents into nodes whose character offsets are right.

    Args:
        documents: The documents, as from `Corpus.llama_documents()`.
        chunk_size: Most characters in a node.
        overlap: How many characters the next node may repeat, in whole sentences.

    Returns:
        Nodes with `start_char_idx`, `end_char_idx`, `ref_doc_id`, the document's metadata, and an
        id made of document and place, so that equal chunks of two runs have equal ids.

    Raises:
        InputError: `chunk_size` or `overlap` is out of range.
    """
    return [
        _node(document, chunk.start, chunk.end)
        for document in documents
        for chunk in chunks_of(document.text, chunk_size=chunk_size, overlap=overlap)
    ]


def window_nodes(documents: "Sequence[LlamaDocument]", *, size: int) -> "list[TextNode]":
    """Cut LlamaIndex documents every `size` characters, in the middle of a word or not.

    Returns:
        Nodes as from `exact_nodes`.
    """
    return [
        _node(document, start, min(start + size, len(document.text)))
        for document in documents
        for start in range(0, len(document.text), size)
    ]


def section_nodes(documents: "Sequence[LlamaDocument]") -> "list[TextNode]":
    """Cut LlamaIndex documents at their headings, and long sections between blocks.

    Returns:
        Nodes as from `exact_nodes`, with the headings above each as the metadata `section`, which
        is embedded and shown to a model.
    """
    return [
        _node(document, passage.start, passage.end, section=" / ".join(passage.headings))
        for document in documents
        for passage in passages_of(SourceDocument(document.id_, document.text))
    ]


def _node(document: "LlamaDocument", start: int, end: int, **metadata: str) -> "TextNode":
    from llama_index.core.schema import NodeRelationship, TextNode

    return TextNode(
        id_=f"{document.id_}#{start}-{end}",
        text=document.text[start:end],
        start_char_idx=start,
        end_char_idx=end,
        metadata={**document.metadata, **metadata},
        excluded_embed_metadata_keys=list(document.excluded_embed_metadata_keys),
        excluded_llm_metadata_keys=list(document.excluded_llm_metadata_keys),
        relationships={NodeRelationship.SOURCE: document.as_related_node_info()},
    )
