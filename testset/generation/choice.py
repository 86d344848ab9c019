"""Choosing: what of the proposals is written in a round, and what proposals are asked for."""

import math
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Generic, Literal, TypeVar

from testset.generation.attempt import Attempt, Proposal
from testset.generation.proposals import OVER_TWO
from testset.generation.quotas import Stratum
from testset.generation.run import Run
from testset.generation.traffic import Target
from testset.golden.item import GoldenItem

PROMISED = 3
"""Questions that the proposals of one passage are expected to hold."""

Lack = Literal["stratum", "type", "any"]
"""What must lack questions for one to be written: the stratum, its type, or nothing."""

ProposalT = TypeVar("ProposalT", bound=Proposal)


class ItemWriter(Generic[ProposalT]):
    """Who writes questions: holds the proposals of each stratum in the order in which they came.

    Args:
        run: What is wanted, of which documents.

    Attributes:
        window: How many questions are written at a time.
        attempts: Attempts for each question of a type, before the type is given up.
        steps: How often all that is missing may be written.
    """

    window: int = 1
    attempts: float = math.inf
    steps: float = math.inf

    def __init__(self, run: Run) -> None:
        self.run, self.targets = run, run.targets
        self.proposals: dict[Stratum, list[ProposalT]] = defaultdict(list)
        self.tried: Counter[str] = Counter()
        self.proposed: Counter[str] = Counter()

    def offers(self, type_: str) -> bool:
        """Return whether there is anything to write a question of this type about."""
        raise NotImplementedError

    def propose(self, stratum: Stratum, types: Sequence[str]) -> Attempt | None:
        """Return a call for what to write; `None` if there is nothing left to read."""
        del stratum, types
        return None

    def attempt(self, proposal: ProposalT, target: int) -> Attempt:
        """Return an attempt to write a proposal, with what is accepted and wanted now."""
        raise NotImplementedError

    def is_open(self, proposal: ProposalT) -> bool:
        """Return whether a proposal may be written now."""
        del proposal
        return True

    def measure(self, proposal: ProposalT) -> tuple[str, str] | None:
        """Return how hard and how long a question will be; `None` if that is not known."""
        raise NotImplementedError

    def why(self, stratum: Stratum) -> str:
        """Return why a stratum could not be filled."""
        raise NotImplementedError

    def summary(self, items: Sequence[GoldenItem]) -> Mapping[str, str]:
        """Return what the data card says of the writing, now that these items are kept."""
        raise NotImplementedError

    def settled(self, attempt: Attempt) -> None:
        """Keep what an attempt proposes; called in the order of the attempts."""
        for proposal in attempt.proposals:
            self.proposals[proposal.stratum].append(proposal)  # type: ignore[arg-type]  # its own

    def more(self) -> bool:
        """Offer what was held back; called when nothing else is left. `False` if nothing was."""
        if not self.targets.relax():
            return False
        self.tried.clear()
        return True

    def take(self, stratum: Stratum, wanted: int) -> Attempt | None:
        """Return an attempt at the first proposal of a stratum that fulfils an open target.

        Args:
            stratum: The topic and type.
            wanted: How many questions of this type the whole set is to have.

        Returns:
            The attempt, whose proposal is taken out; `None` if no proposal will do.
        """
        if self._is_tired(stratum, wanted):
            return None
        for number, proposal in enumerate(self.proposals[stratum]):
            if not self.is_open(proposal):
                continue
            measures = partial(self._measures, proposal)
            target = self.targets.take(stratum.type, proposal.fits, measures)
            if target is not None:
                del self.proposals[stratum][number]
                self.tried[stratum.type] += 1
                return self.attempt(proposal, target)
        return None

    def ask(self, stratum: Stratum, wanted: int, types: Sequence[str]) -> Attempt | None:
        """Return a call for proposals of a stratum; `None` if enough was read, or all there is.

        Args:
            stratum: The topic and type.
            wanted: How many questions of this type the whole set is to have.
            types: This type, and others that the set lacks, the most wanted first.
        """
        stuck = self._is_tired(stratum, wanted) and bool(self.proposals[stratum])
        enough = self.proposed[stratum.type] >= self.attempts * (wanted + 2)
        if stuck or enough or not self.targets.left(stratum.type):
            return None
        attempt = self.propose(stratum, types)
        self.proposed[stratum.type] += attempt is not None
        return attempt

    def _is_tired(self, stratum: Stratum, wanted: int) -> bool:
        """Return whether a type was tried so often that it is given up."""
        most = min(self.attempts * (wanted + 2), wanted * self.steps)
        return self.tried[stratum.type] >= most

    def _measures(self, proposal: ProposalT, target: Target) -> bool:
        """Return whether a proposal is as hard and as long as a target asks, as far as is known."""
        measured = self.measure(proposal) if target.difficulty or target.length else None
        return measured is None or target.admits(*measured)


