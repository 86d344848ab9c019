"""The claims of responses that people labelled, as the features that the rules weigh.

Reads the development halves in `RAG_EVAL_DATA` (default `../shared/data` beside the repository).
"""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.answers import (
    answered_profiles,
    match_answer,
    short_answer,
)
from llamaindex_rag_eval.judge.rules.claims import claims_of
from llamaindex_rag_eval.judge.rules.index import SentenceIndex, index_sentences
from llamaindex_rag_eval.judge.rules.matching import Match, match_statement
from llamaindex_rag_eval.judge.rules.profile import profile_of
from tests.benchmarks.changed_claims import DATA, REPOSITORY, changed_claims

Task = Literal["statement", "statement_cjk", "answer", "answer_cjk"]
SETS: Mapping[Task, Mapping[str, float]] = {
    "statement": {
        "wice_claim": 2.0,
        "begin_wow": 2.0,
        "begin_cmu": 1.0,
        "begin_tc": 1.0,
        "q2_wow": 2.0,
        "dialfact_small": 1.0,
        "mtrag_human": 1.0,
        "changed_en": 1.0,
        "changed_de": 1.0,
        "contradictions_spaced": 1.0,
        "own_spaced": 1.0,
    },
    "statement_cjk": {
        "jnli_ja": 1.0,
        "changed_zh": 1.0,
        "changed_ja": 1.0,
        "contradictions_cjk": 2.0,
        "own_cjk": 2.0,
    },
    "answer": {
        "evouna_nq": 1.0,
        "evouna_tq": 1.0,
        "changed_en": 1.0,
        "changed_de": 1.0,
        "contradictions_spaced": 1.0,
    },
    "answer_cjk": {"changed_zh": 1.0, "changed_ja": 1.0, "contradictions_cjk": 1.0},
}
"""Sets for each task and their weight in the loss; the hardest and largest count most.

`changed_…` are drawn from the corpora, the others were labelled by people; of `contradictions` they
are the groups of odd number, `own` are the project's own claims. `halluqa_zh` is left out, so that
it can tell how the rules do on Chinese unseen.
"""
OWN = REPOSITORY / "tests" / "judge" / "rules" / "changed_claims.jsonl"
"""Claims of our own that serve for fitting; `rephrased_claims.jsonl` beside them is held out."""
CHANGED_QUESTIONS = 150
"""Questions of each corpus that they are drawn from."""


Array = NDArray[np.float64]


@dataclass(frozen=True)
class Labelled:
    """The claims of one set, as features, with the labels of the responses they come from.

    `trusted` is what their conflicts leave of the probability of each claim; `share` what each
    response counts.
    """

    name: str
    features: Array
    trusted: Array
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
    if name.startswith(("contradictions_", "own_")):
        return [
            {
                **row,
                "response": row["claim"],
                "contexts": [row["source"]],
                "labels": {"faithful": int(row["label"] == "supported")},
            }
            for row in _one_word_changed(name)
            if (str(row["language"]) in {"zh", "ja"}) == name.endswith("cjk")
        ]
    path = DATA / f"{name}.jsonl"
    if not path.exists():
        sys.exit(f"{path} is not there; set RAG_EVAL_DATA to the folder of the labelled sets")
    return _rows(path)


def _one_word_changed(name: str) -> list[dict[str, object]]:
    if name.startswith("own_"):
        return _rows(OWN)
    return [row for row in records("contradictions") if int(str(row["group"])[-2:]) % 2]


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
    return name.startswith(("changed_", "contradictions_", "own_"))


def statement_rows(record: Mapping[str, object]) -> list[Match]:
    """Return the features of each statement of a response against its contexts."""
    question = str(record.get("question") or "")
    pool = _pool(record["contexts"], question)  # type: ignore[arg-type] # a list of texts
    return [
        match_statement(profile_of(claim), pool, question=question)
        for claim in claims_of(str(record["response"]), question=question)
        if short_answer(claim) is None and pool.sentences
    ]


def answer_rows(record: Mapping[str, object]) -> list[Match]:
    """Return the features of a short answer: the reference against the response, or a response
    against its contexts.
    """
    question = str(record["question"])
    by_reference = bool(record.get("reference"))
    sources = [str(record["response"])] if by_reference else record["contexts"]
    pool = _pool(sources, question)  # type: ignore[arg-type] # a list of texts
    claims = claims_of(str(record["reference" if by_reference else "response"]), question=question)
    found = [short_answer(claim) for claim in claims]
    return [match_answer(each, pool) for each in found if each and pool.sentences]


def _pool(texts: Sequence[str], question: str) -> SentenceIndex:
    return index_sentences([answered_profiles(text, question) for text in texts], range(len(texts)))


def matched(name: str, task: Task) -> list[tuple[Mapping[str, object], list[Match]]]:
    """Return the records of a set, each with what the rules find for its claims of a task."""
    rows_of = answer_rows if task.startswith("answer") else statement_rows
    return [(record, rows_of(record)) for record in records(name)]


def labelled(
    name: str,
    weight: float,
    names: Sequence[str],
    found: Sequence[tuple[Mapping[str, object], Sequence[Match]]],
    reliability: Mapping[str, float],
) -> Labelled:
    """Return a set, featured."""
    pairs = [(number, match) for number, (_, rows) in enumerate(found) for match in rows]
    numbers = np.array([number for number, _ in pairs])
    labels = [label_of(name, record["labels"]) for record, _ in found]  # type: ignore[arg-type] # a mapping
    right = np.array([right for _, right in labels])
    used = np.isin(np.arange(len(labels)), numbers)
    return Labelled(
        name=name,
        features=np.array([[match.features[each] for each in names] for _, match in pairs]),
        trusted=np.array([match.trust(reliability) for _, match in pairs]),
        response=numbers,
        label=np.array([value for value, _ in labels]),
        right=right,
        group=tuple(str(record["group"]) for record, _ in found),
        weight=weight,
        used=used,
        share=np.where(right, 0.5 / right[used].mean(), 0.5 / (1 - right[used].mean()))
        if is_constructed(name)
        else np.ones(len(labels)),
    )
