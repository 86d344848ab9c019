"""Choosing: which proposals are taken for what is wanted, and what proposals are asked for."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Generic, TypeVar

from testset.generation.attempt import Attempt, Proposal
from testset.generation.passages import OVER_TWO
from testset.generation.quotas import Stratum
from testset.generation.run import Run
from testset.generation.targets import OTHER, Traits, assigned
from testset.generation.traffic import Target
from testset.golden.item import GoldenItem

PROMISED = 2
"""Questions that are wanted which one passage is expected to hold; linked passages hold one."""
CHOICE = 3
"""Proposals of a topic and type that are looked at for each question that is wanted."""

ProposalT = TypeVar("ProposalT", bound=Proposal)


class ItemWriter(Generic[ProposalT]):
    """Who writes questions: holds the proposals of each stratum in the order in which they came.

    Args:
        run: What is wanted, of which documents.

    Attributes:
        window: How many questions are written at a time.
        attempts: Attempts for each question of a type, before the type is given up.
        steps: How often what is missing may be written.
        surplus: How much is written besides what is missing, as a share of that.
    """

    window: int = 1
    attempts: float = math.inf
    steps: float = math.inf
    surplus: float = 0

    def __init__(self, run: Run) -> None:
        self.run = run
        self.proposals: dict[Stratum, list[ProposalT]] = defaultdict(list)
        self.tried: Counter[str] = Counter()
        self.proposed: Counter[str] = Counter()

    def offers(self, type_: str) -> bool:
        """Return whether there is anything to write a question of this type about."""
        raise NotImplementedError

    def propose(self, stratum: Stratum, targets: Sequence[Target]) -> Attempt | None:
        """Return a call for what to write, of targets; `None` if there is nothing left to read."""
        del stratum, targets
        return None

    def attempt(self, proposal: ProposalT) -> Attempt:
        """Return an attempt to write a proposal."""
        raise NotImplementedError

    def is_open(self, proposal: ProposalT) -> bool:
        """Return whether a proposal may be written now."""
        del proposal
        return True

    def measure(self, proposal: ProposalT) -> Traits:
        """Return how hard and how long a question will be, as far as that is known."""
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

    def take(self, targets: Sequence[Target], *, any_type: bool = False) -> list[Attempt]:
        """Return attempts at the proposals that suit targets best, and take these proposals out.

        Args:
            targets: What is wanted.
            any_type: Whether what is not wanted will do where nothing else is left.
        """
        attempts: list[Attempt] = []
        for _, proposal in self._suiting(targets, any_type=any_type):
            if self.is_open(proposal):
                self.proposals[proposal.stratum].remove(proposal)
                self.tried[proposal.stratum.type] += 1
                attempts.append(self.attempt(proposal))
        return attempts

    def _suiting(
        self, targets: Sequence[Target], *, any_type: bool = False
    ) -> list[tuple[Target, ProposalT]]:
        """Return targets with the proposals that suit them best, in their order."""
        types = self.run.targets.by_type if any_type else [target.type for target in targets]
        most = math.inf if any_type else OTHER
        rows = [row for name in dict.fromkeys(types) for row in self._open(name, len(targets))]
        measured = any(target.difficulty or target.length for target in targets)
        known = [
            {**proposal.traits, **(self.measure(proposal) if measured else {})} for proposal in rows
        ]
        pairs = [(n, row) for row, (n, amiss) in assigned(targets, known).items() if amiss < most]
        return [(targets[number], rows[row]) for number, row in sorted(pairs)]

    def _open(self, type_: str, count: int) -> list[ProposalT]:
        """Return the first proposals of a type that may be written, of each topic a few."""
        if self._is_tired(type_):
            return []
        strata = sorted(entry for entry in self.proposals if entry.type == type_)
        return [
            proposal
            for stratum in strata
            for proposal in islice(filter(self.is_open, self.proposals[stratum]), CHOICE * count)
        ]

    def ask(self, targets: Sequence[Target]) -> list[Attempt]:
        """Return calls for proposals for those targets that none suits."""
        suited = self._suiting(targets)
        every = Counter(targets) - Counter(target for target, _ in suited)
        lacking = Counter(every)
        calls: list[Attempt] = []
        while lacking:
            target = next(iter(lacking))
            call = self._call(target, _in_turn(target, every, PROMISED * len(calls)))
            if call is None:
                lacking = Counter({t: n for t, n in lacking.items() if t.type != target.type})
                continue
            calls.append(call)
            over_two = target.type in OVER_TWO
            served = [entry for entry in lacking.elements() if (entry.type in OVER_TWO) == over_two]
            served.sort(key=lambda entry: entry.topic != target.topic)
            lacking -= Counter(served[: 1 if over_two else PROMISED])
        return calls

    def _call(self, target: Target, targets: Sequence[Target]) -> Attempt | None:
        """Return a call for proposals for a target, of its topic or, if that is read, another."""
        most = self.attempts * (self.run.targets.by_type[target.type] + 2)
        if self._is_tired(target.type) or self.proposed[target.type] >= most:
            return None
        for topic in dict.fromkeys([target.topic, *self.run.targets.topics]):
            stratum = Stratum(topic, target.type)
            call = self.propose(stratum, targets)
            if call is not None:
                self.proposed[target.type] += 1
                return call
        return None

    def _is_tired(self, type_: str) -> bool:
        """Return whether a type was tried so often that it is given up."""
        return self.tried[type_] >= self.attempts * (self.run.targets.by_type[type_] + 2)


def _in_turn(first: Target, every: Counter[Target], start: int) -> list[Target]:
    """Return a target, then all others from one on: of each type one before a second."""
    others = [*(every - Counter([first])).elements()]
    turns = Counter([first.type])
    ranked: list[tuple[int, bool, Target]] = []
    for target in others[start:] + others[:start]:
        ranked.append((turns[target.type], target.topic != first.topic, target))
        turns[target.type] += 1
    return [first, *(target for *_, target in sorted(ranked, key=lambda row: row[:2]))]
