"""Orders: what was proposed and is not written yet, and which strata wait for proposals."""

from collections import Counter, defaultdict, deque
from collections.abc import Callable

from testset.generation.attempt import Attempt, Order
from testset.generation.grounds import OVER_TWO
from testset.generation.quotas import Stratum

PROMISED = 3
"""Questions that proposals of one passage are expected to hold; so many wait for them."""

_Party = tuple[str, bool]
"""A topic, and whether several passages of it are read together."""


class Orders:
    """Keep the orders of each stratum in the order in which they came."""

    def __init__(self) -> None:
        self._orders: dict[Stratum, deque[Order]] = defaultdict(deque)
        self._out: Counter[_Party] = Counter()
        self._waiting: dict[_Party, set[Stratum]] = defaultdict(set)

    def has(self, stratum: Stratum) -> bool:
        """Return whether there is an order of a stratum."""
        return bool(self._orders[stratum])

    def first(
        self, stratum: Stratum, target_of: Callable[[Order], int | None] | None
    ) -> tuple[Order, int | None] | None:
        """Remove and return the first order, with the target that it fulfils; `None` for none.

        Args:
            stratum: The topic and type.
            target_of: Returns the target that an order fulfils, or `None`; without it, any will do.
        """
        orders = self._orders[stratum]
        if target_of is None:
            return (orders.popleft(), None) if orders else None
        for place, order in enumerate(orders):
            target = target_of(order)
            if target is not None:
                del orders[place]
                return order, target
        return None

    def sent(self, stratum: Stratum) -> None:
        """Note that proposals were asked for."""
        self._out[_party(stratum)] += 1

    def joins(self, stratum: Stratum) -> bool:
        """Let a stratum wait for proposals that are under way, if they have room for it."""
        waiting = self._waiting[_party(stratum)]
        if len(waiting) < (PROMISED - 1) * self._out[_party(stratum)]:
            waiting.add(stratum)
        return stratum in waiting

    def waits(self, stratum: Stratum) -> bool:
        """Return whether a stratum waits for proposals that are under way."""
        return stratum in self._waiting[_party(stratum)]

    def settled(self, attempt: Attempt) -> None:
        """Keep what an attempt has proposed, or written and held back."""
        if attempt.prepared:
            self._out[_party(attempt.stratum)] -= 1
            self._waiting[_party(attempt.stratum)].clear()
        held_back = () if attempt.held_back is None else (attempt.held_back,)
        for order in (*attempt.orders, *held_back):
            self._orders[order.stratum].append(order)


def _party(stratum: Stratum) -> _Party:
    return stratum.topic, stratum.type in OVER_TWO
