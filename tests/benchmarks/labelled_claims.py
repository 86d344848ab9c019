"""The claims of responses that people labelled, as the features that the rules weigh.

Reads the development halves in `RAG_EVAL_DATA` (default `../shared/data` beside the repository).
"""

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.answers import match_answer, short_answer
from llamaindex_rag_eval.judge.rules.claims import claims_of
from llamaindex_rag_eval.judge.rules.index import index_sentences
from llamaindex_rag_eval.judge.rules.matching import match_statement
from llamaindex_rag_eval.judge.rules.profile import profile_of, source_profiles

REPOSITORY = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("RAG_EVAL_DATA", REPOSITORY.parent / "shared" / "data"))

STATEMENT_SETS = {
    "wice_claim": 2.0,
    "begin_wow": 2.0,
    "begin_cmu": 1.0,
    "begin_tc": 1.0,
    "q2_wow": 2.0,
    "dialfact_small": 1.0,
    "mtrag_human": 1.0,
    "jnli_ja": 1.5,
}
"""Sets of statements and their weight in the loss; the hardest and largest count most.
`halluqa_zh` is left out, so that it can tell how the rules do on Chinese unseen."""
ANSWER_SETS = {"evouna_nq": 1.0, "evouna_tq": 1.0}


Array = NDArray[np.float64]


@dataclass(frozen=True)
class Labelled:
    """The claims of one set, as features, with the labels of the responses they come from."""

    name: str
    features: Array
    response: NDArray[np.int64]
    label: Array
    right: NDArray[np.bool_]
    group: tuple[str, ...]
    weight: float
    used: NDArray[np.bool_]

    @property
    def counts(self) -> Array:
        """How many claims each response makes."""
        return np.bincount(self.response, minlength=len(self.label)).astype(float)


def records(name: str) -> list[dict[str, object]]:
    """Return the records of a set."""
    path = DATA / f"{name}.jsonl"
    if not path.exists():
        sys.exit(f"{path} is not there; set RAG_EVAL_DATA to the folder of the labelled sets")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def label_of(name: str, labels: Mapping[str, object]) -> tuple[float, bool]:
    """Return a label in [0, 1] to fit on, and whether people call the response right."""
    if name == "mtrag_human":
        mean = float(np.mean(np.asarray(labels["faithfulness"], dtype=float)))
        return (mean - 1) / 3, mean >= 3
    value = float(str(labels["correct" if name.startswith("evouna") else "faithful"]))
    return value, value > 0.5


def statement_rows(record: Mapping[str, object]) -> list[Mapping[str, float]]:
    """Return the features of each statement of a response against its contexts."""
    sources = [source_profiles(text) for text in record["contexts"]]  # type: ignore[attr-defined] # a list of texts
    pool = index_sentences(sources, range(len(sources)))
    claims = claims_of(str(record["response"]), question=str(record.get("question") or ""))
    return [
        match_statement(profile_of(claim), pool).features
        for claim in claims
        if short_answer(claim) is None and pool.sentences
    ]


def answer_rows(record: Mapping[str, object]) -> list[Mapping[str, float]]:
    """Return the features of the short gold answer against the response."""
    pool = index_sentences([source_profiles(str(record["response"]))], [0])
    claims = claims_of(str(record["reference"]), question=str(record["question"]))
    found = [short_answer(claim) for claim in claims]
    return [match_answer(each, pool).features for each in found if each and pool.sentences]


def labelled(
    name: str,
    weight: float,
    names: Sequence[str],
    rows_of: Callable[[Mapping[str, object]], list[Mapping[str, float]]],
) -> Labelled:
    """Return a set, featured."""
    features: list[list[float]] = []
    response: list[int] = []
    labels: list[tuple[float, bool]] = []
    groups: list[str] = []
    for number, record in enumerate(records(name)):
        for row in rows_of(record):
            features.append([row[each] for each in names])
            response.append(number)
        labels.append(label_of(name, record["labels"]))  # type: ignore[arg-type] # a mapping
        groups.append(str(record["group"]))
    numbers = np.array(response)
    return Labelled(
        name=name,
        features=np.array(features),
        response=numbers,
        label=np.array([value for value, _ in labels]),
        right=np.array([right for _, right in labels]),
        group=tuple(groups),
        weight=weight,
        used=np.isin(np.arange(len(labels)), numbers),
    )
