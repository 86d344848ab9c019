"""Documents: the texts that questions are asked about, and the offsets of their characters.

A document is one file (or one object given in Python) with the exact text that was read from it.
Its id is the file's path relative to the folder, so it is the same on every machine. All offsets
of a golden set count characters of this text; `Corpus.llama_documents()` hands the same text to an
index, so that the offsets of retrieved nodes and of the gold line up.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from llamaindex_rag_eval.errors import DocumentError
from testset.corpus.listing import files_of
from testset.corpus.reading import read_file

if TYPE_CHECKING:
    from llama_index.core.schema import BaseNode
    from llama_index.core.schema import Document as LlamaDocument

    from testset.corpus.plain import Block, PlainView

__all__ = ["Corpus", "Documents", "Skipped", "SourceDocument", "shuffle_key"]


@dataclass(frozen=True)
class SourceDocument:
    """One document: its id, its exact text, and its title if it has one."""

    doc_id: str
    text: str
    title: str = ""

    @property
    def hash(self) -> str:
        """The first 16 hexadecimal digits of the SHA-256 of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    @cached_property
    def view(self) -> "PlainView":
        """What a reader sees of it, mapped to the text; its format is told by id and marks."""
        from testset.corpus.markup import plain_view_of  # slow to import: it brings a parser

        return plain_view_of(self.doc_id, self.text)

    @property
    def blocks(self) -> "tuple[Block, ...]":
        r"""The blocks of the view, in order: headings, paragraphs, list items, rows, code, ...

        Example:
            >>> document = SourceDocument("vents.md", "# Vents\n\nOpen **both** vents.\n")
            >>> [(block.kind, document.view.block_text(block)) for block in document.blocks]
            [('title', 'Vents'), ('paragraph', 'Open both vents.')]
            >>> document.view.raw_span(7, 16)
            (9, 20)
        """
        return self.view.blocks


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that could not be read, or a document without text, and why."""

    path: str
    reason: str


@dataclass(frozen=True)
class Corpus:
    """The documents of a folder, in the order of their ids, and the files left out.

    Attributes:
        documents: What was read; the `blocks` of each are what a reader sees of it.
        skipped: What was not, with reasons.
    """

    documents: tuple[SourceDocument, ...]
    skipped: tuple[Skipped, ...] = ()

    @classmethod
    def read(cls, folder: str | Path) -> "Corpus":
        """Read every file of a folder, or one file, with LlamaIndex's `SimpleDirectoryReader`.

        A file that cannot be read, has no text, or is left out for another reason (a link out of
        the folder, an archive that unpacks to too much) is named in `skipped`.

        Raises:
            DocumentError: There is no such folder, it is empty, or none of its files is readable.
        """
        listing = files_of(Path(folder))
        documents, skipped = [], [Skipped(*entry) for entry in listing.left_out]
        for doc_id, path in listing.files:
            try:
                documents.append(SourceDocument(doc_id, read_file(path)))
            except DocumentError as error:
                skipped.append(Skipped(doc_id, str(error)))
        if not documents:
            reasons = "; ".join(f"{entry.path}: {entry.reason}" for entry in skipped)
            raise DocumentError(f"no document of {str(folder)!r} can be read: {reasons}")
        return cls(tuple(documents), tuple(sorted(skipped, key=lambda entry: entry.path)))

    @classmethod
    def of(cls, documents: "Documents") -> "Corpus":
        """Return the corpus of a path, a corpus, documents, or nodes.

        Nodes that know their place in a document (`ref_doc_id`, `start_char_idx`) are put back
        together; a node that does not is a document of its own.

        Raises:
            DocumentError: There is nothing in it, or two documents have the same id.
        """
        if isinstance(documents, Corpus):
            return documents
        if isinstance(documents, str | Path):
            return cls.read(documents)
        own = [entry for entry in documents if isinstance(entry, SourceDocument)]
        nodes = [entry for entry in documents if not isinstance(entry, SourceDocument)]
        found = sorted([*own, *_documents_of_nodes(nodes)], key=lambda entry: entry.doc_id)
        _refuse_duplicates(found)
        filled = tuple(entry for entry in found if entry.text.strip())
        empty = (entry.doc_id for entry in found if not entry.text.strip())
        if not filled:
            raise DocumentError("no document with any text was given; expected at least one")
        return cls(filled, tuple(Skipped(doc_id, "holds no text") for doc_id in empty))

    @cached_property
    def texts(self) -> dict[str, str]:
        """The text of each document by its id."""
        return {document.doc_id: document.text for document in self.documents}

    @cached_property
    def hashes(self) -> dict[str, str]:
        """The hash of each document by its id."""
        return {document.doc_id: document.hash for document in self.documents}

    @cached_property
    def fingerprint(self) -> str:
        """A hash over all ids and texts: equal corpora have equal fingerprints."""
        lines = "\n".join(f"{doc_id}\t{value}" for doc_id, value in sorted(self.hashes.items()))
        return hashlib.sha256(lines.encode()).hexdigest()[:16]

    def llama_documents(self) -> "list[LlamaDocument]":
        """Return LlamaIndex documents with the same ids and the same text.

        The id is also in the metadata, and left out of what is embedded or shown to a model.
        """
        from llama_index.core.schema import Document

        hidden = ["doc_id", "title"]
        return [
            Document(
                id_=document.doc_id,
                text=document.text,
                metadata={"doc_id": document.doc_id, "title": document.title},
                excluded_embed_metadata_keys=hidden,
                excluded_llm_metadata_keys=hidden,
            )
            for document in self.documents
        ]


Documents = str | Path | Corpus | Sequence["SourceDocument | BaseNode"]
"""What a generator reads: a folder, a file, a corpus, our documents, LlamaIndex's nodes."""


