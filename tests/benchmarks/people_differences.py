"""How often intervals by people hold: of the means of two runs, and of their difference.

    python -m tests.benchmarks.people_differences

300 questions, a judge that is right in 90 of 100 answers and errs alike in both runs on half of
them. The second run answers three in ten right answers anew, and seven in ten wrong ones, and is
right at its rate there: what did not change is better than the rest. Labels are drawn of the same
questions of both runs; of each run by itself, all answers being other ones; in one file, where
labels of answers that did not change count for both; and so of documents of five questions, half
of which are right or wrong together.
"""

from functools import cache
from types import SimpleNamespace
from typing import cast

import numpy as np
import numpy.typing as npt

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.decisions.by_people import by_people
from llamaindex_rag_eval.decisions.labels import HumanLabel, answer_digest
from llamaindex_rag_eval.runs.clusters import clusters_of
from llamaindex_rag_eval.runs.provenance import MetricInfo, Provenance
from llamaindex_rag_eval.runs.run import Run

Flags = npt.NDArray[np.bool_]

QUESTIONS = 300
SAMPLES = 200
RATES = ((0.5, 0.6), (0.8, 0.7), (0.95, 0.95))
SPOILT = 0.3
"""Share of the right answers that the second run answers anew; of the wrong ones the others."""
SIZES = (30, 50)
DESIGNS = ("same questions", "each its own", "one file", "documents")
IDS = [f"q{number}" for number in range(QUESTIONS)]


def truths(
    rng: np.random.Generator, rates: tuple[float, float], *, documents: bool
) -> tuple[Flags, Flags, Flags]:
    """Return whether each answer of both runs is right, and whether the second is another."""
    first = rng.random(QUESTIONS) < rates[0]
    changed = rng.random(QUESTIONS) < np.where(first, SPOILT, 1 - SPOILT)
    anew = rng.random(QUESTIONS) < rates[1]
    if documents:
        whole = rng.random(QUESTIONS) < 0.5
        first, anew, changed = (
            np.where(whole, np.repeat(values[::5], 5), values) for values in (first, anew, changed)
        )
    return first, np.where(changed, anew, first), changed


@cache
def answer(number: int, name: str, documents: bool) -> SingleTurnSample:
    """Return an answer; it is of no run by name where it did not change."""
    return SingleTurnSample(
        id=IDS[number],
        query=IDS[number],
        response=f"{IDS[number]} {name}",
        reference_context_ids=(str(number // 5),) if documents else (),
    )


def run_of(name: str, judged: Flags, changed: Flags, *, documents: bool) -> Run:
    """Return what `by_people` reads of a run; building runs would take most of the time."""
    samples = [answer(number, name if new else "", documents) for number, new in enumerate(changed)]
    scores = dict(zip(IDS, judged.astype(float).tolist(), strict=True))
    run = SimpleNamespace(
        samples=samples,
        metrics=(MetricInfo(spec="m"),),
        provenance=Provenance(),
        values=lambda _: scores,
    )
    return cast("Run", run)


def labels_of(
    rng: np.random.Generator,
    right: tuple[Flags, Flags],
    runs: list[Run],
    design: str,
    size: int,
) -> list[HumanLabel]:
    """Return labels as they would be drawn; in one file a labelled answer is not drawn again."""
    answers = [
        [sample.response for sample in run.samples if isinstance(sample, SingleTurnSample)]
        for run in runs
    ]
    labels: dict[tuple[int, str], HumanLabel] = {}
    order = rng.permutation(QUESTIONS)
    for number in (0, 1):
        left = [q for q in order if (q, answers[number][q]) not in labels]
        for q in left[:size] if design != "same questions" else order[:size]:
            key = (int(q), answers[number][q])
            digest = answer_digest(key[1])
            labels[key] = HumanLabel(IDS[q], "m", float(right[number][q]), answer=digest)
        order = order if design == "documents" else rng.permutation(QUESTIONS)
    return list(labels.values())


def held(rng: np.random.Generator, rates: tuple[float, float], design: str, size: int) -> str:
    """Return how often the intervals of both means and of the difference hold, and their widths."""
    documents, hits, widths = design == "documents", [], []
    anew = rates[0] * SPOILT + (1 - rates[0]) * (1 - SPOILT)
    true = (rates[0], rates[0] * (1 - SPOILT) + anew * rates[1])
    for _ in range(SAMPLES):
        *right, changed = truths(rng, rates, documents=documents)
        texts = np.ones(QUESTIONS, bool) if design == "each its own" else changed
        alike, other = (rng.random(QUESTIONS) < share for share in (0.1, 0.1))
        wrong = [alike, np.where(changed & (rng.random(QUESTIONS) < 0.5), other, alike)]
        runs = [
            run_of(name, truth ^ error, text, documents=documents)
            for name, truth, error, text in zip(
                "ab", right, wrong, (np.zeros(QUESTIONS, bool), texts), strict=True
            )
        ]
        labels = labels_of(rng, (right[0], right[1]), runs, design, size)
        named = dict(zip("ab", runs, strict=True))
        (entry,) = (
            by_people(named, labels, runs[0].metrics, clusters_of(runs[0].samples), IDS) or ()
        )
        estimates = [*(one.mean for one in entry.means), entry.difference]
        ends = [estimate.interval for estimate in estimates if estimate and estimate.interval]
        if len(ends) < 3:
            continue  # nothing was corrected
        expected = (*true, true[1] - true[0])
        hits.append([value in each for value, each in zip(expected, ends, strict=True)])
        widths.append(ends[2].width)
    shares = "  ".join(f"{100 * share:5.1f}" for share in np.mean(hits, axis=0))
    return f"{shares}   {np.mean(widths):.3f} {len(hits):5d}"


def main() -> None:
    """Print them."""
    rng = np.random.default_rng(11)
    print(
        "design           labels  rates        first second difference, % covered; width; samples"
    )
    for design in DESIGNS:
        for size in SIZES:
            for rates in RATES:
                line = f"{design:15s} {size:6d}   {rates[0]:.2f} {rates[1]:.2f}   "
                print(line + held(rng, rates, design, size), flush=True)


if __name__ == "__main__":
    main()
