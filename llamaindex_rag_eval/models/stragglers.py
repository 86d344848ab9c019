"""Stragglers: calls that take far longer than others like them, and are given up for new ones."""

from collections import deque
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from llamaindex_rag_eval.models.admission import Call

QUANTILE = 0.95
"""Of the latencies of a kind."""

FACTOR = 3.0
"""Times this quantile after which a call is a straggler: of latencies that vary as those of hosted
models do, fewer than one in a hundred (see tests/benchmarks/stragglers.py)."""

LEAST = 1.0
"""Seconds: for less, no second request is worth its price."""

ENOUGH, KEPT = 20, 200
"""Latencies that are needed, and those of a kind that are kept."""

MOST = 1 / 20
"""Share of the calls that may be made a second time in vain, or with their outcome open."""


class Stragglers:
    """Latencies by kind, and the calls that were made a second time because they took too long.

    "Too long" is measured on the run itself; until enough calls were answered, none does.
    """

    def __init__(self) -> None:
        self.calls = self.second = self.won = 0
        self._latencies: dict[str, deque[float]] = {}

    def add(self, call: "Call", seconds: float) -> None:
        """Note the latency of an answered call; a second request that was quick has won."""
        if call.stalls and seconds < (self.usual(call.kind) or 0.0):
            self.won += call.stalls
        self.calls += 1
        self._latencies.setdefault(call.kind, deque(maxlen=KEPT)).append(seconds)

    def usual(self, kind: str) -> float | None:
        """Return the seconds after which a call of a kind is a straggler; `None` if not known.

        Of a kind that is rare so far, the calls of all kinds tell.
        """
        known = sorted(self._latencies.get(kind, ()))
        if len(known) < ENOUGH:
            known = sorted(chain.from_iterable(self._latencies.values()))
        if len(known) < ENOUGH:
            return None
        return max(LEAST, FACTOR * known[int(QUANTILE * (len(known) - 1))])

    def seconds_left(self, call: "Call", now: float) -> float:
        """Return after how many seconds to look at a call again; 0 if it is given up now."""
        usual = self.usual(call.kind)
        left = LEAST if usual is None else usual * 2**call.stalls - (now - call.began)
        if left > 0 or self.second - self.won + 1 > MOST * self.calls:
            return max(left, LEAST / 4)
        self.second += 1
        call.stalls += 1
        return 0.0
