"""Clusters of samples: questions on one document, of one conversation, or asked several times.

They are not independent of one another. Intervals and tests that take them to be are too sure.
"""

import math
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, get_args

from llamaindex_rag_eval.data.repeats import REPEAT_OF, VARIANT_OF
from llamaindex_rag_eval.data.sample import Sample, SingleTurnSample
from llamaindex_rag_eval.errors import InputError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Clustering = Literal["documents", "none"]
"""What is one cluster: questions that share a document, or each question by itself."""

CONVERSATIONS = ("conversation_id", "conversation", "session_id", "thread_id")
"""Metadata that names the conversation of a question."""

FEWEST = 3
"""With two clusters Student's t has one degree of freedom, and an interval holds nearly all."""

FEW = 10
"""Below this, intervals are wide."""


@dataclass(frozen=True, slots=True)
class SampleClusters:
    """The cluster of each sample.

    Attributes:
        labels: Sample id -> number of its cluster.
        documents: How many documents the samples are about; 0 where none is known.
        notes: Where samples could not be put together by document, and why.
        how: The way that was asked for.
        shared: Sample id -> what it may share with others: its documents, its conversation.
    """

    labels: Mapping[str, int]
    documents: int = 0
    notes: tuple[str, ...] = ()
    how: Clustering = "documents"
    shared: Mapping[str, Collection[Hashable]] = field(default_factory=dict, repr=False)

    def of(self, ids: Iterable[str]) -> list[int]:
        """Return the cluster of each of these samples."""
        return [self.labels[sample_id] for sample_id in ids]

    def members(self, ids: Iterable[str]) -> "csr_array":
        """Return what samples share, sparse: a row a sample, a column a document or conversation.

        A sample with k of them has 1 / √k in each; one without has a column of its own. Each must
        be of another question.
        """
        from scipy.sparse import csr_array

        numbers: dict[Hashable, int] = {}
        weights: list[float] = []
        columns: list[int] = []
        starts = [0]
        for sample_id in ids:
            shared = {key for key in self.shared.get(sample_id, ()) if not _is_repeat(key)}
            keys = sorted(shared or [("sample", sample_id)], key=repr)
            columns += [numbers.setdefault(key, len(numbers)) for key in keys]
            weights += [1 / math.sqrt(len(keys))] * len(keys)
            starts.append(len(columns))
        return csr_array((weights, columns, starts), shape=(len(starts) - 1, len(numbers)))

    def sentences(self, effective: Sequence[float | None], ids: Iterable[str]) -> tuple[str, ...]:
        """Return how many independent questions there are; nothing if all are independent.

        Args:
            effective: As many independent questions the values of each metric amount to.
            ids: The samples that are scored.
        """
        ids = tuple(ids)
        count = len(set(self.of(ids)))
        if count == len(ids):
            return self.notes
        has_all = self.documents and all(self.shared.get(key) for key in ids)
        where = f"about {self.documents} documents" if has_all else f"in {count} groups"
        known = sorted(round(value) for value in effective if value is not None)
        ends = [str(value) for value in dict.fromkeys(known[:1] + known[-1:])]
        sentences = []
        if ends:
            by = ", depending on the metric" if len(ends) > 1 else ""
            sentences.append(
                f"The {len(ids)} questions are {where}, and those about one document tend to go "
                f"right or wrong together: they tell as much as {' to '.join(ends)} questions "
                f"about separate documents{by}. Questions about more documents help most."
                if known[0] < len(ids)
                else f"The {len(ids)} questions are {where}, but those about one document hardly "
                "go right or wrong together."
            )
        if count < FEW:
            sentences.append(
                f"Only {count} group{'s' if count > 1 else ''} of questions without a document in "
                "common: intervals are wide."
            )
        return (*sentences, *self.notes)


def clusters_of(samples: Iterable[Sample], how: Clustering = "documents") -> SampleClusters:
    """Return the cluster of each sample.

    Samples that share a gold document are one cluster, and so are those that share one with a
    third; the questions of a conversation; and the repetitions of a question. A sample without gold
    spans has its `reference_context_ids`: those with a chunk in common. Where that leaves
    fewer than three clusters, a question counts to its first document, and where that does too,
    for itself: intervals then hold for questions on these documents only, and a note says so.

    Args:
        samples: With their gold spans and metadata.
        how: `none` keeps together only the repetitions of a question.

    Raises:
        InputError: There is no such way.
    """
    return clusters_from(map(keys_of, samples), how)


