"""Placing: where in the documents a node stands that a retriever of the user's has found.

The node names its document, by id or by the path of its file, or its text is searched for. Its
text is then looked up in that document: at its own offsets, in the raw text, and in what a reader
sees of it, since many readers and splitters leave marks out.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property

from llama_index.core.schema import BaseNode, MetadataMode

from testset.corpus.documents import SourceDocument
from testset.corpus.index import CorpusIndex
from testset.corpus.markup.html import read_html
from testset.golden.spans import locate

NodeSpan = tuple[str, int, int]
"""A document, the first character in its raw text, and one past the last."""

NAME_KEYS = ("doc_id", "file_path", "file_name")
"""Metadata by which LlamaIndex's readers name a document."""
SEARCHED = 5
"""Passages that a search for a node's text looks at, where it does not name its document."""
SEARCHED_FOR = 500
"""Characters of a node that are searched for."""
COVERED = 0.5
"""Share of a passage, or of a node that is shorter, from which the node shows the passage."""


class NodePlaces:
    """Finds nodes in the documents of an index.

    Args:
        index: The documents and their passages.
    """

    def __init__(self, index: CorpusIndex) -> None:
        self._index = index
        self._known: dict[tuple[str, str], NodeSpan | None] = {}

    def locate(self, node: BaseNode) -> NodeSpan | None:
        """Return where a node stands; `None` if no document that it may be of holds its text."""
        text = node.get_content(metadata_mode=MetadataMode.NONE)
        key = node.node_id, text
        if key not in self._known:
            self._known[key] = self._search(node, text) if text.strip() else None
        return self._known[key]

    def _search(self, node: BaseNode, text: str) -> NodeSpan | None:
        start = getattr(node, "start_char_idx", None)
        for document in self._candidates(node, text):
            span = _span_in(document, text, start if isinstance(start, int) else 0)
            if span is not None:
                return (document.doc_id, *span)
        return None

    def passages(self, span: NodeSpan) -> Iterator[int]:
        """Yield the numbers of the passages that a place shows at least half of."""
        doc_id, start, end = span
        for number in self._index.by_document.get(doc_id, ()):
            passage = self._index.passages[number]
            shared = min(passage.end, end) - max(passage.start, start)
            if shared > 0 and shared >= COVERED * min(passage.end - passage.start, end - start):
                yield number

    def _candidates(self, node: BaseNode, text: str) -> Iterator[SourceDocument]:
        """Yield the documents that a node may be of, the likeliest first, each once."""
        named = [str(node.metadata[key]) for key in NAME_KEYS if node.metadata.get(key)]
        names = [*([node.ref_doc_id] if node.ref_doc_id else []), *named]
        doc_ids = dict.fromkeys(doc_id for name in names for doc_id in self._named(name))
        if not doc_ids:
            near = self._index.bm25.search(text[:SEARCHED_FOR], k=SEARCHED)
            passages = (self._index.passages[number] for number, _ in near)
            doc_ids = dict.fromkeys(passage.document.doc_id for passage in passages)
        yield from (self._index.documents[doc_id] for doc_id in doc_ids)

    def _named(self, name: str) -> Iterable[str]:
        """Return the ids of the documents that a name stands for: an id, or the path of a file."""
        if name in self._index.documents:
            return (name,)
        path = name.replace("\\", "/")
        alike = self._by_file.get(_file_of(path), ())
        ends = [doc_id for doc_id in alike if f"/{path}".endswith(f"/{doc_id}")]
        return ends or [doc_id for doc_id in alike if doc_id.endswith(f"/{path}")]

    @cached_property
    def _by_file(self) -> dict[str, list[str]]:
        """File name -> the ids of documents that end in it, the longest first."""
        by_file: dict[str, list[str]] = defaultdict(list)
        for doc_id in sorted(self._index.documents, key=lambda name: (-len(name), name)):
            by_file[_file_of(doc_id)].append(doc_id)
        return by_file


def _file_of(path: str) -> str:
    return path.rpartition("/")[2]


def _span_in(document: SourceDocument, text: str, start: int) -> tuple[int, int] | None:
    """Return where a text stands in a document: at its offset, as it is, or as a reader sees it."""
    wanted = text.strip()
    at = document.text.find(wanted, start)
    at = document.text.find(wanted) if at < 0 else at
    if at >= 0:
        return at, at + len(wanted)
    shown = wanted
    if "</" in wanted:  # a part of the source of a page, which may begin within a tag
        shown = read_html(re.sub(r"^[^<>]*>", "", wanted)).text
    view = document.view
    seen = locate(shown, view.text)
    if seen is not None:
        return view.raw_span(seen.start, seen.end)
    raw = locate(shown, document.text)
    return None if raw is None else (raw.start, raw.end)
