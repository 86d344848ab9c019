"""How evenly calls go out under a rate: the most in any second and in any minute, and the burst.

python -m tests.benchmarks.rate_smoothness            # 240 a minute for 20 s
python -m tests.benchmarks.rate_smoothness --seconds 130
"""

import argparse
import asyncio
import time
from bisect import bisect_left

from llamaindex_rag_eval import Limit


async def starts(per_minute: int, seconds: float) -> list[float]:
    """Return when calls go out, in seconds from the first, as many as fit into the time."""
    limit, found = Limit(64, requests_per_minute=per_minute), list[float]()

    async def call() -> None:
        found.append(time.monotonic())
        await asyncio.sleep(0.2)

    count = max(1, int(per_minute * seconds / 60))
    await asyncio.gather(*(limit.call(call) for _ in range(count)))
    return [one - found[0] for one in found]


def most_within(times: list[float], seconds: float) -> int:
    """Return the most that go out within so many seconds."""
    return max(bisect_left(times, one + seconds) - place for place, one in enumerate(times))


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--per-minute", type=int, default=240)
    options.add_argument("--seconds", type=float, default=20.0)
    given = options.parse_args()
    times = sorted(asyncio.run(starts(given.per_minute, given.seconds)))
    print(f"{len(times)} calls at {given.per_minute} a minute took {times[-1]:.1f} s")
    print(f"  at once (50 ms): {most_within(times, 0.05)}; a tenth is {given.per_minute / 10:g}")
    print(f"  in any second:   {most_within(times, 1.0)}")
    print(f"  in any minute:   {most_within(times, 60.0)}")


if __name__ == "__main__":
    main()
