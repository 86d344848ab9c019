"""The labelled records: where they lie, what people said, and what words alone would say."""

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

REPOSITORY = Path(__file__).resolve().parents[3]
WORD = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]|\w+")
"""A word; in Chinese and Japanese a character."""

Array = NDArray[np.float64]
Record = Mapping[str, object]


class MissingSetError(Exception):
    """A labelled set is not in the folder."""


def read(name: str) -> list[Record]:
    """Return the records of a set.

    Raises:
        MissingSetError: It is not in `RAG_EVAL_DATA`, by default `../shared/data` beside the
            repository.
    """
    folder = Path(os.environ.get("RAG_EVAL_DATA") or REPOSITORY.parent / "shared" / "data")
    path = folder / f"{name}.jsonl"
    if not path.exists():
        raise MissingSetError(f"{path} is not there; RAG_EVAL_DATA names the folder of the sets")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def labels(rows: Sequence[Record], name: str) -> Array:
    """Return a label of each record, the mean where several people gave one."""
    return np.array([float(np.mean(row["labels"][name])) for row in rows])  # type: ignore[index] # a mapping


def sample(row: Record, *fields: str) -> dict[str, object]:
    """Return a record as fields of a sample: the question, the response, and those named."""
    found = {"query": row.get("question") or "", "response": row["response"]}
    return {**found, **{name: row[name] for name in fields}}


def word_shares(pairs: Iterable[tuple[object, object]]) -> Array:
    """Return for each two texts the share of the words of the first that the second has.

    Example:
        >>> word_shares([("A red mill", "the mill, a ruin")]).round(2).tolist()
        [0.67]
    """
    found = []
    for text, source in pairs:
        words, known = WORD.findall(str(text).lower()), set(WORD.findall(str(source).lower()))
        found.append(sum(word in known for word in words) / max(1, len(words)))
    return np.array(found)


def field_shares(rows: Sequence[Record], text: str, source: str) -> Array:
    """Return the same of two fields of each record; of several contexts, all together."""
    return word_shares((row[text], whole_text(row[source])) for row in rows)


def whole_text(value: object) -> str:
    """Return a field as one text: of several contexts, all together."""
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
