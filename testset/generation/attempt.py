"""Attempts: what a writer offers to write, and what came of it.

Two writers have the same face: `ModelWriter` asks a model, `RuleWriter` reads questions off the
documents. Both are driven by `Fill`.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from llamaindex_rag_eval.errors import EngineError
from testset.checks.draft import Draft
from testset.generation.quotas import Stratum
from testset.golden.item import Axes, Check, Created, GoldenItem
from testset.golden.spans import LocatedFact
from testset.requests.proposals import Offer


@dataclass(frozen=True)
class Order:
    """A question that was proposed, with its facts.

    Attributes:
        stratum: Its topic and type.
        passages: The numbers of the passages it is about.
        offer: What is asked, and by whom.
        facts: The facts of the answer, vital ones first.
        measured: How hard and how long its question was when it was written; `None` if it was not.
    """

    stratum: Stratum
    passages: tuple[int, ...]
    offer: Offer
    facts: tuple[LocatedFact, ...]
    measured: tuple[str, str] | None = None


@dataclass(frozen=True)
class Attempt:
    """An attempt to write a question, and to check it.

    Attributes:
        stratum: The topic, and the type that was asked for.
        doc_ids: The documents that it was written about.
        axes: Who asks, and how.
        created: What made it.
        draft: The question as it was written last; `None` if none was.
        checks: What each check found.
        rejected_by: The check that rejected it, or the step that failed before the checks;
            empty if it passed.
        reason: Why it was rejected; empty if it passed.
        repaired: The check for which it was repaired; empty if it was not.
        unreachable: Whether the model, or the deployed retriever, could not be reached.
        prepared: Whether it asked for proposals; it has no draft.
        orders: What was proposed to be written.
        held_back: What was written and is not as hard or as long as its target; offered again for
            others.
    """

    stratum: Stratum
    doc_ids: tuple[str, ...]
    axes: Axes
    created: Created
    draft: Draft | None = None
    checks: Mapping[str, Check] = field(default_factory=dict)
    rejected_by: str = ""
    reason: str = ""
    repaired: str = ""
    unreachable: bool = False
    prepared: bool = False
    orders: tuple[Order, ...] = ()
    held_back: Order | None = None


TRAFFIC = "traffic"
"""What a question is rejected by that fits no open target of the traffic."""
RETRIEVER = "retriever"
"""What an attempt is rejected by whose deployed retriever failed."""


def without_retriever(attempt: Attempt, error: EngineError) -> Attempt:
    """Return an attempt that could not be checked, since the deployed retriever failed."""
    return replace(attempt, rejected_by=RETRIEVER, reason=str(error), unreachable=True)


@dataclass(frozen=True)
class Slot:
    """A question that a writer can try to write.

    Attributes:
        stratum: Where it counts.
        write: Writes and checks it; depends on nothing that is accepted after the slot was taken.
        prepares: Whether it only finds out what is to be written.
        target: The number of the target that it is to fulfil; `None` without traffic.
    """

    stratum: Stratum
    write: Callable[[], Awaitable[Attempt]]
    prepares: bool = False
    target: int | None = None


class ItemWriter(Protocol):
    """Who writes questions.

    Attributes:
        window: How many slots are written at a time.
    """

    window: int

    def offers(self, type_: str) -> bool:
        """Return whether there is anything to write a question of this type about."""

    def take(
        self, stratum: Stratum, *, wanted: int, types: Sequence[str], offered: bool
    ) -> Slot | None:
        """Return the next slot of a stratum; `None` if there is none, for now.

        Args:
            stratum: The topic and type.
            wanted: How many questions of this type the whole set is to have.
            types: This type, and others that the set lacks, the most wanted first.
            offered: Whether only a slot will do that needs no proposals before it.
        """

    def waits(self, stratum: Stratum) -> bool:
        """Return whether slots under way may bring something for a stratum."""

    def settled(self, attempt: Attempt) -> None:
        """Learn what came of a slot; called in the order of the slots."""

    def more(self) -> bool:
        """Offer what was held back; called when nothing else is left. `False` if nothing was."""

    def why(self, stratum: Stratum) -> str:
        """Return why a stratum could not be filled."""

    def summary(self, items: Sequence[GoldenItem]) -> Mapping[str, str]:
        """Return what the data card says of the writing, now that these items are kept."""
