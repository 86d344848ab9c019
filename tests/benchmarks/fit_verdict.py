"""Fit the weights of what a response has of a short answer, and say how far they carry over.

    python -m tests.benchmarks.fit_verdict [--dry-run]

Reads `evouna_nq` and `evouna_tq` in `RAG_EVAL_DATA` (default `../shared/data` beside the
repository): responses of five systems to questions with a short answer, which people called right
or wrong. Prints for each set the AUC and the share judged as people do, with weights fitted on the
other set and on both, and writes the latter to
`llamaindex_rag_eval/judge/rules/short_answer_weights.json`.
"""

import argparse
import json
from collections.abc import Sequence

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from llamaindex_rag_eval.judge.rules.answers import answer_forms
from llamaindex_rag_eval.judge.rules.phrases import without_frame
from llamaindex_rag_eval.judge.rules.short_answers import answer_figures, is_fragment
from llamaindex_rag_eval.judge.rules.tokens import terms
from tests.benchmarks.changed_claims import REPOSITORY
from tests.benchmarks.labelled_claims import Array, label_of, records

WEIGHTS = REPOSITORY / "llamaindex_rag_eval" / "judge" / "rules" / "short_answer_weights.json"
SETS = ("evouna_nq", "evouna_tq")


def figures_of(name: str) -> tuple[list[str], Array, Array]:
    """Return the names of the figures, a row for each response, and whether people call it right.

    Of the forms of a reference, the one whose words the response has most of.
    """
    names: list[str] = []
    rows, right = [], []
    for record in records(name):
        question, response = str(record["question"]), str(record["response"])
        forms = [form for form in answer_forms(str(record["reference"])) if terms(form)]
        every = [
            figures
            for form in forms
            if is_fragment(without_frame(form), question)
            if (figures := answer_figures(question, without_frame(form), without_frame(response)))
        ]
        if every:
            best = max(every, key=lambda each: each["cover"] + each["fuzzy"])
            names = [*best]
            rows.append([*best.values()])
            right.append(label_of(name, record["labels"])[1])  # type: ignore[arg-type] # a mapping
    return names, np.array(rows), np.array(right)


def fitted(sets: Sequence[tuple[Array, Array]]) -> LogisticRegression:
    """Return the model that fits some sets best."""
    rows, right = (np.concatenate(parts) for parts in zip(*sets, strict=True))
    return LogisticRegression(C=1.0, max_iter=1000).fit(rows, right)


def main() -> None:
    """Print how far the weights carry over, and write those of both sets."""
    parser = argparse.ArgumentParser(description="Fit what a response has of a short answer.")
    parser.add_argument("--dry-run", action="store_true", help="print, but write nothing")
    options = parser.parse_args()
    named = {name: figures_of(name) for name in SETS}
    data = {name: (rows, right) for name, (_, rows, right) in named.items()}
    every = fitted([*data.values()])
    for name, (rows, right) in data.items():
        other = fitted([each for key, each in data.items() if key != name])
        for title, model in (("the other", other), ("both", every)):
            score = roc_auc_score(right, model.decision_function(rows))
            print(
                f"{name:10} by {title:9}: AUC {score:.3f}, as people {model.score(rows, right):.3f}"
            )
    names = named[SETS[0]][0]
    values = (round(float(value), 3) for value in every.coef_[0])
    weights = {
        "bias": round(float(every.intercept_[0]), 3),
        **dict(zip(names, values, strict=True)),
    }
    print(json.dumps(weights))
    if not options.dry_run:
        WEIGHTS.write_text(json.dumps(weights, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
