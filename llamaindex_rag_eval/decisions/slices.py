"""Slices: the same comparison for each kind of question.

Slices are exploratory: their intervals are not corrected for how many slices there are, and no
p-value of theirs is shown.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from llamaindex_rag_eval.data.repeats import REPEAT_OF, VARIANT_OF
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.decisions.contrast import Contrast, contrast_of
from llamaindex_rag_eval.decisions.pairing import Pairing
from llamaindex_rag_eval.runs.clusters import SampleClusters

KEYS = ("type", "topic", "language", "difficulty", "style", "persona")
"""Metadata of golden sets by which pipelines may differ, in the order in which they are shown."""

NO_KINDS = frozenset({REPEAT_OF, VARIANT_OF, "split"})
"""Metadata that says nothing of a question: the split of a golden set is by chance."""

MOST_VALUES = 12
"""A key with more values than this is an identifier rather than a kind of question."""


@dataclass(frozen=True, slots=True)
class Slice:
    """The questions with one value of one key of their metadata.

    Attributes:
        key: The key.
        value: Its value, as text.
        n: Paired questions that have it.
        contrasts: One for each metric.
    """

    key: str
    value: str
    n: int
    contrasts: tuple[Contrast, ...]


def slices_of(pairing: Pairing, clusters: SampleClusters) -> tuple[Slice, ...]:
    """Return the comparison for each value of each key that divides the questions into kinds.

    Args:
        pairing: The two runs.
        clusters: Of the paired questions.
    """
    return tuple(
        Slice(
            key=key,
            value=value,
            n=len(ids),
            contrasts=tuple(
                contrast_of(pairing, metric, clusters, ids=ids) for metric in pairing.metrics
            ),
        )
        for key, value, ids in question_slices(pairing.samples.values())
    )


def question_slices(samples: Iterable[Sample]) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Return each kind of sample as key, value, and the ids of the samples that have it.

    The keys of golden sets come first, then all others. A key that has one value only, or more
    than a dozen, makes no slices.

    Args:
        samples: With their metadata.
    """
    metadata = {sample.id: sample.metadata for sample in samples}
    own = {str(key) for entry in metadata.values() for key in entry}
    slices = []
    for key in (*KEYS, *sorted(own - NO_KINDS.union(KEYS))):
        values = _values(metadata, key)
        if 1 < len(values) <= MOST_VALUES and len(values) < len(metadata):
            slices += [(key, value, tuple(ids)) for value, ids in values.items()]
    return tuple(slices)


def _values(metadata: Mapping[str, Mapping[str, Any]], key: str) -> dict[str, list[str]]:
    """Return each value of a key with the ids of its samples, in the order of the values."""
    values: dict[str, list[str]] = {}
    for sample_id, entry in metadata.items():
        value = entry.get(key)
        if value != "" and isinstance(value, str | int | float | bool):
            values.setdefault(str(value), []).append(sample_id)
    return dict(sorted(values.items()))
