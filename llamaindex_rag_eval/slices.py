"""Slices: the same comparison for each kind of question.

Slices are for looking, not for proving: their intervals are not corrected for how many of them
there are, and no p-value is shown.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from llamaindex_rag_eval.contrast import Contrast, contrast_of
from llamaindex_rag_eval.pairing import Pairing
from llamaindex_rag_eval.sample import Sample

__all__ = ["Slice", "slices_of"]

KEYS = ("type", "topic", "language", "difficulty", "style", "persona", "split")
"""What golden sets say of a question that may matter to a pipeline."""

MOST_VALUES = 12
"""A key with more values than this is an identifier rather than a kind."""


@dataclass(frozen=True, slots=True)
class Slice:
    """The questions with one value of one key.

    Attributes:
        key: The key of the metadata.
        value: Its value, as text.
        n: Paired questions that have it.
        contrasts: One for each metric.
    """

    key: str
    value: str
    n: int
    contrasts: tuple[Contrast, ...]


def slices_of(pairing: Pairing, keys: Iterable[str] = KEYS, *, seed: int = 0) -> tuple[Slice, ...]:
    """Return the comparison by each key of the metadata that splits the questions.

    Args:
        pairing: The two runs.
        keys: Keys of the samples' metadata; one that no sample has, that has one value only, or
            more than a dozen, makes no slices.
        seed: Same seed, same intervals.
    """
    found = []
    for key in keys:
        values = _values(pairing.samples, key)
        if 1 < len(values) <= MOST_VALUES:
            found += [_slice(pairing, key, value, ids, seed) for value, ids in values.items()]
    return tuple(found)


def _slice(pairing: Pairing, key: str, value: str, ids: list[str], seed: int) -> Slice:
    contrasts = (contrast_of(pairing, m, ids=ids, seed=seed) for m in pairing.metrics)
    return Slice(key=key, value=value, n=len(ids), contrasts=tuple(contrasts))


def _values(samples: Mapping[str, Sample], key: str) -> dict[str, list[str]]:
    """Return each value of a key with the ids of its samples, in the order of the values."""
    values: dict[str, list[str]] = {}
    for sample_id, sample in samples.items():
        value = sample.metadata.get(key)
        if value is not None and isinstance(value, str | int | float | bool):
            values.setdefault(str(value), []).append(sample_id)
    return dict(sorted(values.items()))
