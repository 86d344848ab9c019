"""Print what `gate` and `compare` say of twenty-seven awkward cases, to be read by a person.

Run as `python -m tests.benchmarks.decision_sentences`, with a part of a case's name for some.
"""

import sys
from collections.abc import Callable, Mapping, Sequence

from llamaindex_rag_eval.data.repeats import repeated
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.decisions.comparison import Comparison
from llamaindex_rag_eval.decisions.decision import decide_pair
from llamaindex_rag_eval.decisions.policy import Allowances, Policy
from llamaindex_rag_eval.runs.run import Run
from tests.report.runs import run_of_scores, sample

Scores = Sequence[float | None]
ANY = Policy(allow=Allowances(inconclusive=True))


def pair(
    a: Scores,
    b: Scores,
    documents: Sequence[str | tuple[str, ...]] = (),
    failed: int = 0,
    others: Mapping[str, tuple[Scores, Scores]] | None = None,
) -> tuple[Run, Run]:
    """Return two runs; questions with their documents, the first of the second run failed."""
    runs = []
    for place, name in enumerate(("main", "new")):
        scores = {"m": (a, b)[place]} | {
            metric: two[place] for metric, two in (others or {}).items()
        }
        samples = [
            sample(f"q{k}", response=f"{name} {k}", reference_context_ids=_ids(documents, k))
            for k in range(max(len(a), len(b)))
        ]
        lost = [(f"q{k}", "m") for k in range(failed)] if place else []
        runs.append(run_of_scores(name, scores, samples=samples, failed=lost))
    return runs[0], runs[1]


def _ids(documents: Sequence[str | tuple[str, ...]], k: int) -> tuple[str, ...]:
    own = documents[k] if documents else ()
    return (own,) if isinstance(own, str) else own


def judged(run: Run, who: str) -> Run:
    """Return a run that this one judged."""
    by = {"m": {"SupportOf": {who: 40}}}
    return Run(run.samples, run.results, run.provenance.model_copy(update={"judged": by}), run.name)


def other_judge() -> tuple[Run, Run]:
    """Return runs that two models judged."""
    a, b = pair([1.0] * 40, [1.0] * 40)
    return judged(a, "llm/old"), judged(b, "llm/new")


def again() -> tuple[Run, Run]:
    """Return runs over 60 questions that were asked three times; one answer in nine is wrong."""
    asked = [one for k in range(60) for one in repeated([sample(f"q{k}")], 3)]
    runs = []
    for place, name in enumerate(("main", "new")):
        samples = [
            SingleTurnSample.model_validate({**dict(one), "response": f"{name} {k}"})
            for k, one in enumerate(asked)
        ]
        scores = {"m": [float((k + place) % 9 > 0) for k in range(180)]}
        runs.append(run_of_scores(name, scores, samples=samples))
    return runs[0], runs[1]


def slow() -> tuple[Run, Run]:
    """Return runs of which the second takes five times as long."""
    runs = pair([0.0, 1.0] * 40, [1.0] * 80)
    slower = []
    for run, seconds in zip(runs, (1.0, 5.0), strict=True):
        samples = tuple(
            one.model_copy(update={"latency": seconds + k % 3 / 10})
            for k, one in enumerate(run.samples)
        )
        slower.append(Run(samples, run.results, run.provenance, run.name))
    return slower[0], slower[1]


FIVES = [f"d{k // 5}" for k in range(100)]
HUGE = [f"d{max(0, k - 59)}" for k in range(100)]
CROSSED = [
    (f"d{k % 40}", f"d{(3 * k + 1) % 40}") if k % 3 == 0 else f"d{k % 40}" for k in range(99)
]
MIXED = [0.0, 1.0, 1.0, 1.0, 1.0] * 20
TURNED = [1.0, 0.0, 1.0, 1.0, 1.0] * 20

