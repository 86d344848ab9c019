"""Which stratum is written for next."""

from collections import Counter
from collections.abc import Sequence

from testset.generation.attempt import Attempt, Slot
from testset.generation.lacking import Lacking
from testset.generation.quotas import Stratum

ONE, RARE = Stratum("pumps", "single_hop"), Stratum("pumps", "unanswerable")


async def never() -> Attempt:
    raise AssertionError("no slot is written here")


class Offering:
    """Offers a slot of every stratum."""

    def take(
        self, stratum: Stratum, *, wanted: int, types: Sequence[str], offered: bool
    ) -> Slot | None:
        return Slot(stratum, never)


def test_spares_are_written_of_the_type_with_fewest_under_way_for_each_wanted():
    lacking, have = Lacking({ONE: 8, RARE: 1}), Counter({ONE: 8, RARE: 1})
    spares = []
    for _ in range(9):
        slot = lacking.spare(Offering(), have, Counter())  # type: ignore[arg-type]  # only take is asked
        assert slot is not None
        have[slot.stratum] += 1
        spares.append(slot.stratum)
    assert spares == [*[ONE] * 8, RARE]
