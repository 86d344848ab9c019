"""What is each part of the embedded judge worth? Every part left out by itself.

    python -m tests.benchmarks.judge_parts

- `AUC`: the mean over the sets that people labelled (`RAG_EVAL_DATA`), each judged with weights
  fitted on the other sets;
- `kept` and `false`: supported claims that are called so, and others that are, in per cent, over
  the project's own changed claims and the kinds of minimal pairs that rules may be built on. A
  kind of conflict that is left out leaves the probability as it is.

The figures of the model are left out of the fit; a kind of conflict also of the judge.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from llamaindex_rag_eval.judge.rules import support
from llamaindex_rag_eval.judge.rules.evidence import FEATURES
from tests.benchmarks import pairs
from tests.benchmarks.contradictions import OWN, read, verdict_on
from tests.benchmarks.fit_rules import auc, fit, means
from tests.benchmarks.labelled_claims import (
    COLUMNS,
    DOUBTS,
    SETS,
    Labelled,
    is_constructed,
    labelled,
)


def without(data: Labelled, part: str) -> Labelled:
    """Return a set as if a figure or a kind of conflict were always 0."""
    features, doubts = data.features.copy(), data.doubts.copy()
    features[:, [name.removeprefix("answer_") == part for name in COLUMNS]] = 0
    doubts[:, [name == part for name in DOUBTS]] = 0
    return replace(data, features=features, doubts=doubts)


def mean_auc(sets: list[Labelled]) -> float:
    """Return the mean AUC over the sets that people labelled, each left out of the fit."""
    values = []
    for data in sets:
        if not is_constructed(data.name):
            score = means(data, fit([each for each in sets if each is not data]))
            values.append(auc(data.right[data.used], score[data.used]))
    return float(np.mean(values))


@contextmanager
def ignored(kind: str) -> Iterator[None]:
    """Let conflicts of a kind leave the probability as it is."""
    stored = support.model()
    changed: Mapping[str, object] = {**stored, "left": {**stored["left"], kind: 1.0}}
    support.model, model = (lambda: changed), support.model  # type: ignore[assignment] # for a while
    try:
        yield
    finally:
        support.model = model


def passed() -> tuple[float, float]:
    """Return the share of supported claims that are called so, and of the others."""
    verdicts = [(row["label"] == "supported", verdict_on(row) == "supported") for row in read(OWN)]
    for _, kept, false in pairs.judged(pairs.pairs(kinds=pairs.SEEN)):
        verdicts += [(True, kept), (False, false)]
    shares = [
        np.mean([said for right, said in verdicts if right is label]) for label in (True, False)
    ]
    return float(shares[0]), float(shares[1])


def main() -> None:
    """Print the table."""
    sets = [labelled(name, weight) for name, weight in SETS.items()]
    print("| left out | AUC | kept | false |", "|---|---|---|---|", sep="\n")
    for part in ("", *FEATURES, *DOUBTS):
        value = mean_auc([without(data, part) for data in sets])
        row = f"| {part or 'nothing'} | {value:.4f} |"
        if part in FEATURES:
            print(row, "– | – |", flush=True)
            continue
        with ignored(part):
            kept, false = passed()
        print(row, f"{kept:.1%} | {false:.1%} |", flush=True)


if __name__ == "__main__":
    main()
