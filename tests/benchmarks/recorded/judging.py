"""Judging tasks through a folder of batch files, and the figures of what came of it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval import BatchOracle, Judge
from llamaindex_rag_eval.errors import PendingError, ReplyError
from tests.benchmarks.measuring.coefficients import Agreement, auc, interval, pearson
from tests.benchmarks.recorded.records import Asked, Recorded, asked_in
from tests.benchmarks.recorded.task import Task

COEFFICIENTS: Mapping[str, tuple[str, Agreement]] = {
    "evouna": ("AUC", auc),
    "q2_wow": ("AUC", auc),
    "ragchecker_pref": ("r", pearson),
    "mtrag_human": ("r", pearson),
    "mtrag_human, one request": ("r", pearson),
}
"""How values are held against labels; without labels, their mean is the share of right ones."""


@dataclass
class Judged:
    """What came of the tasks.

    Attributes:
        values: Of each task that could be judged, by its number.
        pending: How many wait for replies.
        failed: Why others failed.
        rounds: How many requests each round had.
        used: The requests for which there are records, by their ids.
        corrected: How many replies broke their contract and were asked for again.
    """

    values: dict[int, Mapping[str, float]] = field(default_factory=dict)
    pending: int = 0
    failed: list[str] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)
    used: dict[str, Asked] = field(default_factory=dict)
    corrected: int = 0


ALL_CLAIMS = 1_000
"""No request is divided: a reply on file answers all the claims of its request."""


def judge_in(folder: Path, tasks: Sequence[Task]) -> tuple[Judged, tuple[Path, ...]]:
    """Judge as far as there are replies; return what came of it and the next round's files."""
    llm = OpenAI(model="gpt-4o-mini", api_key="none", api_base="http://127.0.0.1:9/v1")
    oracle = BatchOracle(llm, None, folder, claims_at_once=ALL_CLAIMS)
    judge = Judge(oracle)

    async def all_of_them() -> list[Mapping[str, float] | BaseException]:
        return await asyncio.gather(*(t.values(judge) for t in tasks), return_exceptions=True)

    judged = Judged()
    for number, found in enumerate(asyncio.run(all_of_them())):
        if isinstance(found, PendingError):
            judged.pending += 1
        elif isinstance(found, ReplyError):
            judged.failed.append(f"{tasks[number].set} {tasks[number].id}: {found}")
        elif isinstance(found, BaseException):
            raise found
        else:
            judged.values[number] = found
    files = oracle.write_round()
    judged.corrected = sum(len(asked.messages) > 2 for asked in asked_in(folder))
    return judged, files


def replay(records: Sequence[Recorded], tasks: Sequence[Task], folder: Path) -> Judged:
    """Judge with the replies on file, of several to a request the last, in all rounds it takes."""
    known = {record.id: record for record in records}
    rounds: list[int] = []
    used: dict[str, Asked] = {}
    seen: set[str] = set()
    while True:
        judged, _ = judge_in(folder, tasks)
        new = [asked for asked in asked_in(folder) if asked.custom_id not in seen]
        lines = [known[asked.id].line(asked) for asked in new if asked.id in known]
        if not lines:
            judged.rounds, judged.used = rounds, used
            return judged
        rounds.append(len(new))
        seen |= {asked.custom_id for asked in new}
        used |= {asked.id: asked for asked in new}
        path = folder / f"replies-{len(rounds)}.jsonl"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def figures(tasks: Sequence[Task], judged: Judged) -> list[tuple[str, str, int, str, str]]:
    """Return a row for each set and measure: tasks judged, the coefficient, the figure."""
    rows = []
    measures: dict[tuple[str, str], list[int]] = {}
    for number, values in judged.values.items():
        for measure in values:
            measures.setdefault((tasks[number].set, measure), []).append(number)
    for (name, measure), numbers in measures.items():
        found = np.array([judged.values[n][measure] for n in numbers])
        if name not in COEFFICIENTS:
            share = "–" if np.isnan(found).all() else f"{np.nanmean(found):.2f}"
            rows.append((name, measure, len(numbers), "share", share))
            continue
        title, agree = COEFFICIENTS[name]
        people = np.array([tasks[n].labels[measure] for n in numbers])
        figure, *ends = interval(agree, people, found, [tasks[n].id for n in numbers])
        shown = f"{figure:.2f} [{ends[0]:.2f}, {ends[1]:.2f}]"
        rows.append((name, measure, len(numbers), title, shown))
    return rows


def both_forms(tasks: Sequence[Task], judged: Judged) -> dict[str, tuple[int, int, float]]:
    """Return how far one request for a sample says what separate ones say, by measure.

    Samples judged in both forms, those with the same value, and the mean absolute difference.
    """
    values: dict[str, dict[str, Mapping[str, float]]] = {}
    for number, own in judged.values.items():
        values.setdefault(tasks[number].id, {})[tasks[number].set] = own
    gaps: dict[str, list[float]] = {}
    for forms in values.values():
        for name, separate in forms.items():
            for measure, value in forms.get(f"{name}, one request", {}).items():
                gaps.setdefault(measure, []).append(abs(value - separate[measure]))
    return {
        measure: (len(own), sum(gap < 1e-9 for gap in own), float(np.nanmean(own)))
        for measure, own in gaps.items()
    }
