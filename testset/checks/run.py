"""Running the checks: one question through all of them, cheapest first, up to the first rejection.

What rules wrote is checked by rules and the judge; what a model wrote, by rules and then by a
model, from one call up. Check names are those that golden items are stored with.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.models.ask_ahead import AskAhead
from llamaindex_rag_eval.models.request import Request
from testset.checks import (
    alternative_gold,
    closed_book,
    critics_agree,
    duplicate,
    grounded,
    hops_needed,
    retrievable,
    round_trip,
    self_contained,
    span,
    unanswerable,
    well_formed,
)
from testset.checks.draft import Draft
from testset.checks.duplicate import AskedQuestions
from testset.checks.examined import Examiner
from testset.corpus.deployed import DeployedSearch, Retrieved
from testset.corpus.index import CorpusIndex
from testset.golden.item import Check
from testset.requests.closed_book import ClosedBookOf
from testset.requests.examine import ExamineOf

OF_SEARCH = frozenset({"retrievable", "unanswerable", "hops_needed", "alternative_gold"})
"""Checks that look at what a deployed retriever finds."""
LACKING = frozenset({"hops_needed", "round_trip"})
"""Checks that keep what only lacks something, and tag it."""
_EXAMINED = frozenset(
    {"self_contained", "grounded", "round_trip", "critics_agree"}
    | {"hops_needed", "alternative_gold", "unanswerable"}
)
"""Checks of a model that rest on one call."""
_REQUESTS: Mapping[str, type[Request[Any]]] = {
    **dict.fromkeys(_EXAMINED, ExamineOf),
    "closed_book": ClosedBookOf,
}
"""Check -> the request that it asks a model; its fingerprint says who judged."""


@dataclass(frozen=True)
class CheckContext:
    """What checks compare a draft with, and who verifies.

    Attributes:
        index: The documents.
        accepted: The questions accepted so far.
        judge: Who verifies.
        by_heart: Whether to ask what a model knows by heart.
        deployed: The retriever that is deployed, if one is given.
    """

    index: CorpusIndex
    accepted: AskedQuestions
    judge: Judge
    by_heart: bool = False
    deployed: DeployedSearch | None = None

    @cached_property
    def examiner(self) -> Examiner:
        """Who examines, once for each draft."""
        return Examiner(self.index, self.judge)

    async def find(self, question: str) -> Retrieved | None:
        """Return what the deployed retriever finds for a question; `None` without one.

        Raises:
            EngineError: It failed.
        """
        return None if self.deployed is None else await self.deployed.find(question)


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What the checks found.

    Attributes:
        draft: The question; checks may have added to its gold spans, or left some out.
        checks: Check -> its verdict, in the order of the checks; after a rejection only those that
            rest on the same call.
    """

    draft: Draft
    checks: Mapping[str, Check]

    @property
    def rejected_by(self) -> str:
        """The name of the check that rejected the draft; empty if it passed."""
        return next((n for n, c in self.checks.items() if c.verdict == "rejected"), "")

    @property
    def faults(self) -> Mapping[str, str]:
        """Check -> what it found that may be mended; what only lacks something is kept, too."""
        return {
            name: check.evidence
            for name, check in self.checks.items()
            if check.verdict == "rejected" or (name in LACKING and check.verdict == "tagged")
        }

    @property
    def reason(self) -> str:
        """Why the draft was rejected; empty if it passed."""
        return self.checks[self.rejected_by].evidence if self.rejected_by else ""


async def run_rule_checks(
    draft: Draft, context: CheckContext, *, only: Collection[str] | None = None
) -> CheckReport:
    """Return what the checks, or `only` those of these names, find in a question of rules.

    Raises:
        EngineError: The deployed retriever failed.
    """
    return await _run(_chosen(RULE_CHECKS, only), draft, context)


