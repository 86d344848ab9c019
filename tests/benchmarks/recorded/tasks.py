"""What is judged: samples drawn from the labelled sets, and what was made to be judged."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence

from tests.benchmarks.measuring.records import Record, labels, read
from tests.benchmarks.recorded.constructed import made, passages, preferences
from tests.benchmarks.recorded.task import Task, sample_of, scored

ONE_REQUEST = "mtrag_human, one request"
"""The set of answers that `--suite one` judges."""

SEED = 11
"""Of the samples that are drawn."""


def evouna(draw: random.Random) -> Iterator[Task]:
    """Yield 100 answers to short questions, half of them right."""
    metrics = ("answer_verdict", "factual_correctness", "response_precision")
    names = ("evouna_nq", "evouna_tq")
    asked: dict[str, set[object]] = {name: set() for name in names}
    for count in (10, 15):  # the second draw leaves the replies to the first in their place
        for name in names:
            rows = [row for row in read(name) if row["group"] not in asked[name]]
            for correct in (0, 1):
                own = [row for row in rows if labels([row], "correct")[0] == correct]
                for row in draw.sample(own, count):
                    asked[name].add(row["group"])
                    given = sample_of(row, reference=row["reference"])
                    known = dict.fromkeys(metrics, float(correct))
                    yield Task("evouna", str(row["id"]), known, scored(metrics, given))


def ragchecker(draw: random.Random) -> Iterator[Task]:
    """Yield 30 pairs of answers; a value is the second's score less the first's."""
    asked = {
        "answer_verdict": "overall",
        "answer_correctness": "overall",
        "response_f1": "overall",
        "response_recall": "completeness",
        "response_precision": "correctness",
    }
    for row in draw.sample(read("ragchecker_pref"), 30):
        pair = (
            sample_of({**row, "response": row[side]}, reference=row["reference"])
            for side in ("response1", "response2")
        )
        known = {metric: labels([row], label)[0] for metric, label in asked.items()}
        yield Task("ragchecker_pref", str(row["id"]), known, scored(tuple(asked), *pair))


def q2(draw: random.Random) -> Iterator[Task]:
    """Yield 24 dialogue answers, half of them consistent with their source."""
    metrics = ("faithfulness", "faithfulness(graded=True)")
    rows = read("q2_wow")
    for faithful in (0, 1):
        for row in draw.sample([r for r in rows if labels([r], "faithful")[0] == faithful], 12):
            known = dict.fromkeys(metrics, float(faithful))
            given = sample_of(row, contexts=row["contexts"])
            yield Task("q2_wow", str(row["id"]), known, scored(metrics, given))


def mtrag(draw: random.Random) -> Iterator[Task]:
    """Yield 20 answers in conversations, rated from 1 to 4."""
    yield from _mtrag(draw.sample(read("mtrag_human"), 20))


def suite(draw: random.Random) -> Iterator[Task]:
    """Yield the same 20 answers, and 12 to first questions, each asked about in one request."""
    rows = read("mtrag_human")
    drawn = draw.sample(rows, 20)
    first = [row for row in rows if not row["history"] and row["contexts"] and row not in drawn]
    yield from _mtrag([*drawn, *draw.sample(first, 12)], suite=True)


def _mtrag(rows: Sequence[Record], *, suite: bool = False) -> Iterator[Task]:
    for row in rows:
        rated = {name: labels([row], name)[0] for name in ("faithfulness", "completeness")}
        known = {
            "faithfulness": rated["faithfulness"],
            "answer_verdict": (rated["faithfulness"] + rated["completeness"]) / 2,
        }
        given = sample_of(row, contexts=row["contexts"], reference=row["reference"])
        name = ONE_REQUEST if suite else "mtrag_human"
        yield Task(name, str(row["id"]), known, scored(tuple(known), given, suite=suite))


SOURCES: Mapping[str, Callable[[random.Random], Iterator[Task]]] = {
    "evouna": evouna,
    "ragchecker": ragchecker,
    "q2": q2,
    "mtrag": mtrag,
    "suite": suite,
    "passages": passages,
    "preferences": preferences,
    "made": made,
}
"""Where tasks come from; each draws with a seed of its own, so that a set can be judged alone."""


def tasks_of(names: Sequence[str] = tuple(SOURCES)) -> list[Task]:
    """Return the tasks of these sources.

    Raises:
        MissingSetError: A labelled set is not in `RAG_EVAL_DATA`.
    """
    return [task for name in names for task in SOURCES[name](random.Random(SEED))]
