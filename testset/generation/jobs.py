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


@dataclass(frozen=True)
class Job:
    """What one question is written by, as it stood when its slot was taken.

    Attributes:
        order: What is asked.
        axes: Who asks, and how.
        avoid: Questions not to ask again.
        asked: The questions accepted until then.
        target: What the question must be as hard and as long as; `None` without traffic.
    """

    order: Order
    axes: Axes
    avoid: Sequence[str]
    asked: AskedQuestions
    target: Target | None = None


def fits_proposal(order: Order, target: Target) -> bool:
    """Return whether a proposal is what a target asks for, of those things it can be chosen by."""
    person = not target.user or same_person(target.user, order.offer.persona)
    return person and target.kind in ("", order.offer.kind)


def fits_measured(order: Order, target: Target) -> bool:
    """Return whether a question that was written before is as hard and as long as a target."""
    return order.measured is None or admits((target,), order.measured)


def held_back(
    job: Job, attempt: Attempt, draft: Draft, index: CorpusIndex, *, deployed: bool
) -> Attempt | None:
    """Return an attempt whose question is not as hard or as long as its target; `None` if it is.

    It is measured before any check, so that it costs one call. How hard a question is for a
    retriever that is deployed is known only once that was asked.
    """
    level = "" if deployed else difficulty_over(draft, index)[0]
    length = question_length(draft)
    if job.target is None or admits((job.target,), (level, length)):
        return None
    reason = f"is {' and '.join(filter(None, (level, length)))}; others are wanted"
    order = replace(job.order, measured=(level, length))
    return replace(attempt, draft=draft, rejected_by=TRAFFIC, reason=reason, held_back=order)
