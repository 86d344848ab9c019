"""The claims of responses that people labelled, as the features that the rules weigh.

Reads the development halves in `RAG_EVAL_DATA` (default `../shared/data` beside the repository).
"""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.claims import claims_of
from llamaindex_rag_eval.judge.rules.conflicts import KINDS
from llamaindex_rag_eval.judge.rules.evidence import FEATURES, sources_of
from llamaindex_rag_eval.judge.rules.support import Comparison, compared
from tests.benchmarks.changed_claims import DATA, REPOSITORY, changed_claims

SETS: Mapping[str, float] = {
    "wice_claim": 2.0,
    "begin_wow": 4.0,
    "begin_cmu": 1.0,
    "begin_tc": 2.0,
    "q2_wow": 2.0,
    "dialfact_small": 1.0,
    "mtrag_human": 1.0,
    "jnli_ja": 1.0,
    "evouna_nq": 1.0,
    "evouna_tq": 1.0,
    "changed_en": 0.3,
    "changed_de": 0.3,
    "changed_zh": 0.3,
    "changed_ja": 0.3,
    "contradictions": 1.0,
    "own": 1.0,
}
"""Sets and their weight in the loss; the hardest and largest count most.

`changed_…` are drawn from the corpora, the others were labelled by people; of `contradictions` they
are the groups of odd number, `own` are the project's own claims. These were made to differ in one
thing, which tells of conflicts and little of how words speak for a claim. `halluqa_zh` is left out,
so that it can tell how the rules do on Chinese unseen.
"""
OWN = REPOSITORY / "tests" / "judge" / "rules" / "changed_claims.jsonl"
"""Claims of our own that serve for fitting; `rephrased_claims.jsonl` beside them is held out."""
CHANGED_QUESTIONS = 150
"""Questions of each corpus that they are drawn from."""


Array = NDArray[np.float64]


COLUMNS = (*FEATURES, "answer", *(f"answer_{name}" for name in FEATURES))
"""The figures of a statement (0 for a short answer), whether it is one, and those of one."""
DOUBTS = KINDS
"""What may speak against a claim."""


@dataclass(frozen=True)
class Labelled:
    """The claims of one set, as features, with the labels of the responses they come from.

    `doubts` says which of `DOUBTS` each claim has; `share` what each response counts.
    """

    name: str
    features: Array
    doubts: Array
    response: NDArray[np.int64]
    label: Array
    right: NDArray[np.bool_]
    group: tuple[str, ...]
    weight: float
    used: NDArray[np.bool_]
    share: Array

    @property
    def counts(self) -> Array:
        """How many claims each response makes."""
        return np.bincount(self.response, minlength=len(self.label)).astype(float)


def records(name: str) -> list[dict[str, object]]:
    """Return the records of a set."""
    if name.startswith("changed_"):
        return [
            {
                "question": each.question,
                "response": each.claim,
                "contexts": [each.source],
                "group": each.group,
                "labels": {"faithful": int(each.right)},
            }
            for each in changed_claims(name.removeprefix("changed_"), "a", CHANGED_QUESTIONS)
        ]
    if name in ("contradictions", "own"):
        return [
            {
                **row,
                "response": row["claim"],
                "contexts": [row["source"]],
                "labels": {"faithful": int(row["label"] == "supported")},
            }
            for row in _one_word_changed(name)
        ]
    path = DATA / f"{name}.jsonl"
    if not path.exists():
        sys.exit(f"{path} is not there; set RAG_EVAL_DATA to the folder of the labelled sets")
    return _rows(path)


def _one_word_changed(name: str) -> list[dict[str, object]]:
    if name == "own":
        return _rows(OWN)
    return [row for row in _rows(DATA / "contradictions.jsonl") if int(str(row["group"])[-2:]) % 2]


def _rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def label_of(name: str, labels: Mapping[str, object]) -> tuple[float, bool]:
    """Return a label in [0, 1] to fit on, and whether people call the response right."""
    if name == "mtrag_human":
        mean = float(np.mean(np.asarray(labels["faithfulness"], dtype=float)))
        return (mean - 1) / 3, mean >= 3
    value = float(str(labels["correct" if name.startswith("evouna") else "faithful"]))
    return value, value > 0.5


def is_constructed(name: str) -> bool:
    """Return whether claims were made for the set, half of which then count as right: how many are
    says nothing of what responses state.
    """
    return name.startswith(("changed_", "contradictions", "own"))


def is_in_answer(name: str) -> bool:
    """Return whether the claims of a set are short answers, looked for in answers."""
    return name.startswith("evouna")


def comparisons(record: Mapping[str, object]) -> list[Comparison]:
    """Return what the rules find for each claim of a response in all of its contexts.

    Where there are none, for each claim of the reference in the response.
    """
    question = str(record.get("question") or "")
    by_contexts = bool(record.get("contexts"))
    texts = record["contexts"] if by_contexts else [record["response"]]
    sources = sources_of(
        tuple(map(str, texts)),  # type: ignore[call-overload] # a list of texts
        question,
        answers=not by_contexts,
    )
    text = str(record["response" if by_contexts else "reference"])
    claims = claims_of(text, question=question) if sources.sentences else ()
    return [compared(claim, sources, question)[-1] for claim in claims]


def row_of(comparison: Comparison) -> list[float]:
    """Return the figures of a claim, in the order of `COLUMNS`."""
    figures = [float(getattr(comparison.evidence, name)) for name in FEATURES]
    none = [0.0] * len(figures)
    return [*none, 1.0, *figures] if comparison.evidence.answer else [*figures, 0.0, *none]


def doubts_of(comparison: Comparison) -> list[float]:
    """Return which of `DOUBTS` a claim has."""
    kinds = {each.kind for each in comparison.conflicts}
    return [float(kind in kinds) for kind in DOUBTS]


def even_share(data: Labelled) -> Array:
    """Return what each response counts where the right and the wrong ones weigh the same."""
    right = data.right[data.used].mean()
    return np.where(data.right, 0.5 / right, 0.5 / (1 - right))


def labelled(name: str, weight: float) -> Labelled:
    """Return a set, featured."""
    found = [(record, comparisons(record)) for record in records(name)]
    pairs = [(number, match) for number, (_, rows) in enumerate(found) for match in rows]
    numbers = np.array([number for number, _ in pairs])
    labels = [label_of(name, record["labels"]) for record, _ in found]  # type: ignore[arg-type] # a mapping
    right = np.array([right for _, right in labels])
    used = np.isin(np.arange(len(labels)), numbers)
    return Labelled(
        name=name,
        features=np.array([row_of(match) for _, match in pairs]),
        doubts=np.array([doubts_of(match) for _, match in pairs]),
        response=numbers,
        label=np.array([value for value, _ in labels]),
        right=right,
        group=tuple(str(record["group"]) for record, _ in found),
        weight=weight,
        used=used,
        share=np.ones(len(labels)),
    )
