"""Documents: the texts that questions are asked about, and the offsets of their characters.

A document is one file (or one object given in Python) with the exact text that was read from it.
Its id is the file's path relative to the folder, so it is the same on every machine. All offsets
of a golden set count characters of this text; `Corpus.llama_documents()` hands the same text to an
index, so that the offsets of retrieved nodes and of the gold line up.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from llamaindex_rag_eval.errors import DocumentError
from testset.corpus.encoding import known_encoding
from testset.corpus.index_store import IndexStore
from testset.corpus.listing import files_of
from testset.corpus.stored_documents import read_documents

if TYPE_CHECKING:
    from llama_index.core.schema import BaseNode, Document as LlamaDocument

    from testset.corpus.plain import Block, PlainView


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
    """A file that could not be read, a document without text, or parts of one, and why."""

    path: str
    reason: str


@dataclass(frozen=True)
class Corpus:
    """The documents of a folder, in the order of their ids, and the files left out.

    Attributes:
        documents: What was read; the `blocks` of each are what a reader sees of it.
        skipped: What was not, with reasons: a file, or lines of one that is read, as those that
            recur at the edge of the pages of a PDF.
        index: Where what is found out about them is kept; `None` for nowhere.
    """

    documents: tuple[SourceDocument, ...]
    skipped: tuple[Skipped, ...] = ()
    index: IndexStore | None = field(default=None, compare=False, repr=False)

    @classmethod
    def read(
        cls,
        folder: str | Path,
        *,
        index: str | Path | None = None,
        encoding: str | None = None,
    ) -> "Corpus":
        """Read every file of a folder, or one file, with LlamaIndex's `SimpleDirectoryReader`.

        A file that cannot be read, has no text, or is left out for another reason (a link out of
        the folder, an archive that unpacks to too much) is named in `skipped`. What `generate` has
        kept in `.rag-eval/index` (or in `index`) of files that did not change is not read again.
        Plain text is read in `encoding` unless it is UTF-8 or says what it is.

        Raises:
            InputError: No encoding of text has this name.
            DocumentError: There is no such folder, it is empty, or none of its files is readable.
        """
        listing = files_of(Path(folder))
        kept = IndexStore(Path(folder), None if index is None else Path(index))
        files = read_documents(listing, kept, encoding and known_encoding(encoding))
        documents = [SourceDocument(name, text) for name, (text, _, _) in files.items() if text]
        skipped = [Skipped(*entry) for entry in listing.left_out.items()]
        skipped += [Skipped(name, why) for name, (_, why, _) in files.items() if why]
        if not documents:
            reasons = "; ".join(f"{entry.path}: {entry.reason}" for entry in skipped)
            raise DocumentError(f"no document of {str(folder)!r} can be read: {reasons}")
        skipped.sort(key=lambda entry: entry.path)
        return cls(tuple(documents), tuple(skipped), kept)

    @classmethod
    def of(
        cls,
        documents: "Documents | None" = None,
        *,
        nodes: "Iterable[BaseNode] | None" = None,
        index: str | Path | None = None,
        encoding: str | None = None,
    ) -> "Corpus":
        """Return the corpus of a path, a corpus, documents, or nodes.

        Nodes that know their place in a document (`ref_doc_id`, `start_char_idx`) are put back
        together; a node that does not is a document of its own. Any iterator of nodes will do, as
        of a store that is read page by page: each node is looked at once and let go, so that only
        the texts are in memory.

        Args:
            documents: A folder, a file, a corpus, our documents, or LlamaIndex's nodes.
            nodes: LlamaIndex's nodes, if there is no folder: any iterator or generator of them.
            index: A folder in which to keep what `generate` finds out about the nodes, so that a
                second run need not; of a folder of documents, in place of its `.rag-eval/index`.
            encoding: Of the plain text in a folder that is neither UTF-8 nor says what it is, as
                "cp1250"; without it such a file is left out by name.

        Raises:
            InputError: No encoding of text has this name.
            DocumentError: There is nothing in it, two documents have the same id, or something
                is no node, or has no text or no id.

        Example:
            >>> from llama_index.core.schema import TextNode
            >>> def pages():  # as from S3, a database, or `vector_store.get_nodes()`
            ...     yield TextNode(id_="a", text="The vents open at noon.")
            ...     yield TextNode(id_="b", text="The pumps run at night.")
            >>> [document.doc_id for document in Corpus.of(nodes=pages()).documents]
            ['a', 'b']
        """
        if (documents is None) == (nodes is None):
            raise DocumentError("expected either documents or nodes")
        if isinstance(documents, Corpus):
            return documents if index is None else replace(documents, index=_kept_in(index))
        if isinstance(documents, str | Path):
            return cls.read(documents, index=index, encoding=encoding)
        given = _documents_of(documents or nodes or (), strict=nodes is not None)
        given.sort(key=attrgetter("doc_id"))
        for entry, following in pairwise(given):
            if entry.doc_id == following.doc_id:
                raise DocumentError(f"two documents have the id {entry.doc_id!r}; expected one")
        filled = tuple(entry for entry in given if entry.text.strip())
        if not filled:
            raise DocumentError("no document with any text was given; expected at least one")
        empty = (Skipped(e.doc_id, "holds no text") for e in given if not e.text.strip())
        return cls(filled, tuple(empty), None if index is None else _kept_in(index))

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


Documents = str | Path | Corpus | Iterable["SourceDocument | BaseNode"]
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


def _kept_in(folder: str | Path) -> IndexStore:
    return IndexStore(Path(folder), Path(folder))


def _documents_of(
    entries: "Iterable[SourceDocument | BaseNode]", *, strict: bool
) -> list[SourceDocument]:
    """Return our documents, and one for each source document of the nodes.

    Nodes with a source and offsets that agree with their text are put at their offsets; what no
    node covers is filled with spaces, so that offsets hold. A node without them is a
    document of its own.
    """
    from llama_index.core.schema import BaseNode, NodeWithScore

    documents: list[SourceDocument] = []
    parts: dict[str, list[tuple[int, str]]] = defaultdict(list)
    titles: dict[str, str] = {}
    for number, entry in enumerate(entries):
        if isinstance(entry, SourceDocument):
            documents.append(entry)
            continue
        node = entry.node if isinstance(entry, NodeWithScore) else entry
        if not isinstance(node, BaseNode):
            raise DocumentError(f"expected LlamaIndex nodes, got {type(entry).__name__} ({number})")
        doc_id, start, text = _source_of(node)
        if not doc_id:
            raise DocumentError(f"node {number} has no id; expected a `node_id` or `ref_doc_id`")
        if strict and not text.strip():
            raise DocumentError(f"node {number}, {node.node_id!r}, has no text")
        parts[doc_id].append((start, text))
        titles.setdefault(doc_id, str(node.metadata.get("title") or ""))
    documents += [
        SourceDocument(doc_id, text_from_parts(sorted(own)), titles[doc_id])
        for doc_id, own in parts.items()
    ]
    return documents


def _source_of(node: "BaseNode") -> tuple[str, int, str]:
    """Return the document of a node, where it starts in it, and its text."""
    from llama_index.core.schema import MetadataMode

    text = node.get_content(metadata_mode=MetadataMode.NONE)
    start = getattr(node, "start_char_idx", None)
    end = getattr(node, "end_char_idx", None)
    source = node.ref_doc_id
    if source and isinstance(start, int) and isinstance(end, int) and end - start == len(text):
        return source, start, text
    return str(node.metadata.get("doc_id") or node.node_id or ""), 0, text


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
        text = text.ljust(start)
        text += part[len(text) - start :]
    return text
