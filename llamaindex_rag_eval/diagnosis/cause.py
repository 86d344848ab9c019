"""Causes: from what exchanging parts of an engine showed to why an answer is wrong."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal, get_args

import tomllib

Cause = Literal[
    "failed",
    "behaviour",
    "unknown",
    "judge",
    "golden_item",
    "never_indexed",
    "not_found",
    "ranked_too_low",
    "cut",
    "not_passed_on",
    "unstable",
    "misread",
    "order",
    "distracted",
    "not_used",
]

TrialName = Literal["alone", "first", "again", "noise", "without", "exchanged"]
"""What an engine answers from: the evidence alone; the evidence, then what else was passed on; once
more what was passed on; that and more beside it; that without the evidence; or that with another
value in place of the answer's."""

DEPTH = 100
"""Ranks down to which evidence counts as found."""


@dataclass(frozen=True)
class CauseText:
    """What people read of a cause.

    Attributes:
        title: Its name.
        means: What was seen.
        remedy: What to do.
    """

    title: str
    means: str
    remedy: str


@cache
def cause_texts() -> Mapping[Cause, CauseText]:
    """Return what people read of each cause, in the order of a pipeline."""
    table = tomllib.loads(Path(__file__).with_name("causes.toml").read_text(encoding="utf-8"))
    return {name: CauseText(**table[name]) for name in get_args(Cause)}


@dataclass(frozen=True)
class Signs:
    """What is known of a wrong answer; `None` where it could not be tried.

    Attributes:
        failed: Whether the engine raised an error.
        known: Whether its evidence is known.
        answerable: Whether the question ought to be answered, rather than refused.
        second: Whether another judging says that the answer is right.
        supported: Whether the evidence supports the reference.
        passed: Whether the contexts of the answer hold the evidence.
        ranked: Whether the retriever passes it on, before postprocessors.
        indexed: Whether nodes of the index hold each part of it whole.
        rank: The place in the retriever's ranking by which all of it is found, from 1.
        trials: Whether the answer of each trial is right.
    """

    failed: bool = False
    known: bool = True
    answerable: bool = True
    second: bool = False
    supported: bool | None = None
    passed: bool | None = None
    ranked: bool | None = None
    indexed: bool | None = None
    rank: int | None = None
    trials: Mapping[TrialName, bool] = field(default_factory=dict)


def causes_of(signs: Signs, depth: int = DEPTH) -> tuple[Cause, ...]:
    """Return why an answer is wrong, the first cause in the pipeline first.

    Where the evidence is lost on its way and the reader fails with the evidence alone, too, both
    are returned: mending the first alone does not help.

    Args:
        signs: What is known.
        depth: Ranks down to which evidence counts as found.

    Example:
        >>> causes_of(Signs(passed=True, trials={"alone": True, "first": False, "again": False}))
        ('distracted',)
        >>> causes_of(Signs(passed=False, ranked=False, indexed=True, rank=7))
        ('ranked_too_low',)
    """
    trials = signs.trials
    early: Mapping[Cause, bool] = {
        "failed": signs.failed,
        "behaviour": not signs.answerable,
        "judge": signs.second,
        "unknown": not signs.known,
        "golden_item": signs.supported is False and not trials.get("alone"),
    }
    for cause, holds in early.items():
        if holds:
            return (cause,)
    if signs.passed is False:
        misread: tuple[Cause, ...] = ("misread",) if trials.get("alone") is False else ()
        return (_lost_at(signs, depth), *misread)
    if trials.get("again"):
        return ("unstable",)
    if "alone" not in trials:
        return ("not_used",)
    if not trials["alone"]:
        return ("misread",)
    return ("order",) if trials.get("first") else ("distracted",)


def _lost_at(signs: Signs, depth: int) -> Cause:
    """Return where evidence is lost that the answer's contexts lack."""
    if signs.ranked:
        return "cut"
    if signs.indexed is False:
        return "never_indexed"
    if signs.indexed is None:
        return "not_passed_on"
    return "ranked_too_low" if signs.rank is not None and signs.rank <= depth else "not_found"
