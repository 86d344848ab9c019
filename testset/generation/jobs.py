"""Jobs: what one question is written by, and whether it becomes what the traffic lacks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from testset.checks.draft import Draft
from testset.checks.duplicate import AskedQuestions
from testset.corpus.index import CorpusIndex
from testset.generation.attempt import TRAFFIC, Attempt, Order
from testset.generation.items import question_length
from testset.generation.targets import admits, same_person
from testset.generation.traffic import Target
from testset.golden.difficulty import difficulty_over
from testset.golden.item import Axes

__all__ = ["Job", "fits_proposal", "held_back", "misfit"]


@dataclass(frozen=True)
class Job:
    """What one question is written by, as it stood when its slot was taken.

    Attributes:
        order: What is asked.
        axes: Who asks, and how.
        avoid: Questions not to ask again.
        asked: The questions accepted until then.
        rivals: The targets that the question may fulfil; none without traffic.
    """

    order: Order
    axes: Axes
    avoid: Sequence[str]
    asked: AskedQuestions
    rivals: tuple[Target, ...] = ()


def fits_proposal(order: Order, target: Target) -> bool:
    """Return whether a proposal is what a target asks for, of those things it can be chosen by."""
    person = not target.user or same_person(target.user, order.offer.persona)
    return person and target.kind in ("", order.offer.kind)


def held_back(attempt: Attempt, draft: Draft, order: Order, reason: str) -> Attempt:
    """Return an attempt whose question is set aside, for where nothing else is left."""
    return replace(attempt, draft=draft, rejected_by=TRAFFIC, reason=reason, held_back=order)


def misfit(job: Job, draft: Draft, index: CorpusIndex, *, deployed: bool) -> str:
    """Return what keeps a draft from every target that it may reach; empty if nothing does.

    It is measured before any check, so that it costs one call. How hard a question is for a
    retriever that is deployed is known only once that was asked.
    """
    level = "" if deployed else difficulty_over(draft, index)[0]
    length = question_length(draft)
    if not job.rivals or admits(job.rivals, {"difficulty": level, "length": length}):
        return ""
    return f"is {' and '.join(filter(None, (level, length)))}; others are wanted"
