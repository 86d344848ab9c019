"""The digest of documents: what planning and searching have to know of each passage, in arrays.

Making it is what takes time in a large corpus, so that it is made on every core, part by part, and
kept in the index. Passages themselves are cut again when one is looked at.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from itertools import count as counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.tokens import Term, terms
from testset.corpus.documents import SourceDocument
from testset.corpus.duplicates import HASHES, sentence_key, signature, text_key
from testset.corpus.passages import Passage, passages_of

__all__ = [
    "Digest",
    "TermCounts",
    "counted",
    "digest_of",
    "heading_of",
    "joined",
    "term_name",
    "term_of",
]

PART = 400_000
"""Characters of the documents that a core reads at a time: about a second's work."""
READ_LENGTH = 4_000
"""Characters of a document, from its start, that its topic is taken from."""
SHORTEST_WORD = 4
"""Letters of a content word; shorter ones are mostly function words."""
_KANA = re.compile(r"[\u3040-\u309f]")
_KINDS = {"w": "word", "n": "number", "c": "cjk"}


@dataclass(frozen=True)
class TermCounts:
    """How often passages hold terms.

    Attributes:
        names: The terms, as `term_name` writes them, sorted.
        times: Passage × term -> how often it has the term, below its title and headings, which
            count as its text does; a sparse matrix.
    """

    names: Sequence[str]
    times: Any


@dataclass(frozen=True)
class Digest:
    """What is known of the passages of documents.

    Attributes:
        passages: How many passages each document has.
        spans: Where each passage starts and ends in its document.
        lengths: Characters of its text.
        rows: Whether it has rows of a table.
        marks: Its MinHash signature.
        sentences: The hashes of its sentences, of one passage after the other.
        sentence_counts: How many sentences each passage has.
        headings: The hash of its innermost heading, or of the title.
        counts: The terms of the passages.
        words: The content words of documents, sorted.
        word_counts: Document × word -> how often its beginning has it; a sparse matrix by rows.
    """

    passages: NDArray[np.int32]
    spans: NDArray[np.int64]
    lengths: NDArray[np.int32]
    rows: NDArray[np.bool_]
    marks: NDArray[np.uint32]
    sentences: NDArray[np.uint64]
    sentence_counts: NDArray[np.int32]
    headings: NDArray[np.uint64]
    counts: TermCounts
    words: Sequence[str]
    word_counts: Any

    @property
    def owners(self) -> NDArray[np.int64]:
        """The number of the document of each passage."""
        return np.repeat(np.arange(len(self.passages)), self.passages)


def digest_of(
    documents: Sequence[SourceDocument],
    tell: Callable[[int], None] | None = None,
) -> Digest:
    """Return the digest of documents, made on every core if there is work for more than one.

    Args:
        documents: The documents; any sequence, which is read once, in its order.
        tell: Called with the number of documents that are done.
    """
    parts = _parts(documents)
    first = next(parts, [])
    second = next(parts, None)
    if second is None:
        return _by_columns(joined([_part(first)]))
    from joblib import Parallel, delayed  # slow to import

    work = Parallel(n_jobs=-1, return_as="generator", max_nbytes=None)
    everything = _chained(first, second, parts)
    found: list[Digest] = []
    done = 0
    for digest in work(delayed(_part)(part) for part in everything):
        found.append(digest)
        done += len(digest.passages)
        if tell is not None:
            tell(done)
    return _by_columns(joined(found))


def _by_columns(digest: Digest) -> Digest:
    """Return a digest whose counts are by columns: what searches look up."""
    counts = digest.counts
    return replace(digest, counts=replace(counts, times=counts.times.tocsc()))


def _chained(first: Any, second: Any, parts: Iterator[Any]) -> Iterator[Any]:
    yield first
    yield second
    yield from parts


def _parts(documents: Iterable[SourceDocument]) -> Iterator[list[tuple[str, str, str]]]:
    """Yield documents in parts, without what was found out about them before."""
    part: list[tuple[str, str, str]] = []
    size = 0
    for document in documents:
        part.append((document.doc_id, document.text, document.title))
        size += len(document.text)
        if size >= PART:
            yield part
            part, size = [], 0
    if part:
        yield part


def _part(documents: Sequence[tuple[str, str, str]]) -> Digest:
    """Return the digest of a few documents."""
    cut = [passages_of(SourceDocument(*document)) for document in documents]
    passages = [passage for found in cut for passage in found]
    texts = [passage.text for passage in passages]
    sentences = [[sentence_key(s.text) for s in passage.sentences] for passage in passages]
    counts = counted(texts, [passage.path for passage in passages])
    words, word_counts = _words(text for _, text, _ in documents)
    return Digest(
        passages=np.array([len(found) for found in cut], dtype=np.int32),
        spans=np.array([(p.start, p.end) for p in passages], dtype=np.int64).reshape(-1, 2),
        lengths=np.array([len(text) for text in texts], dtype=np.int32),
        rows=np.array([_has_rows(passage) for passage in passages], dtype=np.bool_),
        marks=np.array([signature(text) for text in texts], dtype=np.uint32).reshape(-1, HASHES),
        sentences=np.array([key for keys in sentences for key in keys], dtype=np.uint64),
        sentence_counts=np.array([len(keys) for keys in sentences], dtype=np.int32),
        headings=np.array([text_key(heading_of(p)) for p in passages], dtype=np.uint64),
        counts=counts,
        words=words,
        word_counts=word_counts,
    )


