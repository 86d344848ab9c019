"""How soon `watch` finds that quality has fallen, and how often it is wrong.

    python -m tests.benchmarks.alarms

Answers are right or wrong, independent, with a limit of .8 for their mean.
"""

import argparse

import numpy as np

from llamaindex_rag_eval.stats.alarm import FallDetector

LIMIT, BEFORE, LONGEST = 0.8, 200, 20_000


def answers_until_alarm(rate: float, every: int, rng: np.random.Generator) -> int:
    """Return after how many answers of a rate an alarm comes, `BEFORE` of .9 before them."""
    detector = FallDetector(LIMIT, every=every)
    detector.see((rng.random(BEFORE) < 0.9).astype(float))
    earlier = len(detector.alarms)
    while len(detector.alarms) == earlier and detector.scores < LONGEST:
        detector.see((rng.random(10) < rate).astype(float))
    return detector.scores - BEFORE


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    runs = parser.parse_args().runs
    rng = np.random.default_rng(0)
    print(f"Answers until an alarm; limit {LIMIT}, {runs} runs: mean, and 10 % to 90 % of runs")
    for every in (1_000, 10_000):
        for rate in (0.75, 0.7, 0.6, 0.5):
            counts = [answers_until_alarm(rate, every, rng) for _ in range(runs)]
            low, high = np.percentile(counts, [10, 90])
            print(
                f"every {every:6}, .9 to {rate}: {np.mean(counts):5.0f} ({low:.0f} to {high:.0f})"
            )
    every, shown = 500, max(20, runs // 4)
    at_limit = []
    for _ in range(shown):
        detector = FallDetector(LIMIT, every=every)
        detector.see((rng.random(10_000) < LIMIT).astype(float))
        at_limit.append(len(detector.alarms))
    print(
        f"False alarms of a mean at the limit, every {every}: one in "
        f"{10_000 * shown / max(1, sum(at_limit)):.0f} answers"
    )


if __name__ == "__main__":
    main()
