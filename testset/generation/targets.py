"""Targets: which questions of the traffic are still open, and what a set has reached of it.

Type, style and language can be asked of a writer. Who asks and the kind of a question are chosen
among what a model proposes; its difficulty and its length are measured once it is written. What
is not as hard or as long as its target is held back for another one. Where nothing that fits is
left, less counts, what is measured first: a set that is full is worth more than its shares, and the
data card says which were reached.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from testset.generation.traffic import AXES, Axis, Target, Traffic
from testset.golden.item import GoldenItem

MEASURED: tuple[Axis, ...] = ("difficulty", "length")
"""Axes that are known once a question is written."""
FREE = 2
"""How far targets are relaxed where neither what is measured nor what is chosen counts."""


class Targets:
    """Hand out targets, take back those that came to nothing, and count what was reached.

    Args:
        traffic: What is wanted.
        size: How many questions are to be written.
        seed: Of the targets.

    Attributes:
        relaxed: What no longer counts, as nothing was left that fits: 0 for all counts, 1 for what
            is measured, 2 for what is chosen too; what can be asked for always does.
    """

    def __init__(self, traffic: Traffic, size: int, *, seed: int) -> None:
        self.all = traffic.targets(size, seed=seed)
        self.relaxed = 0
        self._traffic = traffic
        self._open = dict.fromkeys(range(len(self.all)))
        self._reached: dict[str, int] = {}

    def types(self) -> Mapping[str, int]:
        """Return how many questions of each type are wanted; "" for those of any."""
        return Counter(target.type for target in self.all)

    def left(self, type_: str) -> bool:
        """Return whether a target for a type is open."""
        return bool(self._fitting(type_))

    def users(self, type_: str) -> tuple[str, ...]:
        """Return who still asks questions of a type, most wanted first; nobody if anybody may."""
        found = [self.all[number].user for number in self._fitting(type_)]
        if self.relaxed == FREE or not found or not found[0]:
            return ()
        return tuple(name for name, _ in Counter(filter(None, found)).most_common())

    def take(
        self,
        type_: str,
        fits: Callable[[Target], bool],
        measured: Callable[[Target], bool],
    ) -> int | None:
        """Return the number of an open target for a type, no longer open; `None` if none fits.

        Args:
            type_: The type of the question.
            fits: Whether a target is of the person and the kind of what is offered.
            measured: Whether it is as hard and as long, if that is known.
        """
        for number in self._fitting(type_):
            target = self.all[number]
            chosen = self.relaxed == FREE or fits(target)
            if chosen and (self.relaxed or measured(target)):
                del self._open[number]
                return number
        return None

    def relax(self) -> bool:
        """Let less count, as nothing is left that fits; `False` if nothing more can be let go."""
        if self.relaxed == FREE:
            return False
        self.relaxed += 1
        return True

    def to_measure(self, number: int) -> Target | None:
        """Return a target that a question must be as hard and as long as; `None` if it need not."""
        return None if self.relaxed else self.all[number]

    def give_back(self, number: int | None) -> None:
        """Open a target again, as it came to nothing."""
        if number is not None:
            self._open[number] = None

    def settle(self, number: int, item: GoldenItem) -> bool:
        """Fulfil a target, or another like it that an item fits; `False` if it fits none."""
        own = self.all[number]
        self.give_back(number)
        for other in (number, *sorted(self._open)):
            target = self.all[other]
            if _commands(target) != _commands(own):
                continue
            if self.relaxed or admits((target,), (item.difficulty, item.axes.length)):
                del self._open[other]
                self._reached[item.id] = other
                return True
        return False

    def keep(self, items: Sequence[GoldenItem]) -> None:
        """Open the targets again whose items are no longer in the set."""
        kept = {item.id for item in items}
        for item_id in [name for name in self._reached if name not in kept]:
            self.give_back(self._reached.pop(item_id))

    def summary(self, items: Sequence[GoldenItem]) -> dict[str, str]:
        """Return what the data card says: for categories and values, how many of those wanted.

        A value counts where the item has it, whatever was wanted.
        """
        found = {"traffic": self._traffic.source}
        wanted = Counter(target.category for target in self.all)
        got = Counter(self.all[n].category for n in self._reached.values())
        rows = (
            f"{category.name or number + 1}: {got[number]} of {wanted[number]}"
            for number, category in enumerate(self._traffic.categories)
        )
        found["traffic, categories"] = "; ".join(rows)
        known = [_known(item) for item in items]
        for axis in AXES:
            values = Counter(value for target in self.all if (value := str(getattr(target, axis))))
            reached = Counter(row[axis] for row in known)
            if values:
                parts = (f"{v}: {reached[v]} of {n}" for v, n in sorted(values.items()))
                found[f"traffic, {axis}"] = "; ".join(parts)
        return found

    def _fitting(self, type_: str) -> list[int]:
        """Return the open targets for a type, those that name it first; in the end any target."""
        named = [n for n in self._open if self.all[n].type == type_]
        any_type = [n for n in self._open if not self.all[n].type]
        found = [*sorted(named), *sorted(any_type)]
        return found or (sorted(self._open) if self.relaxed == FREE else [])


def admits(targets: Iterable[Target], measured: tuple[str, str]) -> bool:
    """Return whether a question is as hard and as long as one of some targets asks for.

    A question without evidence is neither hard nor easy.

    Args:
        targets: The targets.
        measured: The difficulty of the question, empty if it has none, and its length.

    Example:
        >>> admits([Target(difficulty="hard")], ("easy", "short"))
        False
    """
    level, length = measured
    return any(
        (not level or target.difficulty in ("", level)) and target.length in ("", length)
        for target in targets
    )


def same_person(one: str, other: str) -> bool:
    """Return whether two texts name one person, case and stops aside.

    Example:
        >>> same_person("A nurse.", "a nurse")
        True
    """
    return one.casefold().strip(" .") == other.casefold().strip(" .")


def _commands(target: Target) -> tuple[str, ...]:
    return tuple(str(getattr(target, axis)) for axis in AXES if axis not in MEASURED)


def _known(item: GoldenItem) -> dict[str, str]:
    axes = item.axes
    return {
        "user": axes.persona,
        "type": item.type,
        "kind": item.kind,
        "style": axes.style,
        "language": axes.language,
        "difficulty": item.difficulty,
        "length": axes.length,
    }