def heading_of(passage: Passage) -> str:
    """Return the innermost heading of a passage, or the title of its document."""
    return next(reversed(passage.path), "")


def _has_rows(passage: Passage) -> bool:
    return any(block.kind == "row" for block in passage.blocks)


def term_name(term: Term) -> str:
    """Return a term as one string; those of equal keys stand together when sorted."""
    return f"{term.key}\t{term.surface}\t{term.kind[0]}"


def term_of(name: str) -> Term:
    """Return the term that a string names."""
    key, surface, kind = name.split("\t")
    return Term(key, surface, _KINDS[kind])  # type: ignore[arg-type]  # one of the kinds


def counted(texts: Sequence[str], paths: Sequence[Sequence[str]] = ()) -> TermCounts:
    """Count the terms of texts, each with those of the title and headings above it."""
    rows = [Counter(terms(text)) for text in texts]
    in_headings = {line: terms(line) for path in paths for line in path}
    for row, path in zip(rows, paths, strict=False):
        for line in path:
            row.update(in_headings[line])
    names, times = _matrix(rows)
    return TermCounts(*_sorted_columns([term_name(term) for term in names], times))


def _words(texts: Iterable[str]) -> tuple[list[str], Any]:
    """Count the content words of the beginnings of texts.

    Names and nouns are long, function words are short or frequent.
    """
    rows: list[Counter[str]] = []
    for text in texts:
        row: Counter[str] = Counter()
        for term, count in Counter(terms(text[:READ_LENGTH])).items():
            if _says_something(term):
                row[term.surface.casefold()] += count
        rows.append(row)
    return _sorted_columns(*_matrix(rows))


def _says_something(term: Term) -> bool:
    if term.kind == "word":
        return len(term.surface) >= SHORTEST_WORD
    return term.kind == "cjk" and len(term.surface) > 1 and not _KANA.search(term.surface)


def _matrix(rows: Sequence[Mapping[Any, int]]) -> tuple[list[Any], Any]:
    """Return what is counted in any row, and a sparse matrix by rows: row × what -> how often."""
    from scipy.sparse import csr_array

    numbers: defaultdict[Any, int] = defaultdict(counter().__next__)
    sizes = [len(row) for row in rows]
    indices = map(numbers.__getitem__, chain.from_iterable(rows))
    columns = np.fromiter(indices, dtype=np.int32, count=sum(sizes))
    times = np.fromiter(chain.from_iterable(row.values() for row in rows), dtype=np.int64)
    ends = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    data = np.minimum(times, 65_535).astype(np.uint16)
    return list(numbers), csr_array((data, columns, ends), shape=(len(rows), len(numbers)))


def _sorted_columns(names: Sequence[str], matrix: Any) -> tuple[list[str], Any]:
    """Return the names of columns in their order, and the matrix with its columns in the same."""
    order = sorted(range(len(names)), key=names.__getitem__)
    places = np.empty(len(names), dtype=np.int32)
    places[order] = np.arange(len(names), dtype=np.int32)
    matrix.indices = places[matrix.indices]
    matrix.has_sorted_indices = False
    matrix.sort_indices()
    return [names[number] for number in order], matrix


def joined(digests: Sequence[Digest]) -> Digest:
    """Return one digest of all documents, in the order of the digests."""
    if len(digests) == 1:
        return digests[0]

    def stacked(name: str) -> Any:
        return np.concatenate([getattr(digest, name) for digest in digests])

    others = {"counts", "words", "word_counts"}
    arrays = {name: stacked(name) for name in Digest.__dataclass_fields__ if name not in others}
    counts = [digest.counts for digest in digests]
    names, places = _united([part.names for part in counts])
    words, word_places = _united([digest.words for digest in digests])
    return Digest(
        **arrays,
        counts=TermCounts(names, _stacked([part.times for part in counts], places, len(names))),
        words=words,
        word_counts=_stacked([d.word_counts for d in digests], word_places, len(words)),
    )


def _united(parts: Sequence[Sequence[str]]) -> tuple[list[str], list[NDArray[np.int32]]]:
    """Return the names of all parts, sorted, and for each part where its names are in them."""
    names = sorted({name for part in parts for name in part})
    numbers = {name: number for number, name in enumerate(names)}
    return names, [np.array([numbers[n] for n in part], dtype=np.int32) for part in parts]


def _stacked(matrices: Sequence[Any], places: Sequence[NDArray[np.int32]], width: int) -> Any:
    from scipy.sparse import csr_array

    sizes = np.concatenate([np.diff(matrix.indptr) for matrix in matrices])
    ends = np.concatenate([[0], np.cumsum(sizes)])
    indices = np.concatenate(
        [place[matrix.indices] for matrix, place in zip(matrices, places, strict=True)]
    )
    data = np.concatenate([matrix.data for matrix in matrices])
    return csr_array((data, indices, ends.astype(np.int64)), shape=(len(sizes), width))