class Round:
    """Choose the attempts of one round.

    Args:
        plan: Stratum -> its quota.
        kept: Stratum -> the questions that are accepted.
        taken: Stratum -> how often it was attempted in earlier rounds; those of this are added.
        room: How many attempts there may be.
    """

    def __init__(
        self,
        plan: Mapping[Stratum, int],
        kept: Counter[Stratum],
        taken: Counter[Stratum],
        room: int,
    ) -> None:
        self._plan, self._taken, self._room = plan, taken, room
        self._wanted, self._kept = count_by_type(plan), count_by_type(kept)
        self._have, self._of_type = Counter(kept), count_by_type(kept)

    def attempts(self, writer: ItemWriter[ProposalT], *, last: bool) -> list[Attempt]:
        """Return the attempts: for strata that lack questions, then for others of their types.

        What is proposed already is written first, so that nothing that is paid for is left.

        Args:
            writer: Who writes.
            last: Whether to write of all strata where nothing of what lacks can be written.
        """
        chosen: list[Attempt] = []
        makers = [partial(self._take, writer), partial(self._ask, writer)]
        for make in makers:
            self._choose(make, "stratum", chosen)
            self._choose(make, "type", chosen)
        for make in makers if last and not chosen else ():
            self._choose(make, "any", chosen)
        return chosen

    def _take(self, writer: ItemWriter[ProposalT], stratum: Stratum) -> Attempt | None:
        return writer.take(stratum, self._wanted[stratum.type])

    def _ask(self, writer: ItemWriter[ProposalT], stratum: Stratum) -> Attempt | None:
        return writer.ask(stratum, self._wanted[stratum.type], self._types(stratum))

    def _choose(
        self, make: Callable[[Stratum], Attempt | None], lack: Lack, chosen: list[Attempt]
    ) -> None:
        """Add attempts of strata in turn, those that were attempted least first."""
        turns = deque(sorted(self._plan, key=lambda entry: (self._taken[entry], entry)))
        while turns and len(chosen) < self._room:
            stratum = turns.popleft()
            attempt = make(stratum) if self._lacks(stratum, lack) else None
            if attempt is not None:
                chosen.append(attempt)
                turns.append(stratum)
                self._taken[stratum] += 1
                counted = self._promised(stratum) if attempt.prepares else [stratum]
                self._have.update(counted)
                self._of_type.update(entry.type for entry in counted)

    def _lacks(self, stratum: Stratum, lack: Lack) -> bool:
        if lack == "type":
            return self._of_type[stratum.type] < self._wanted[stratum.type]
        return lack == "any" or self._have[stratum] < self._plan[stratum]

    def _promised(self, stratum: Stratum) -> list[Stratum]:
        """Return what proposals are expected to give: what their stratum and topic lack."""
        party = [entry for entry in self._plan if _party(entry) == _party(stratum)]
        party.sort(key=lambda entry: (entry != stratum, entry))
        lacking = [n for n in party for _ in range(self._plan[n] - self._have[n])]
        return lacking[:PROMISED] or [stratum]

    def _types(self, stratum: Stratum) -> tuple[str, ...]:
        """Return the type of a stratum, then others that the set lacks so far, first those here."""
        short = (name for name, wanted in self._wanted.items() if self._kept[name] < wanted)

        def lack(name: str) -> tuple[int, int, str]:
            own = Stratum(stratum.topic, name)
            lacking = self._have[own] - self._plan.get(own, 0)
            return lacking, self._of_type[name] - self._wanted[name], name

        return tuple(dict.fromkeys([stratum.type, *sorted(short, key=lack)]))


def count_by_type(strata: Mapping[Stratum, int]) -> Counter[str]:
    """Return how many questions of each type strata have together."""
    counts: Counter[str] = Counter()
    for stratum, count in strata.items():
        counts[stratum.type] += count
    return counts


def _party(stratum: Stratum) -> tuple[str, bool]:
    """Return a topic, and whether several passages of it are read together."""
    return stratum.topic, stratum.type in OVER_TWO
