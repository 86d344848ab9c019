"""What evaluations are tested on: samples, metrics that ask no judge, a judge with a script.

A process that scores with these metrics loads no client of a model.
"""

import asyncio
import os
import signal
from multiprocessing import parent_process
from pathlib import Path
from typing import Any

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.judge import Claims, ClaimsOf, Support, SupportOf, SupportReply
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.result import Score
from llamaindex_rag_eval.models import ScriptedOracle, store_tables, store_thread


class Length(Metric):
    name = "length"
    needs = frozenset({"response"})
    bounds = (0.0, 1000.0)

    async def measure(self, sample: SingleTurnSample) -> Score:
        return Score(float(len(sample.response)))


class Fatal(Metric):
    """Kills the worker in which it meets a sample: once, if a file is given, or whenever."""

    name = "fatal"
    needs = frozenset({"response"})

    def __init__(self, once: Path | None = None) -> None:
        super().__init__()
        self.once = once

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if parent_process():  # others soon ask for what the killed process had asked for
            for module in (store_tables, store_thread):
                vars(module)["LEASE_SECONDS"] = 6.0

    async def measure(self, sample: SingleTurnSample) -> Score:
        if parent_process() and sample.id != "s0" and (self.once is None or self.once.exists()):
            if self.once is not None:
                self.once.unlink()
            await asyncio.sleep(0.2)  # until others are in flight
            os.kill(os.getpid(), signal.SIGKILL)
        return Score(1.0)


class Unopenable(Metric):
    """Cannot be opened in another process."""

    name = "unopenable"
    needs = frozenset({"response"})

    def __setstate__(self, state: dict[str, Any]) -> None:
        if parent_process():
            raise RuntimeError("not here")
        self.__dict__.update(state)

    async def measure(self, sample: SingleTurnSample) -> Score:
        return Score(1.0)


def samples(count: int = 3) -> list[SingleTurnSample]:
    return [
        SingleTurnSample(
            id=f"q{number}",
            query="Where is Paris?",
            response=f"Paris lies on the Seine, number {number}.",
            contexts=("Paris lies on the Seine.",),
            reference="On the Seine.",
        )
        for number in range(count)
    ]


def replies(request: SupportOf) -> SupportReply:
    return SupportReply(
        verdicts=tuple(
            Support(claim=claim, verdict="supported", sources=(0,)) for claim in request.claims
        )
    )


def script() -> ScriptedOracle:
    return ScriptedOracle(by_request={ClaimsOf: Claims(claims=("a",)), SupportOf: replies})
