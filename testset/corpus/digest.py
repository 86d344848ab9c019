"""The digest of documents: what planning and searching have to know of each passage, in arrays.

Making it is what takes time in a large corpus, so that it is made on every core, part by part, and
kept in the index. Passages themselves are cut again when one is looked at.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.embedding import lexical_features
from testset.corpus.cores import in_parts, on_every_core
from testset.corpus.counts import TermCounts, counted_part, term_of, united
from testset.corpus.documents import SourceDocument
from testset.corpus.duplicates import (
    HASHES,
    boilerplate_among,
    repeats_among,
    sentence_key,
    signature,
    text_key,
)
from testset.corpus.index_store import Arrays, packed, unpacked
from testset.corpus.passages import Passage, passages_of

PART = 400_000
"""Characters of the documents that a core reads at a time: about a second's work."""


NAMES_AT_ONCE = 20_000
"""Terms whose features are found out at a time."""
ROWS_AT_ONCE = 1_024
"""Passages whose vectors are made at a time, to measure their lengths."""
STORED = ("passages", "spans", "lengths", "rows", "headings", "distinct", "boilerplate")
"""What is stored as it is, beside topics, counts and what vectors are made of."""
SPARSE = ("data", "indices", "indptr")
"""The arrays of a sparse matrix."""


@dataclass(frozen=True)
class Digest:
    """What is known of the passages of documents.

    Attributes:
        passages: How many passages each document has.
        spans: Where each passage starts and ends in its document.
        lengths: Characters of its text.
        rows: Whether it has rows of a table.
        headings: The hash of its innermost heading, or of the title.
        distinct: The numbers of the passages that are no near-duplicates.
        boilerplate: The hashes of sentences that stand in several documents.
        counts: The terms of the passages.
        topics: The number of the topic of each document; none until they are sorted into topics.
        labels: The topics.
    """

    passages: NDArray[np.int32]
    spans: NDArray[np.int64]
    lengths: NDArray[np.int32]
    rows: NDArray[np.bool_]
    headings: NDArray[np.uint64]
    distinct: NDArray[np.int64]
    boilerplate: NDArray[np.uint64]
    counts: TermCounts
    topics: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    labels: Sequence[str] = ()

    @cached_property
    def owners(self) -> NDArray[np.int64]:
        """The number of the document of each passage."""
        return np.repeat(np.arange(len(self.passages)), self.passages)

    @cached_property
    def features(self) -> Any:
        """What each term adds to the vector of a passage; made when first needed."""
        from scipy.sparse import vstack

        names = self.counts.names
        starts = range(0, len(names), NAMES_AT_ONCE) or [0]
        parts = (names[start : start + NAMES_AT_ONCE] for start in starts)
        return vstack([*on_every_core(_features, parts)], format="csr")

    @cached_property
    def roots(self) -> Any:
        """How often each passage has each term, as the square root."""
        roots = self.counts.times.astype(np.float32)
        np.sqrt(roots.data, out=roots.data)
        return roots

    @cached_property
    def scales(self) -> NDArray[np.float32]:
        """What brings the vector of each passage to length 1."""
        rows, lengths = self.roots.tocsr(), [np.zeros(0, dtype=np.float32)]
        for start in range(0, rows.shape[0], ROWS_AT_ONCE):
            vectors = (rows[start : start + ROWS_AT_ONCE] @ self.features).toarray()
            lengths.append(np.linalg.norm(vectors, axis=1))
        norms = np.concatenate(lengths)
        return (1 / np.where(norms == 0, 1, norms)).astype(np.float32)

    def arrays(self) -> Arrays:
        """Return it as a unit of the index."""
        arrays = {name: getattr(self, name) for name in (*STORED, "topics", "scales")}
        for name, matrix in (("times", self.counts.times), ("features", self.features)):
            arrays |= {f"{name}_{part}": getattr(matrix, part) for part in SPARSE}
        return {**arrays, "names": packed(self.counts.names), "labels": packed(self.labels)}

    @classmethod
    def of_arrays(cls, arrays: Arrays) -> "Digest":
        """Return it from such a unit."""
        from scipy.sparse import csc_array, csr_array

        names = unpacked(arrays["names"])
        times, features = (
            kind(tuple(arrays[f"{name}_{part}"] for part in SPARSE), shape=shape)
            for name, kind, shape in (
                ("times", csc_array, (len(arrays["spans"]), len(names))),
                ("features", csr_array, (len(names), _features([]).shape[1])),
            )
        )
        times.check_format(full_check=True)
        features.check_format(full_check=True)
        plain = {name: arrays[name] for name in (*STORED, "topics")}
        labels = unpacked(arrays["labels"])
        digest = cls(**plain, labels=labels, counts=TermCounts(names, times))
        vars(digest).update(features=features, scales=arrays["scales"])
        return digest