CASES: dict[str, tuple[Callable[[], tuple[Run, Run]], Policy]] = {
    "n = 1": (lambda: pair([1.0], [0.0]), Policy()),
    "n = 2, both fall": (lambda: pair([1.0] * 2, [0.0] * 2), Policy()),
    "n = 5, all fall": (lambda: pair([1.0] * 5, [0.0] * 5), Policy()),
    "n = 8, all fall, what is open is allowed": (lambda: pair([1.0] * 8, [0.0] * 8), ANY),
    "n = 8, one falls, what is open is allowed": (
        lambda: pair([1.0] * 8, [1.0] * 7 + [0.0]),
        ANY,
    ),
    "n = 19, all rise": (lambda: pair([0.0] * 19, [1.0] * 19), Policy()),
    "n = 50, all scores equal": (lambda: pair([1.0] * 50, [1.0] * 50), Policy()),
    "n = 200, all scores equal": (lambda: pair([1.0] * 200, [1.0] * 200), Policy()),
    "n = 50, all wrong in both": (lambda: pair([0.0] * 50, [0.0] * 50), Policy()),
    "n = 100, 40 change, as many up as down": (lambda: pair(MIXED, TURNED), Policy()),
    "n = 100, exactly the margin": (lambda: pair([1.0] * 100, [1.0] * 95 + [0.0] * 5), Policy()),
    "n = 40, all failed in the second": (
        lambda: pair([1.0] * 40, [None] * 40, failed=40),
        Policy(),
    ),
    "n = 40, three failed in the second": (
        lambda: pair([1.0] * 40, [None] * 3 + [1.0] * 37, failed=3),
        Policy(),
    ),
    "n = 40, 38 undefined in both": (
        lambda: pair([1.0] * 2 + [None] * 38, [0.0] * 2 + [None] * 38),
        Policy(),
    ),
    "documents of five": (lambda: pair(MIXED, TURNED, FIVES), Policy()),
    "one document falls": (
        lambda: pair([1.0] * 100, [0.0] * 5 + [1.0] * 95, FIVES),
        Policy(),
    ),
    "one huge document, which falls": (
        lambda: pair([1.0] * 100, [0.0] * 60 + [1.0] * 40, HUGE),
        Policy(),
    ),
    "all on one document": (lambda: pair([1.0] * 40, [0.5] * 40, ["d"] * 40), Policy()),
    "questions over two documents": (lambda: pair(MIXED[:99], TURNED[:99], CROSSED), Policy()),
    "thirty metrics, one falls by little": (
        lambda: pair(
            [1.0] * 200,
            [1.0] * 200,
            others={f"m{k}": ([1.0] * 200, [1.0] * 200) for k in range(28)}
            | {"k": ([1.0] * 200, [0.0] * 6 + [1.0] * 194)},
        ),
        Policy(),
    ),
    "thirty metrics, one collapses": (
        lambda: pair(
            [1.0] * 60,
            [1.0] * 60,
            others={f"m{k}": ([1.0] * 60, [1.0] * 60) for k in range(28)}
            | {"k": ([1.0] * 60, [0.0] * 60)},
        ),
        Policy(),
    ),
    "different golden sets": (
        lambda: (pair([1.0] * 40, [1.0] * 40)[0], pair([1.0] * 50, [1.0] * 50)[1]),
        Policy(),
    ),
    "another judge": (other_judge, Policy()),
    "asked three times": (again, Policy()),
    "n = 50, four in ten failed in the second": (
        lambda: pair([1.0] * 50, [None] * 20 + [1.0] * 30, failed=20),
        Policy(),
    ),
    "fivefold latency, no limit": (slow, Policy()),
    "fivefold latency, at most 1.5 times": (slow, Policy(max_latency=1.5)),
}


if __name__ == "__main__":
    for case, (make, policy) in CASES.items():
        if any(part in case for part in sys.argv[1:] or [""]):
            compared = Comparison.of(*make())
            decision = decide_pair(compared, policy)
            print(f"\n## {case}: {decision.headline}{' [passes]' if decision.held else ''}")
            print(*(f"  {line}" for line in (*decision.reasons, *decision.notes)), sep="\n")
            print(*(f"  {check.rule}: {check.message}" for check in decision.checks[:2]), sep="\n")
