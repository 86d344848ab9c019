"""Nodes given in Python: put back together into the documents they were cut from."""

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from testset.corpus.source_document import SourceDocument

if TYPE_CHECKING:
    from llama_index.core.schema import BaseNode

__all__ = ["documents_of_nodes"]

Piece = tuple[int, str]
"""Where a node starts in its document, and its text."""


def documents_of_nodes(nodes: "Sequence[BaseNode]") -> list[SourceDocument]:
    """Return one document per source document of the nodes.

    Nodes with a source and offsets that agree with their text are laid at their offsets; what no
    node covers is filled with spaces, so that offsets hold. A node without is a document.
    """
    pieces: dict[str, list[Piece]] = defaultdict(list)
    titles: dict[str, str] = {}
    for node in nodes:
        doc_id, start, text = _place(node)
        pieces[doc_id].append((start, text))
        titles.setdefault(doc_id, str(node.metadata.get("title") or ""))
    return [
        SourceDocument(doc_id, laid_out(sorted(found)), titles[doc_id])
        for doc_id, found in pieces.items()
    ]


def _place(node: "BaseNode") -> tuple[str, int, str]:
    """Return the document of a node, where it starts in it, and its text."""
    from llama_index.core.schema import MetadataMode

    text = node.get_content(metadata_mode=MetadataMode.NONE)
    start = getattr(node, "start_char_idx", None)
    end = getattr(node, "end_char_idx", None)
    source = node.ref_doc_id
    if source and isinstance(start, int) and isinstance(end, int) and end - start == len(text):
        return source, start, text
    return str(node.metadata.get("doc_id") or node.node_id), 0, text


def laid_out(pieces: Sequence[Piece]) -> str:
    """Return the text that has each piece at its offset; gaps become spaces.

    Example:
        >>> laid_out([(0, "one two"), (4, "two three"), (15, "end")])
        'one two three  end'
    """
    text = ""
    for start, piece in pieces:
        if start > len(text):
            text += " " * (start - len(text))
        text += piece[len(text) - start :]
    return text
