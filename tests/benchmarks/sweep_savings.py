"""Print what a sweep saves against the full grid, and how often it errs.

Run as `python -m tests.benchmarks.sweep_savings`; it takes about ten minutes. Each line is over
simulated sweeps of twelve settings whose true means are known; the looks, the batches and the test
are those of `rag-eval sweep`; what an answer of each costs is drawn at random. A sweep errs if it
drops all that are within the margin of the best, or shows a winner that is worse than the best by
the margin; 5 in 100 may.
Beside it: how often any is called worse than one that is no better, and how often the recommended
one is truly within the margin. "betting" is the same race with a confidence sequence of each pair
in place of looks that are planned: capital that is bet on each document, at a level of .05 over all
pairs; Waudby-Smith and Ramdas (2024), section 4. "known" is the same race with the variance of each
pair known exactly, a bound for what any test of means could save with these looks and this error.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from llamaindex_rag_eval.stats import race as race_module
from llamaindex_rag_eval.stats.inference import mean_ends
from llamaindex_rag_eval.stats.paired import PairedTest
from llamaindex_rag_eval.stats.race import Race, looks_of, pair_tests
from llamaindex_rag_eval.stats.sample_values import Floats

SWEEPS = 1_000
SIZES = (100, 200, 400)
MARGIN = 0.02
FIRST = 20
ALPHA = 0.05
MANY = 20_000
"""Questions of which the variance of a pair is known well enough."""

Draw = Callable[[np.random.Generator, int], tuple[Floats, list[int]]]


@dataclass(frozen=True)
class Scenario:
    """Settings with known true means, and scores drawn of them."""

    means: tuple[float, ...]
    draw: Draw


def shares_of(generator: np.random.Generator, questions: int, documents: int, size: int) -> Floats:
    """Return how hard each question is for each setting, uniform, alike within documents.

    Half of it is common to all settings; of a document, 3/10 to all of its questions.
    """
    labels = np.arange(questions) * documents // questions
    share = 0.3 if documents < questions else 0.0
    parts = [generator.normal(size=(1, questions)), generator.normal(size=(size, questions))]
    whole = [generator.normal(size=(1, documents)), generator.normal(size=(size, documents))]
    mixed = [
        np.sqrt(share) * level[:, labels] + np.sqrt(1 - share) * own
        for level, own in zip(whole, parts, strict=True)
    ]
    return np.asarray(special.ndtr((mixed[0] + mixed[1]) / np.sqrt(2)))


def rates(means: tuple[float, ...], per_document: int = 1) -> Scenario:
    """Return settings that are right or wrong."""

    def draw(generator: np.random.Generator, questions: int) -> tuple[Floats, list[int]]:
        documents = questions // per_document
        hard = shares_of(generator, questions, documents, len(means))
        labels = (np.arange(questions) * documents // questions).tolist()
        return np.where(hard < np.array(means)[:, None], 1.0, 0.0), labels

    return Scenario(means, draw)


def graded(means: tuple[float, ...], per_document: int = 1) -> Scenario:
    """Return settings whose answers hold some of three claims, most of them all or none."""

    def draw(generator: np.random.Generator, questions: int) -> tuple[Floats, list[int]]:
        documents = questions // per_document
        hard = shares_of(generator, questions, documents, len(means))
        shape = np.array(means)[:, None]
        labels = (np.arange(questions) * documents // questions).tolist()
        return np.round(3 * special.betaincinv(shape, 1 - shape, 1 - hard)) / 3, labels

    return Scenario(means, draw)


TWO_GOOD = (0.8, 0.8, *(0.55,) * 10)
SCENARIOS: dict[str, Scenario] = {
    "two good of 12, others .25 worse; yes and no": rates(TWO_GOOD),
    "the same; graded": graded(TWO_GOOD),
    "the same; 4 questions a document": rates(TWO_GOOD, per_document=4),
    "two good of 12, others .1 to .4 worse": rates((0.8, 0.8, *np.linspace(0.4, 0.7, 10))),
    "one winner, others .3 worse": rates((0.8, *(0.5,) * 11)),
    "near ties: .80, .79, .78, … .69": rates(tuple(0.8 - 0.01 * place for place in range(12))),
    "one best by .02; yes and no": rates((0.72, *(0.7,) * 11)),
    "one best by .02; graded": graded((0.72, *(0.7,) * 11)),
    "all equal; yes and no, .7": rates((0.7,) * 12),
    "all equal; yes and no, .95": rates((0.95,) * 12),
    "all equal; graded": graded((0.7,) * 12),
    "all equal; 4 questions a document": rates((0.7,) * 12, per_document=4),
    "all equal; graded, 4 a document": graded((0.7,) * 12, per_document=4),
}


@dataclass
class Tally:
    """Counts over simulated sweeps."""

    answers: int = 0
    judged: int = 0
    lost: int = 0
    drops: int = 0
    winners: int = 0
    good: int = 0
    shown: int = 0
    covered: int = 0


def ends_of(labels: list[int]) -> list[int]:
    """Return after how many questions each document ends."""
    return [*(n for n in range(1, len(labels)) if labels[n] != labels[n - 1]), len(labels)]


def sweep(
    scores: Floats,
    labels: list[int],
    means: tuple[float, ...],
    prices: list[float],
    tally: Tally,
) -> None:
    """Race once, and count."""
    size, questions = scores.shape
    ends = ends_of(labels)
    first = next(end for end in ends if end >= FIRST)
    looks = [next(end for end in ends if end >= look) for look in looks_of(questions, first)]
    race, before = Race(size, tuple(look / questions for look in looks), MARGIN, ALPHA), 0
    for look in looks:
        tally.answers += len(race.left) * (look - before)
        before = look
        asked = scores[:, :look].copy()
        for drop in race.drops:
            asked[drop.loser, drop.questions :] = np.nan
        race.look(asked, labels[:look], prices)
        if race.winner is not None or race.hopeless:
            break
    tally.judged += len(race.left) * before
    tally.lost += max(means[number] for number in race.left) <= max(means) - MARGIN
    tally.drops += any(means[d.loser] >= means[d.winner] for d in race.drops if d.worse)
    best = min(race.within_margin, key=prices.__getitem__, default=race.leader)
    tally.good += means[best] > max(means) - MARGIN
    if race.winner is not None:
        tally.shown += 1
        tally.winners += means[best] <= max(means) - MARGIN
    places = np.unique(labels[:before], return_inverse=True)[1]
    counts = np.bincount(places).astype(np.float64)
    sums = np.bincount(places, weights=scores[best, :before]).astype(np.float64)
    low, high = mean_ends(sums, counts, bounds=(0, 1), level=1 - ALPHA / size)
    tally.covered += bool(low - 1e-9 <= means[best] <= high + 1e-9)


def betting(scores: Floats, labels: list[int]) -> int:
    """Return how many answers the race takes if each pair is tested by betting on each document."""
    size = len(scores)
    ends = ends_of(labels)
    sums = np.add.reduceat(scores, [0, *ends[:-1]], axis=1) / np.diff([0, *ends])
    wealth, total, squares = (
        np.zeros((size, size)),
        np.zeros((size, size)),
        np.full((size, size), 0.25),
    )
    left = np.ones(size, dtype=bool)
    answers = before = 0
    for place, end in enumerate(ends, start=1):
        answers += int(left.sum()) * (end - before)
        before = end
        gap = sums[:, None, place - 1] - sums[None, :, place - 1]
        bet = np.clip(total / squares, 0.0, 0.5)  # of what was seen before this question
        wealth += np.log1p(bet * gap)
        total += gap
        squares += gap**2
        lost = (wealth >= np.log(size * (size - 1) / ALPHA)) & left[:, None] & left[None, :]
        left &= ~lost.any(axis=0)
        if left.sum() == 1:
            break
    return answers


class KnownTest(PairedTest):
    """The test of each pair by a normal distribution with the variance that is true."""

    variance: Floats
    """Of the mean difference on a document."""

    def _tail(self, null: Floats | float) -> Floats:
        error = np.sqrt(np.maximum(self.variance, 1e-12) / (self.counts > 0).sum(axis=-1))
        return np.asarray(special.ndtr(-np.abs(self.difference - null) / error))


def knowing(scenario: Scenario) -> Callable[[Floats, list[int], float], PairedTest]:
    """Return what makes the tests of all pairs where their variance is known."""
    scores, labels = scenario.draw(np.random.default_rng(1), MANY)
    ends = ends_of(labels)
    means = np.add.reduceat(scores, [0, *ends[:-1]], axis=1) / np.diff([0, *ends])
    variance = (means[:, None] - means[None]).var(axis=-1)

    def tests(scores: Floats, clusters: list[int], width: float) -> PairedTest:
        test = pair_tests(scores, clusters, width)
        test.__class__ = KnownTest
        test.variance = variance  # type: ignore[attr-defined]  # of its new class
        return test

    return tests


def main() -> None:
    """Print the table."""
    generator = np.random.default_rng(2026)
    print("twelve settings; in %: answers saved; judgements saved of metrics that do not decide;")
    print("sweeps that err; how good the recommended one is; interval of its mean")
    print(
        f"{'':46s}   n  saved  judged  betting  known  best lost  wrong winner  called worse  "
        "winner shown  good  interval holds"
    )
    for name, scenario in SCENARIOS.items():
        for questions in SIZES:
            tally, known, bets, knows = Tally(), Tally(), 0, knowing(scenario)
            for _ in range(SWEEPS):
                scores, labels = scenario.draw(generator, questions)
                prices = generator.random(len(scores)).tolist()
                sweep(scores, labels, scenario.means, prices, tally)
                race_module.pair_tests = knows  # type: ignore[assignment]
                sweep(scores, labels, scenario.means, prices, known)
                race_module.pair_tests = pair_tests
                bets += betting(scores, labels)
            full = SWEEPS * len(scenario.means) * questions
            parts = (tally.lost, tally.winners, tally.drops, tally.shown, tally.good, tally.covered)
            counts = (tally.answers, tally.judged, bets, known.answers)
            figures = [100 * (1 - count / full) for count in counts]
            figures += [100 * part / SWEEPS for part in parts]
            widths = (6, 7, 8, 6, 10, 13, 13, 13, 7, 15)
            cells = "".join(f"{x:{width}.1f}" for x, width in zip(figures, widths, strict=True))
            print(f"{name:46s} {questions:3d} {cells}", flush=True)


if __name__ == "__main__":
    main()
