"""Targets: the questions that are wanted, and an assignment of what there is to them.

What is to be written is chosen among proposals, and the set among the questions that passed, in one
way: each is given to a target such that as little as possible is amiss in all of them together. No
target is a condition: where nothing fits, what comes nearest fills the set, and the data card says
which shares were reached. What is left over is a spare.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from testset.checks.run import LACKING
from testset.generation.quotas import Stratum
from testset.generation.traffic import AXES, Target, Traffic
from testset.golden.item import GoldenItem

Traits = Mapping[str, str]
"""What a question is: axis of a target -> value; an axis that is empty or not there fits any."""

WEIGHTS = {
    "type": 64,
    "language": 64,
    "user": 32,
    "answered": 16,
    "complete": 8,
    "style": 4,
    "kind": 4,
    "difficulty": 2,
    "length": 2,
    "topic": 1,
}
"""Axis -> how much is amiss where it differs."""
OTHER = 32
"""From what is amiss on, it is another question: of another type, language or person."""

LATER = 1e-6
"""What is amiss with a kind of questions that comes later, beside one that is as good."""


def assigned(targets: Sequence[Target], questions: Sequence[Traits]) -> dict[int, tuple[int, int]]:
    """Return the number of each question that has a target -> its target's, and what is amiss.

    As many have one as there are targets, or questions, and as little as possible is amiss in all
    of them together; of questions that are alike, the first have one. What is just as a target
    wants it, in every respect, is given to it at once: no exchange with another would be better.

    Example:
        >>> wanted = [Target(type="table"), Target(length="long")]
        >>> assigned(wanted, [{"type": "table", "length": n} for n in ("long", "short")])
        {0: (1, 0), 1: (0, 0)}
    """
    axes = [axis for axis in WEIGHTS if any(getattr(target, axis) for target in targets)]
    wanted = [tuple(plain(getattr(target, axis)) for axis in axes) for target in targets]
    left: dict[tuple[str, ...], deque[int]] = defaultdict(deque)
    for number, traits in enumerate(questions):
        left[tuple(plain(traits.get(axis, "")) for axis in axes)].append(number)
    pairs: dict[int, tuple[int, int]] = {}
    unmet: list[int] = []
    for number, kind in enumerate(wanted):
        if all(kind) and left.get(kind):
            pairs[left[kind].popleft()] = number, 0
        else:
            unmet.append(number)
    first = ((n, kind) for kind, own in left.items() for n in islice(own, len(unmet)))
    kinds = [kind for _, kind in sorted(first)]
    for row, column, amiss in _least_amiss([wanted[number] for number in unmet], kinds, axes):
        pairs[left[kinds[column]].popleft()] = unmet[row], amiss
    return dict(sorted(pairs.items()))


def _least_amiss(
    wanted: Sequence[tuple[str, ...]], own: Sequence[tuple[str, ...]], axes: Sequence[str]
) -> list[tuple[int, int, int]]:
    """Return pairs of what is wanted and what there is, by number, and what is amiss in each."""
    from scipy.optimize import linear_sum_assignment

    amiss = np.zeros((len(wanted), len(own)), dtype=int)
    for number, axis in enumerate(axes):
        codes: dict[str, int] = {"": 0}
        rows, columns = (
            np.array([codes.setdefault(kind[number], len(codes)) for kind in kinds], dtype=int)
            for kinds in (wanted, own)
        )
        differs = (rows[:, None] != columns) & (rows > 0)[:, None] & (columns > 0)
        amiss += WEIGHTS[axis] * differs
    turns = {kind: turn for turn, kind in enumerate(dict.fromkeys(own))}
    later = LATER if len(own) > len(wanted) else 0  # or else every question has a target
    numbers = linear_sum_assignment(amiss + later * np.array([turns[kind] for kind in own]))
    return [(row, column, int(amiss[row, column])) for row, column in zip(*numbers, strict=True)]


def plain(text: str) -> str:
    """Return a value without case and stops, in which a model may repeat it otherwise."""
    return text.casefold().strip(" .")


def traits_of(item: GoldenItem) -> Traits:
    """Return what an item is; what has no evidence is neither hard nor easy.

    A check may have kept it although its answer lacks something.
    """
    lacks = any(item.checks[name].verdict == "tagged" for name in LACKING & item.checks.keys())
    return {
        **Stratum(item.topic, item.type).traits,
        "complete": "no" if lacks else "yes",
        "kind": item.kind or "none",
        "user": item.axes.persona or "nobody",
        "difficulty": item.difficulty,
        **{axis: getattr(item.axes, axis) for axis in ("style", "language", "length")},
    }


class Targets:
    """The questions that are wanted: none, until a plan says which.

    Attributes:
        all: One for each question that is to be written.
        by_type: How many of them are of each type.
        topics: The topics that may be asked about, also where no target is of them.
    """

    def __init__(self, targets: Sequence[Target] = ()) -> None:
        self.plan(targets)

    def plan(
        self,
        targets: Sequence[Target],
        traffic: Traffic | None = None,
        topics: Iterable[str] = (),
    ) -> None:
        """Say what is wanted, and which traffic it follows, if any was given."""
        self.all = tuple(targets)
        self.by_type = Counter(target.type for target in targets)
        self.topics = sorted({*topics, *(target.topic for target in targets)})
        self._traffic = traffic

    def open(self, items: Sequence[GoldenItem]) -> list[Target]:
        """Return the targets for which there is no item, of the type, language and person."""
        filled = {
            number
            for number, amiss in assigned(self.all, [*map(traits_of, items)]).values()
            if amiss < OTHER
        }
        return [target for number, target in enumerate(self.all) if number not in filled]

    def chosen(
        self, items: Sequence[GoldenItem]
    ) -> tuple[tuple[GoldenItem, ...], tuple[GoldenItem, ...]]:
        """Return the items that make up the set, and the spares; each in their order."""
        numbers = assigned(self.all, [*map(traits_of, items)])
        spare = tuple(item for number, item in enumerate(items) if number not in numbers)
        return tuple(items[number] for number in numbers), spare

    def summary(self, items: Sequence[GoldenItem]) -> dict[str, str]:
        """Return what the data card says: for categories and values, how many of those wanted.

        A value counts where the item has it, whatever was wanted; a category where type, language
        and person are its own.
        """
        if self._traffic is None:
            return {}
        known = [traits_of(item) for item in items]
        wanted = Counter(target.category for target in self.all)
        reached = Counter(
            self.all[number].category
            for number, amiss in assigned(self.all, known).values()
            if amiss < OTHER
        )
        rows = (
            f"{category.name or number + 1}: {reached[number]} of {wanted[number]}"
            for number, category in enumerate(self._traffic.categories)
        )
        facts = {"traffic": self._traffic.source, "traffic, categories": "; ".join(rows)}
        for axis in AXES:
            values = Counter(
                value
                for target in self.all
                if axis in self._traffic.categories[target.category].axes
                and (value := str(getattr(target, axis)))
            )
            have = Counter(plain(traits[axis]) for traits in known)
            if values:
                parts = (f"{v}: {have[plain(v)]} of {n}" for v, n in sorted(values.items()))
                facts[f"traffic, {axis}"] = "; ".join(parts)
        return facts


def spaced(targets: Sequence[Target], count: int) -> list[Target]:
    """Return so many of the targets, each type about in its share.

    Example:
        >>> [target.type for target in spaced([Target(type=name) for name in "aaab"], 2)]
        ['a', 'a']
    """
    ordered = sorted(targets, key=lambda target: (target.type, target.topic))
    return [ordered[number * len(ordered) // count] for number in range(count)]


def of_other_types(targets: Sequence[Target], wanted: Sequence[Target]) -> list[Target]:
    """Return targets with their types exchanged for others that are wanted, in turn."""
    types = list(dict.fromkeys(target.type for target in wanted))
    others = [[name for name in types if name != target.type] for target in targets]
    return [
        replace(target, type=names[number % len(names)], kind="", language="")
        for number, (target, names) in enumerate(zip(targets, others, strict=True))
        if names
    ]
