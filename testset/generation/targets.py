"""Targets: which questions of the traffic are still open, and what a set has reached of it.

Type, style and language can be asked of a writer. Who asks and the kind of a question are chosen
among what a model proposes; its difficulty and its length are measured once it is written. What
is not as hard or as long as its target is held back for another one. Where nothing that fits is
left, less counts, what is measured first: a set that is full is worth more than its shares, and the
data card says which were reached.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from testset.generation.traffic import AXES, Axis, Target, Traffic
from testset.golden.item import GoldenItem

MEASURED: tuple[Axis, ...] = ("difficulty", "length")
"""Axes that are known once a question is written."""
FREE = 2
"""How far targets are relaxed where neither what is measured nor what is chosen counts."""
ANY = -1
"""The number of the target that any question fulfils, where no traffic is given."""


class Targets:
    """Hand out targets, take back those that came to nothing, and count what was reached.

    Args:
        traffic: What is wanted; without it, any question will do.
        size: How many questions are to be written.
        seed: Of the targets.

    Attributes:
        relaxed: What no longer counts, as nothing was left that fits: 0 for all counts, 1 for what
            is measured, 2 for what is chosen too; what can be asked for always does.
    """

    def __init__(self, traffic: Traffic | None, size: int, *, seed: int) -> None:
        self.all = () if traffic is None else traffic.targets(size, seed=seed)
        self.relaxed = 0
        self._traffic = traffic
        self._open = dict.fromkeys(range(len(self.all)))
        self._reached: dict[str, int] = {}

    def types(self) -> Mapping[str, int]:
        """Return how many questions of each type are wanted; "" for those of any."""
        return Counter(target.type for target in self.all)

    def left(self, type_: str) -> bool:
        """Return whether a target for a type is open."""
        return self._traffic is None or bool(self._fitting(type_))

    def users(self, type_: str) -> tuple[str, ...]:
        """Return who still asks questions of a type, most wanted first; nobody if anybody may."""
        users = [self.all[number].user for number in self._fitting(type_)]
        if self.relaxed == FREE or not users or not users[0]:
            return ()
        return tuple(name for name, _ in Counter(filter(None, users)).most_common())

    def take(
        self, type_: str, fits: Callable[[Target], bool], measured: Callable[[Target], bool]
    ) -> int | None:
        """Return the number of an open target for a type, no longer open; `None` if none fits.

        Args:
            type_: The type of the question.
            fits: Whether a target is of the person and the kind of what is offered.
            measured: Whether it is as hard and as long, if that is known.
        """
        if self._traffic is None:
            return ANY
        for number in self._fitting(type_):
            target = self.all[number]
            chosen = self.relaxed == FREE or fits(target)
            if chosen and (self.relaxed or measured(target)):
                del self._open[number]
                return number
        return None

    def relax(self) -> bool:
        """Let less count, as nothing is left that fits; `False` if nothing more can be let go."""
        if self._traffic is None or self.relaxed == FREE:
            return False
        self.relaxed += 1
        return True

    def of(self, number: int) -> Target:
        """Return a target by its number."""
        return Target() if number == ANY else self.all[number]

    def give_back(self, number: int) -> None:
        """Open a target again, as it came to nothing."""
        if number != ANY:
            self._open[number] = None

    def settle(self, number: int, item: GoldenItem) -> bool:
        """Fulfil an open target, or another like it that an item fits; `False` if it fits none."""
        if number == ANY:
            return True
        for other in sorted(self._open, key=lambda entry: (entry != number, entry)):
            like = _commands(self.all[other]) == _commands(self.all[number])
            admitted = self.all[other].admits(item.difficulty, item.axes.length)
            if like and (self.relaxed or admitted):
                del self._open[other]
                self._reached[item.id] = other
                return True
        return False

    def summary(self, items: Sequence[GoldenItem]) -> dict[str, str]:
        """Return what the data card says: for categories and values, how many of those wanted.

        A value counts where the item has it, whatever was wanted.
        """
        if self._traffic is None:
            return {}
        wanted = Counter(target.category for target in self.all)
        reached = Counter(self.all[n].category for n in self._reached.values())
        rows = (
            f"{category.name or number + 1}: {reached[number]} of {wanted[number]}"
            for number, category in enumerate(self._traffic.categories)
        )
        facts = {"traffic": self._traffic.source, "traffic, categories": "; ".join(rows)}
        known = [_known(item) for item in items]
        for axis in AXES:
            values = Counter(value for target in self.all if (value := str(getattr(target, axis))))
            have = Counter(row[axis] for row in known)
            if values:
                parts = (f"{v}: {have[v]} of {n}" for v, n in sorted(values.items()))
                facts[f"traffic, {axis}"] = "; ".join(parts)
        return facts

    def _fitting(self, type_: str) -> list[int]:
        """Return the open targets for a type, those that name it first; in the end any target."""
        named = [n for n in self._open if self.all[n].type == type_]
        any_type = [n for n in self._open if not self.all[n].type]
        fitting = [*sorted(named), *sorted(any_type)]
        return fitting or (sorted(self._open) if self.relaxed == FREE else [])


def _commands(target: Target) -> tuple[str, ...]:
    return tuple(str(getattr(target, axis)) for axis in AXES if axis not in MEASURED)


def _known(item: GoldenItem) -> dict[str, str]:
    """Return what an item is, by the axes of traffic."""
    own = {str(axis): getattr(item, axis, getattr(item.axes, axis, "")) for axis in AXES}
    return {**own, "user": item.axes.persona}