def _features(names: Sequence[str]) -> Any:
    return lexical_features([term_of(name) for name in names])


def digest_of(
    documents: Iterable[SourceDocument],
    tell: Callable[[int], None] | None = None,
) -> Digest:
    """Return the digest of documents, made on every core if there is work for more than one.

    Args:
        documents: The documents; read once, in their order.
        tell: Called with the number of documents that are done.
    """
    arrays: dict[str, list[NDArray[Any]]] = defaultdict(list)

    def counts() -> Iterator[tuple[list[str], Any]]:
        done = 0
        for own, part in on_every_core(_part, document_parts(documents, PART)):
            for name, array in own.items():
                arrays[name].append(array)
            done += len(own["passages"])
            if tell is not None:
                tell(done)
            yield part

    terms = united(counts())
    whole: dict[str, Any] = {name: np.concatenate(arrays.pop(name)) for name in [*arrays]}
    marks, sentences = whole.pop("marks"), whole.pop("sentences")
    distinct = np.delete(np.arange(len(marks)), list(repeats_among(marks)))
    # hashes of the sentences of the distinct passages, each with the number of its document
    per_passage = whole.pop("sentence_counts")
    stands = np.repeat(np.isin(np.arange(len(marks)), distinct), per_passage)
    owners = np.repeat(np.arange(len(whole["passages"])), whole["passages"])
    boilerplate = boilerplate_among(np.repeat(owners, per_passage)[stands], sentences[stands])
    return Digest(**whole, distinct=distinct, boilerplate=boilerplate, counts=terms)


def document_parts(
    documents: Iterable[SourceDocument], most: int
) -> Iterator[list[SourceDocument]]:
    """Yield documents in parts of so many characters, without their views."""
    bare = (replace(document) for document in documents)
    return in_parts(bare, lambda document: len(document.text), most)


def _part(
    documents: Sequence[SourceDocument],
) -> tuple[dict[str, NDArray[Any]], tuple[list[str], Any]]:
    """Return the arrays of the digest of a few documents, and their counts."""
    cut = [passages_of(document) for document in documents]
    passages = [passage for own in cut for passage in own]
    texts = [passage.text for passage in passages]
    sentences = [[sentence_key(text) for _, text in p.plain_sentences()] for p in passages]
    arrays: dict[str, NDArray[Any]] = {
        "passages": np.array([len(own) for own in cut], dtype=np.int32),
        "spans": np.array([(p.start, p.end) for p in passages], dtype=np.int64).reshape(-1, 2),
        "lengths": np.array([len(text) for text in texts], dtype=np.int32),
        "rows": np.array(["row" in {b.kind for b in p.blocks} for p in passages], dtype=np.bool_),
        "marks": np.array([signature(text) for text in texts], dtype=np.uint32).reshape(-1, HASHES),
        "sentences": np.array([key for keys in sentences for key in keys], dtype=np.uint64),
        "sentence_counts": np.array([len(keys) for keys in sentences], dtype=np.int32),
        "headings": np.array([text_key(heading_of(p)) for p in passages], dtype=np.uint64),
    }
    return arrays, counted_part(texts, [passage.path for passage in passages])


def heading_of(passage: Passage) -> str:
    """Return the innermost heading of a passage, or the title of its document."""
    return next(reversed(passage.path), "")