def shuffle_key(seed: int, name: str, start: int = 0, end: int = 0) -> str:
    """Return the key by which to sort for an order that looks random: a hash of seed and place.

    The key of a place depends on nothing else, so it is the same on every machine, and an added
    document does not move the others.

    Args:
        seed: Another seed gives another order.
        name: The id of a document, or any other name.
        start: First character of the place in the document.
        end: One past its last.
    """
    return hashlib.sha256(f"{seed}\0{name}\0{start}\0{end}".encode()).hexdigest()


def _refuse_duplicates(documents: Iterable[SourceDocument]) -> None:
    seen: set[str] = set()
    for document in documents:
        if document.doc_id in seen:
            raise DocumentError(f"two documents have the id {document.doc_id!r}; expected one")
        seen.add(document.doc_id)


def _documents_of_nodes(nodes: "Sequence[BaseNode]") -> list[SourceDocument]:
    """Return one document per source document of the nodes.

    Nodes with a source and offsets that agree with their text are put at their offsets; what no
    node covers is filled with spaces, so that offsets hold. A node without them is a
    document of its own.
    """
    parts: dict[str, list[tuple[int, str]]] = defaultdict(list)
    titles: dict[str, str] = {}
    for node in nodes:
        doc_id, start, text = _place_of(node)
        parts[doc_id].append((start, text))
        titles.setdefault(doc_id, str(node.metadata.get("title") or ""))
    return [
        SourceDocument(doc_id, text_from_parts(sorted(found)), titles[doc_id])
        for doc_id, found in parts.items()
    ]


def _place_of(node: "BaseNode") -> tuple[str, int, str]:
    """Return the document of a node, where it starts in it, and its text."""
    from llama_index.core.schema import MetadataMode

    text = node.get_content(metadata_mode=MetadataMode.NONE)
    start = getattr(node, "start_char_idx", None)
    end = getattr(node, "end_char_idx", None)
    source = node.ref_doc_id
    if source and isinstance(start, int) and isinstance(end, int) and end - start == len(text):
        return source, start, text
    return str(node.metadata.get("doc_id") or node.node_id), 0, text


def text_from_parts(parts: Sequence[tuple[int, str]]) -> str:
    """Return the text that has each part at its offset; gaps become spaces.

    Args:
        parts: Where each starts, and its text; by their starts.

    Example:
        >>> text_from_parts([(0, "one two"), (4, "two three"), (15, "end")])
        'one two three  end'
    """
    text = ""
    for start, part in parts:
        if start > len(text):
            text += " " * (start - len(text))
        text += part[len(text) - start :]
    return text