async def run_model_checks(
    draft: Draft, context: CheckContext, *, only: Collection[str] | None = None
) -> CheckReport:
    """Return what the checks, or `only` those of these names, find in a model's; and who judged.

    Raises:
        EngineError: The deployed retriever failed.
    """
    report = await _run(_chosen(MODEL_CHECKS, only), draft, context)
    signed = {name: _signed(name, check, context) for name, check in report.checks.items()}
    return CheckReport(report.draft, signed)


_Finding = Check | tuple[Check, Draft]
"""A verdict; with the draft where a check changes it."""
_Step = Callable[[Draft, CheckContext], _Finding | Awaitable[_Finding]]

RULE_CHECKS: Mapping[str, _Step] = {
    "lint": lambda draft, _: well_formed.by_rule(draft),
    "span": lambda draft, c: span.by_rule(draft, c.index),
    "self_contained": lambda draft, _: self_contained.by_rule(draft),
    "duplicate": lambda draft, c: duplicate.by_rule(draft, c.accepted),
    "round_trip": lambda draft, c: round_trip.by_rule(draft, c.index),
    "retrievable": lambda draft, c: retrievable.by_words(draft, c.index),
    "unanswerable": lambda draft, c: unanswerable.by_rule(draft, c.index),
    "alternative_gold": lambda draft, c: alternative_gold.by_rule(draft, c.index),
    "grounded": lambda draft, c: grounded.by_judge(draft, c.judge),
}
MODEL_CHECKS: Mapping[str, _Step] = {
    **{name: RULE_CHECKS[name] for name in ("lint", "span", "duplicate")},
    "retrievable": lambda draft, c: retrievable.by_either(draft, c.index),
    "self_contained": lambda draft, c: self_contained.by_model(draft, c.examiner),
    "grounded": lambda draft, c: grounded.by_model(draft, c.examiner),
    "round_trip": lambda draft, c: round_trip.by_model(draft, c.examiner),
    "critics_agree": lambda draft, c: critics_agree.by_model(draft, c.examiner),
    "closed_book": lambda draft, c: closed_book.by_model(draft, c.judge, by_heart=c.by_heart),
    "hops_needed": lambda draft, c: hops_needed.by_model(draft, c.index, c.examiner),
    "alternative_gold": lambda draft, c: alternative_gold.by_model(draft, c.index, c.examiner),
    "unanswerable": lambda draft, c: unanswerable.by_model(draft, c.index, c.examiner),
}
"""The cheapest first; those of an examiner rest on one call."""


OF_EVIDENCE = frozenset({*RULE_CHECKS, *MODEL_CHECKS}).difference(
    ("lint", "self_contained", "duplicate", "closed_book")
)
"""Checks that read the documents; the others depend on the question alone."""


def _chosen(steps: Mapping[str, _Step], only: Collection[str] | None) -> Mapping[str, _Step]:
    return {name: step for name, step in steps.items() if only is None or name in only}


async def _run(steps: Mapping[str, _Step], draft: Draft, context: CheckContext) -> CheckReport:
    """Run the checks in order, up to the first rejection and what rests on the same call.

    Behind a check whose reply is not in a batch file yet, the other checks still ask what they can,
    so that all of it goes into the same round.
    """
    checks: dict[str, Check] = {}
    ahead, rejected = AskAhead(), False
    for name, step in steps.items():
        if rejected and not (name in _EXAMINED and context.examiner.knows(draft)):
            continue
        with ahead:
            if name in OF_SEARCH and draft.hits is None:
                draft = replace(draft, hits=await context.find(draft.full_query))
            outcome = step(draft, context)
            outcome = await outcome if isinstance(outcome, Awaitable) else outcome
            check, draft = outcome if isinstance(outcome, tuple) else (outcome, draft)
            checks[name] = check
            rejected = rejected or check.verdict == "rejected"
    ahead.settle()
    return CheckReport(draft, checks)


def _signed(name: str, check: Check, context: CheckContext) -> Check:
    """Return a check with the fingerprint of the model that it asked, if it asked one."""
    request = _REQUESTS.get(name)
    if request is None or check.evidence == "not asked":
        return check
    return check.model_copy(update={"who": context.judge.oracle.fingerprint(request)})
