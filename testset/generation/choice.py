"""Choosing: which proposal is written next, and when proposals are asked for."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Generic, TypeVar

from testset.generation.attempt import Attempt, Proposal
from testset.generation.proposals import OVER_TWO
from testset.generation.quotas import Stratum
from testset.generation.run import Run
from testset.generation.traffic import Target
from testset.golden.item import GoldenItem

PROMISED = 3
"""Questions that proposals of one passage are expected to hold; so many wait for them."""

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
        self._under_way: Counter[tuple[str, bool]] = Counter()
        self._waiting: dict[tuple[str, bool], set[Stratum]] = defaultdict(set)

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

    def more(self) -> bool:
        """Offer what was held back; called when nothing else is left. `False` if nothing was."""
        if not self.targets.relax():
            return False
        self.tried.clear()
        return True

    def take(
        self, stratum: Stratum, *, wanted: int, types: Sequence[str], offered: bool
    ) -> Attempt | None:
        """Return the next attempt of a stratum; `None` if there is none, for now.

        Args:
            stratum: The topic and type.
            wanted: How many questions of this type the whole set is to have.
            types: This type, and others that the set lacks, the most wanted first.
            offered: Whether only one will do that needs no proposals before it.
        """
        most = self.attempts * (wanted + 2)
        tired = self.tried[stratum.type] >= min(most, wanted * self.steps)
        attempt = None if tired else self._first(stratum)
        if attempt is not None:
            self.tried[stratum.type] += 1
            return attempt
        if offered or (tired and self.proposals[stratum]) or not self.targets.left(stratum.type):
            return None
        if self.proposed[stratum.type] >= most or self._joins(stratum):
            return None
        attempt = self.propose(stratum, types)
        if attempt is not None:
            self.proposed[stratum.type] += 1
            self._under_way[_party(stratum)] += 1
        return attempt

    def _first(self, stratum: Stratum) -> Attempt | None:
        """Return the attempt at the first proposal that fulfils an open target; take it out."""
        for number, proposal in enumerate(self.proposals[stratum]):
            if not self.is_open(proposal):
                continue
            measures = partial(self._measures, proposal)
            target = self.targets.take(stratum.type, proposal.fits, measures)
            if target is not None:
                del self.proposals[stratum][number]
                return self.attempt(proposal, target)
        return None

    def _measures(self, proposal: ProposalT, target: Target) -> bool:
        """Return whether a proposal is as hard and as long as a target asks, as far as is known."""
        measured = self.measure(proposal) if target.difficulty or target.length else None
        return measured is None or target.admits(*measured)

    def _joins(self, stratum: Stratum) -> bool:
        """Let a stratum wait for proposals that are under way, if they have room for it."""
        waiting = self._waiting[_party(stratum)]
        if len(waiting) < (PROMISED - 1) * self._under_way[_party(stratum)]:
            waiting.add(stratum)
        return stratum in waiting

    def waits(self, stratum: Stratum) -> bool:
        """Return whether a stratum waits for proposals that are under way."""
        return stratum in self._waiting[_party(stratum)]

    def settled(self, attempt: Attempt) -> None:
        """Keep what an attempt proposes; called in the order of the attempts."""
        if attempt.prepares:
            self._under_way[_party(attempt.stratum)] -= 1
            self._waiting[_party(attempt.stratum)].clear()
        for proposal in attempt.proposals:
            self.proposals[proposal.stratum].append(proposal)  # type: ignore[arg-type]  # its own


class Choice:
    """Choose the stratum that is written for next: the one that was attempted least so far.

    Args:
        plan: Stratum -> its quota.

    Attributes:
        plan: As given.
        have: Stratum -> the questions that are accepted or under way.
        kept: Stratum -> those that are accepted.
    """

    def __init__(self, plan: Mapping[Stratum, int]) -> None:
        self.plan, self._wanted = plan, _by_type(plan)
        self.have: Counter[Stratum] = Counter()
        self.kept: Counter[Stratum] = Counter()
        self._taken: Counter[Stratum] = Counter()
        self._empty: set[Stratum] = set()

    def reopen(self) -> None:
        """Ask the writer again for strata that it had nothing for."""
        self._empty.clear()

    def next(self, writer: ItemWriter[ProposalT], *, of_any: bool = False) -> Attempt | None:
        """Return the next attempt, or `None`; strata that wait for others' are counted as had.

        What was offered is taken first, of any topic, so that nothing that is paid for is left.

        Args:
            writer: Who writes.
            of_any: Whether to take it of any stratum, in place of those that cannot be filled.
        """
        if of_any:
            return self._take(writer, self.plan, offered=False)
        for offered in (True, False):
            for short in (lambda: self.short_of(self.have), self._of_short_types):
                attempt = self._take(writer, short(), offered=offered)
                if attempt is not None:
                    return attempt
        return None

    def short_of(self, have: Mapping[Stratum, int]) -> dict[Stratum, int]:
        """Return the strata below their quota, with the quota."""
        return {entry: quota for entry, quota in self.plan.items() if have[entry] < quota}

    def _of_short_types(self) -> list[Stratum]:
        """Return the strata of types below their quota."""
        of_type = _by_type(self.have)
        return [entry for entry in self.plan if of_type[entry.type] < self._wanted[entry.type]]

    def _take(
        self, writer: ItemWriter[ProposalT], among: Iterable[Stratum], *, offered: bool
    ) -> Attempt | None:
        for stratum in sorted(among, key=lambda entry: (self._taken[entry], entry)):
            if stratum in self._empty:
                continue
            wanted, types = self._wanted[stratum.type], self._types(stratum)
            attempt = writer.take(stratum, wanted=wanted, types=types, offered=offered)
            if attempt is not None:
                self._taken[attempt.stratum] += 1
                self.have[attempt.stratum] += 1
                return attempt
            if not offered:
                self._empty.add(stratum)
                self.have[stratum] += writer.waits(stratum)
        return None

    def _types(self, stratum: Stratum) -> tuple[str, ...]:
        """Return the type of a stratum, then others that the set lacks so far, first those here."""
        of_type, accepted = _by_type(self.have), _by_type(self.kept)
        short = (name for name, wanted in self._wanted.items() if accepted[name] < wanted)

        def lack(name: str) -> tuple[int, int, str]:
            own = Stratum(stratum.topic, name)
            lacking = self.have[own] - self.plan.get(own, 0)
            return lacking, of_type[name] - self._wanted[name], name

        return tuple(dict.fromkeys([stratum.type, *sorted(short, key=lack)]))


def _by_type(strata: Mapping[Stratum, int]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for stratum, count in strata.items():
        counts[stratum.type] += count
    return counts


def _party(stratum: Stratum) -> tuple[str, bool]:
    """Return a topic, and whether several passages of it are read together."""
    return stratum.topic, stratum.type in OVER_TWO
