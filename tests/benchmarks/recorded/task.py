"""A task: something to judge, and what people said of it; the judge is not shown the latter."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from llamaindex_rag_eval.data.sample import Message, SingleTurnSample
from llamaindex_rag_eval.errors import PendingError
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.judge.suite import SuiteOracle
from llamaindex_rag_eval.metrics.registry import metric_of
from llamaindex_rag_eval.models import Request
from tests.benchmarks.measuring.records import Record

Values = Mapping[str, float]


@dataclass(frozen=True)
class Task:
    """Something to judge.

    Attributes:
        set: The set it is counted with.
        id: Of the record, or the number of the request.
        labels: What people said, by the measure that is held against it.
        values: Asks a judge; a value for each measure, not a number where it is undefined. A share
            of what is right by construction has no label.
    """

    set: str
    id: str
    labels: Values
    values: Callable[[Judge], Awaitable[Values]]


def sample_of(row: Record, **fields: object) -> SingleTurnSample:
    """Return a record as a sample, with the turns before its question."""
    history: Any = row.get("history") or []
    turns = [
        Message(role="assistant" if number % 2 else "user", content=str(text))
        for number, text in enumerate(history)
    ]
    given = {"query": row["question"], "response": row["response"], "earlier_messages": turns}
    return SingleTurnSample.model_validate({**given, **fields})


def scored(
    metrics: Sequence[str], *samples: SingleTurnSample, suite: bool = False
) -> Callable[[Judge], Awaitable[Values]]:
    """Return how metrics are computed; of two samples, the second's less the first's.

    With `suite` all that a sample takes is asked in one request.
    """

    async def values(judge: Judge) -> Values:
        judge = judge.over(SuiteOracle(judge.oracle.inner)) if suite else judge
        found: dict[str, float] = {}
        pending = 0
        for spec in metrics:
            metric = metric_of(spec, judge)
            results = [await metric.result(sample) for sample in samples]
            pending += sum(result.status == "pending" for result in results)
            scores = [np.nan if result.score is None else result.score for result in results]
            if len(scores) == 1:
                found[spec] = scores[0]
            else:
                first, second = np.nan_to_num(scores)
                found[spec] = float(second - first)
        if pending:
            raise PendingError(f"{pending} results are pending")
        return found

    return values


def right(
    request: Request[Any], known: object, is_right: Callable[[Any, Any], float]
) -> Callable[[Judge], Awaitable[Values]]:
    """Return how one judgement is asked, and how far its reply is what is known to be right."""

    async def values(judge: Judge) -> Values:
        return {"right": float(is_right(await judge.ask(request), known))}

    return values
