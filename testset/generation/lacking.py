"""What a set lacks: the strata and types below their quotas, and the next slot for one of them."""

from collections import Counter
from collections.abc import Iterable, Mapping

from testset.generation.attempt import ItemWriter, Slot
from testset.generation.quotas import Stratum


class Lacking:
    """Choose the stratum that is written for next: the one that gave fewest slots so far.

    Args:
        plan: Stratum -> its quota.

    Attributes:
        wanted: Type -> the quota of all its strata.
    """

    def __init__(self, plan: Mapping[Stratum, int]) -> None:
        self.wanted = _by_type(plan)
        self._plan = plan
        self._taken: Counter[Stratum] = Counter()
        self._empty: set[Stratum] = set()

    def reopen(self) -> None:
        """Ask the writer again for strata that it had nothing for."""
        self._empty.clear()

    def slot(
        self, writer: ItemWriter, have: Counter[Stratum], kept: Counter[Stratum]
    ) -> Slot | None:
        """Return the next slot, or `None`; strata that wait for others' slots are counted as had.

        What was offered is taken first, of any topic, so that nothing that is paid for is left.

        Args:
            writer: Who writes.
            have: Stratum -> the questions that are accepted or under way.
            kept: Stratum -> those that are accepted.
        """
        for offered in (True, False):
            slot = self._take(writer, have, kept, self._short(have), offered=offered)
            slot = slot or self._take(writer, have, kept, self._of_type(have), offered=offered)
            if slot is not None:
                return slot
        return None

    def spare(
        self, writer: ItemWriter, have: Counter[Stratum], kept: Counter[Stratum]
    ) -> Slot | None:
        """Return a slot for what may not be kept, of what was offered; `None` if nothing was.

        The type goes first that has fewest questions under way for each that is wanted.
        """
        under_way = _by_type(have)
        lacking = self._of_type(kept)
        for name in sorted(
            {entry.type for entry in lacking},
            key=lambda name: ((under_way[name] + 1) / self.wanted[name], name),
        ):
            among = [entry for entry in lacking if entry.type == name]
            slot = self._take(writer, have, kept, among, offered=True)
            if slot is not None:
                return slot
        return None

    def any_slot(
        self, writer: ItemWriter, have: Counter[Stratum], kept: Counter[Stratum]
    ) -> Slot | None:
        """Return a slot of any stratum, in place of those that cannot be filled."""
        return self._take(writer, have, kept, self._plan, offered=False)

    def short_of(self, have: Mapping[Stratum, int]) -> dict[Stratum, int]:
        """Return the strata below their quota, with the quota."""
        return {entry: quota for entry, quota in self._plan.items() if have[entry] < quota}

    def _short(self, have: Counter[Stratum]) -> Iterable[Stratum]:
        return self.short_of(have)

    def _of_type(self, have: Counter[Stratum]) -> list[Stratum]:
        """Return the strata of types below their quota."""
        of_type = _by_type(have)
        return [entry for entry in self._plan if of_type[entry.type] < self.wanted[entry.type]]

    def _take(
        self,
        writer: ItemWriter,
        have: Counter[Stratum],
        kept: Counter[Stratum],
        among: Iterable[Stratum],
        *,
        offered: bool,
    ) -> Slot | None:
        for stratum in sorted(among, key=lambda entry: (self._taken[entry], entry)):
            if stratum in self._empty:
                continue
            wanted, types = self.wanted[stratum.type], self._types(stratum, have, kept)
            slot = writer.take(stratum, wanted=wanted, types=types, offered=offered)
            if slot is not None:
                self._taken[slot.stratum] += 1
                return slot
            if not offered:
                self._empty.add(stratum)
                have[stratum] += writer.waits(stratum)
        return None

    def _types(
        self, stratum: Stratum, have: Counter[Stratum], kept: Counter[Stratum]
    ) -> tuple[str, ...]:
        """Return the type of a stratum, then others that the set lacks so far, first those here."""
        of_type, accepted = _by_type(have), _by_type(kept)
        short = (name for name, wanted in self.wanted.items() if accepted[name] < wanted)

        def lack(name: str) -> tuple[int, int, str]:
            here = Stratum(stratum.topic, name)
            return have[here] - self._plan.get(here, 0), of_type[name] - self.wanted[name], name

        return tuple(dict.fromkeys([stratum.type, *sorted(short, key=lack)]))


def _by_type(strata: Mapping[Stratum, int]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for stratum, count in strata.items():
        counts[stratum.type] += count
    return counts