@dataclass(frozen=True, slots=True)
class SampleKeys:
    """What puts a sample together with others.

    Attributes:
        id: The sample's id.
        documents: Kind and id of its gold documents or chunks, in their order.
        conversation: The conversations that its metadata name.
        repeat: The sample that it repeats or words otherwise; `None` for none.
    """

    id: str
    documents: tuple[tuple[str, str], ...] = ()
    conversation: tuple[str, ...] = ()
    repeat: str | None = None


def keys_of(sample: Sample) -> SampleKeys:
    """Return what puts a sample together with others."""
    values = (sample.metadata.get(key) for key in CONVERSATIONS)
    conversation = tuple(str(value) for value in values if value not in (None, ""))
    repeat = sample.metadata.get(VARIANT_OF, sample.metadata.get(REPEAT_OF))
    documents = tuple(_documents(sample))
    return SampleKeys(sample.id, documents, conversation, None if repeat is None else str(repeat))


def clusters_from(samples: Iterable[SampleKeys], how: Clustering = "documents") -> SampleClusters:
    """Return the cluster of each sample from its keys; see `clusters_of`.

    Raises:
        InputError: There is no such way.
    """
    if how not in get_args(Clustering):
        raise InputError(f"clusters is {how!r}; expected 'documents' or 'none'")
    ids: list[str] = []
    repeats: list[set[Hashable]] = []
    own: list[set[Hashable]] = []
    gold: list[tuple[tuple[str, str], ...]] = []
    for sample in samples:  # once: they may be read from a file
        ids.append(sample.id)
        repeats.append(set() if sample.repeat is None else {(REPEAT_OF, sample.repeat)})
        own.append(repeats[-1] | {("conversation", value) for value in sample.conversation})
        gold.append(sample.documents)
    if how == "none":
        return replace(_clusters(ids, repeats), how=how)
    sources = {key for keys in gold for key in keys}
    documents = len(sources) if all(kind == "document" for kind, _ in sources) else 0
    whole = _clusters(ids, [a | set(b) for a, b in zip(own, gold, strict=True)], documents)
    if not sources or len(set(whole.labels.values())) >= FEWEST or len(ids) < FEWEST:
        return whole
    firsts = [keys | set(b[:1]) for keys, b in zip(own, gold, strict=True)]
    what = "document" if documents else "passage"
    note = (
        f"Questions over several {what}s link nearly all: a mean takes each for its first {what}."
    )
    first = _clusters(ids, firsts, documents, note)
    if len(set(first.labels.values())) >= FEWEST:
        return replace(first, shared=whole.shared)
    every = f"{len(sources)} {what}{'s' if len(sources) > 1 else ''}"
    note = (
        f"All questions are about {every}: what is found holds for other questions on the same, "
        f"and says nothing about other {what}s."
    )
    return _clusters(ids, own, 0, note)


def _clusters(
    ids: Sequence[str], keys: Sequence[set[Hashable]], documents: int = 0, *notes: str
) -> SampleClusters:
    from llamaindex_rag_eval.stats.clusters import connected

    labels = connected(keys) if any(keys) else range(len(ids))
    shared = dict(zip(ids, keys, strict=True))
    return SampleClusters(dict(zip(ids, labels, strict=True)), documents, notes, shared=shared)


def _is_repeat(key: Hashable) -> bool:
    return isinstance(key, tuple) and key[0] == REPEAT_OF


def _documents(sample: Sample) -> list[tuple[str, str]]:
    """Return the documents of a sample's gold spans, in their order; else its gold chunks."""
    if not isinstance(sample, SingleTurnSample):
        return []
    spans = [("document", span.doc_id) for group in sample.gold for span in group]
    chunks = [("chunk", node_id) for node_id in sample.reference_context_ids]
    return list(dict.fromkeys(spans or chunks))
