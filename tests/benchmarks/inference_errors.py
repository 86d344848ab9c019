"""Print how often intervals cover the truth, and how often tests, plans and gates err.

Run as `python -m tests.benchmarks.inference_errors`; it takes about two minutes. Each line is over
simulated samples of a known truth. "before" is what is usual: the bias-corrected bootstrap (BCa) of
a mean, the paired t-test, every question on its own. A 95 % interval should cover in 93 to 98 of
100 samples, and in no fewer than 90 from 20 questions on; a test should err in 6 of 100 at most.
The standard error of a share of 95 is .5 points, of a "before" by bootstrap 1.
"""

import numpy as np
from scipy import stats

from llamaindex_rag_eval.decisions.compare import compare
from llamaindex_rag_eval.stats import PairedTest, holm, ppi_mean, shown_difference
from llamaindex_rag_eval.stats.inference import mean_ends
from llamaindex_rag_eval.stats.rater_intervals import auc_interval, kappa_interval
from llamaindex_rag_eval.stats.sample_values import Floats
from tests.benchmarks.measuring.drawn_scores import CHANGES, SCORES
from tests.report.runs import run_of_scores

SAMPLES = 2_000
BOOTSTRAPPED = 400
RESAMPLES = 599
SIZES = (8, 20, 50, 200)
METRICS = 8


def covered(ends: Floats, truth: float) -> str:
    """Return share covered and mean width, as text."""
    low, high = ends
    share = np.mean((low <= truth + 1e-9) & (truth - 1e-9 <= high))
    return f"{100 * share:5.1f} ({np.mean(high - low):.3f})"


def bootstrapped(samples: Floats) -> Floats:
    """Return the ends of BCa intervals; those of samples that do not vary have no width."""
    found = np.repeat(samples.mean(axis=1)[None], 2, axis=0)
    vary = np.ptp(samples, axis=1) > 0
    if vary.any():
        with np.errstate(all="ignore"):
            interval = stats.bootstrap(
                (samples[vary],), np.mean, axis=-1, n_resamples=RESAMPLES, method="BCa", batch=100
            ).confidence_interval
        ends = np.stack([interval.low, interval.high])
        found[:, vary] = np.where(np.isnan(ends), found[:, vary], ends)
    return found


def of_samples(gaps: Floats, counts: Floats, changed: Floats | None = None) -> PairedTest:
    """Return the test of many samples at once, a row a sample."""
    changed = (gaps != 0).sum(axis=-1) * 1.0 if changed is None else changed
    return PairedTest(gaps, counts, changed, 1.0)


def means(rng: np.random.Generator) -> None:
    """Print the intervals of a mean."""
    print("\ncoverage of the mean, % (mean width)        n  before: BCa     after")
    for name, (draw, mean) in SCORES.items():
        for size in SIZES:
            samples = draw(rng, (SAMPLES, size))
            before = covered(bootstrapped(samples[:BOOTSTRAPPED]), mean)
            after = covered(mean_ends(samples, np.ones(size), bounds=(0, 1)), mean)
            print(f"{name:40s} {size:4d}  {before}  {after}")


def documents(rng: np.random.Generator) -> None:
    """Print the intervals of a mean of questions that resemble each other within documents."""
    print("\ncoverage of the mean, % (mean width)  documents  questions alone  documents")
    for share in (0.1, 0.3):
        for name, mean in (("rate .8", 0.8), ("rate .95", 0.95)):
            for count in SIZES[:3]:
                counts = np.resize([1.0, 2.0, 4.0, 9.0], count)
                level = rng.beta(*np.array([mean, 1 - mean]) * (1 / share - 1), (SAMPLES, count))
                sums = rng.binomial(counts.astype(int), level).astype(np.float64)
                alone = (np.arange(counts.sum()) < sums.sum(axis=1)[:, None]) * 1.0
                ends = mean_ends(alone, np.ones(alone.shape[1]), bounds=(0, 1))
                before = covered(ends, mean)
                after = covered(mean_ends(sums, counts, bounds=(0, 1)), mean)
                print(f"{name}, ICC {share}, 1 to 9 each {count:16d}  {before}    {after}")


def differences(rng: np.random.Generator) -> None:
    """Print intervals and type I errors of a difference, on all questions and with missing ones."""
    print("\ncoverage of the difference, % (mean width); significant, %")
    print(f"{'':38s} n  before: t-test          after                  3 in 10 missing")
    for name, (draw, mean) in CHANGES.items():
        for size in SIZES:
            gaps = draw(rng, (SAMPLES, size))
            with np.errstate(all="ignore"):
                t = stats.ttest_1samp(gaps, 0, axis=1)
                ends = np.nan_to_num(np.stack(t.confidence_interval()))
                same = np.ptp(gaps, axis=1) == 0
                ends[:, same] = gaps[same].mean(axis=1)
            line = f"{covered(ends, mean)} {100 * np.mean(t.pvalue <= 0.05):5.1f}"
            for kept in (size, max(2, round(0.7 * size))):
                test = of_samples(gaps[:, :kept], np.ones(kept))
                share = 100 * np.mean(test.p_value() <= 0.05)
                line += f"     {covered(test.ends(), mean)} {share:5.1f}"
            print(f"{name:36s} {size:4d}  {line}")


def clustered(rng: np.random.Generator) -> None:
    """Print how often alike pipelines are called different where questions share documents."""
    print("\nalike pipelines called different, %  documents  each question alone  documents")
    for share in (0.1, 0.3):
        for count in (5, 8, 20, 50):
            counts = np.resize([2.0, 4.0, 9.0], count)
            shape = (SAMPLES, count)
            noise = rng.normal(0, np.sqrt(0.04 * (1 - share) * counts), shape)
            sums = counts * rng.normal(0, np.sqrt(0.04 * share), shape) + noise
            n = int(counts.sum())
            spread = 0.04 / n
            alone = 2 * stats.t.sf(np.abs(sums.sum(axis=1) / n) / np.sqrt(spread), n - 1)
            test = of_samples(sums, counts, np.full(SAMPLES, float(n)))
            rates = [100 * np.mean(p <= 0.05) for p in (alone, test.p_value())]
            print(f"ICC {share}, 2 to 9 each {count:25d} {rates[0]:12.1f} {rates[1]:17.1f}")


def correlated(rng: np.random.Generator, size: int, spread: float) -> Floats:
    """Return differences, shape (samples, metrics, size); every two metrics correlate by 1/2."""
    shape = (SAMPLES, METRICS, size)
    common, own = rng.normal(size=(SAMPLES, 1, size)), rng.normal(size=shape)
    return np.clip(spread * (common + own) / np.sqrt(2), -1, 1)


def families(rng: np.random.Generator) -> None:
    """Print how often any of eight metrics is called different, and any interval misses."""
    print(
        "\nany of eight metrics, alike pipelines:   n  called different, %  any interval misses, %"
    )
    for name, draw in (
        ("normal", lambda size: correlated(rng, size, 0.2)),
        ("thirds", lambda size: np.round(3 * correlated(rng, size, 0.2)) / 3),
        ("yes and no", lambda size: np.round(correlated(rng, size, 0.5))),
    ):
        for size in SIZES:
            test = of_samples(draw(size), np.ones(size))
            wrong = np.mean([min(holm(row)) <= 0.05 for row in test.p_value().tolist()])
            low, high = test.ends(1 - 0.05 / METRICS)
            missed = np.mean(((low > 0) | (high < 0)).any(axis=1))
            print(f"{name:36s} {size:5d} {100 * wrong:12.1f} {100 * missed:22.1f}")


def planned(rng: np.random.Generator) -> None:
    """Print how often a difference that so many questions "can show" is shown; 80 % are said.

    Some questions change both ways by chance; of the others a share falls.
    """
    print("\nwhat n questions can show, at a power of 80 %: n   said, shown in %: 1 metric, 8")
    for name, noise, step in (
        ("yes and no, 5 % change by chance", 0.05, 1.0),
        ("yes and no, 20 % change by chance", 0.2, 1.0),
        ("thirds, 10 % change by chance", 0.1, 1 / 3),
        ("thirds, 50 % change by chance", 0.5, 1 / 3),
        ("the same, falls of two thirds", 0.5, 1 / 3),
    ):
        wide = 2 if "falls" in name else 1
        for size in (30, 40, 100, 200):
            line = ""
            for metrics in (1, METRICS):
                alpha = 0.05 / metrics
                pilots = changed(rng, noise, step, 0.0, (40, size))
                said = [
                    shown_difference(of_samples(row, np.ones(size)), alpha=alpha) for row in pilots
                ]
                effect = float(np.mean([value for value in said if value is not None]))
                gaps = changed(rng, noise, step, effect, (SAMPLES, size))
                if wide > 1:  # larger changes than those of the pilot
                    down = rng.random(gaps.shape) < effect / (wide * step)
                    gaps = np.where(down, -wide * step, changed(rng, noise, step, 0.0, gaps.shape))
                share = np.mean(of_samples(gaps, np.ones(size)).p_value() <= alpha)
                line += f"  {effect:.3f} {100 * share:5.1f}"
            print(f"{name:40s} {size:8d} {line}")


def changed(
    rng: np.random.Generator, noise: float, step: float, fall: float, shape: tuple[int, int]
) -> Floats:
    """Return differences: a share of the questions a step down, of the rest `noise` up or down.

    A fall of more than a step is of several steps at once.
    """
    chance = rng.random(shape) < noise
    signs = np.where(rng.random(shape) < 0.5, step, -step)
    size = step * max(1.0, np.ceil(fall / step))
    down = rng.random(shape) < fall / size
    return np.where(down, -size, np.where(chance, signs, 0.0))


def gates(rng: np.random.Generator) -> None:
    """Print how often a gate stops what is as good, and passes what is worse.

    By the margin, or by three times of it; on one metric of all.
    """
    print("\nthe gate, margin .05; shares in %:    as good              worse by .05    by .15")
    print("                               n  passes  too few  worse        passes           worse")
    for name, noise, step in (
        ("yes and no, 10 % change", 0.1, 1.0),
        ("thirds, 30 % change", 0.3, 1 / 3),
    ):
        for metrics in (1, METRICS):
            for size in (50, 200):
                rows = []
                for fall in (0.0, 0.05, 0.15):
                    gaps = np.stack(
                        [
                            changed(rng, noise, step, fall if k == 0 else 0.0, (SAMPLES, size))
                            for k in range(metrics)
                        ],
                        axis=1,
                    )
                    test = of_samples(gaps, np.ones(size))
                    shown = (test.p_above(-0.05) <= 0.05).all(axis=1)
                    holm_p = np.array([holm(row) for row in test.p_value().tolist()])
                    beyond = (test.difference < -0.05) & (test.p_value(-0.05) / 2 <= 0.05)
                    fallen = ((holm_p <= 0.05) & (test.difference < 0)) | beyond
                    worse = (fallen & (test.p_above(-0.05) > 0.05)).any(axis=1)
                    rows.append([100 * np.mean(x) for x in (shown, ~shown & ~worse, worse)])
                good, margin, far = rows
                print(
                    f"{name}, {metrics} metric(s) {size:5d} {good[0]:7.1f} {good[1]:8.1f} "
                    f"{good[2]:6.1f} {margin[0]:13.1f} {far[2]:15.1f}"
                )


def labelled(rng: np.random.Generator) -> None:
    """Print the intervals of a mean of yes and no by people, helped by a judge.

    "before" is Student's interval of the same estimate.
    """
    print("\ncoverage of a rate of yes by people, % (mean width), with 300 judged more")
    print("judge right in  labels  rate  before         after")
    for right, rates in ((0.9, (0.5, 0.8, 0.9, 0.95, 0.98)), (0.98, (0.5, 0.95, 0.98))):
        for size in (15, 30, 50, 100):
            for rate in rates:
                ends = np.empty((2, 2, SAMPLES))
                for number in range(SAMPLES):
                    truth = rng.random(size + 300) < rate
                    judge = (truth ^ (rng.random(len(truth)) < 1 - right)).astype(float)
                    people = truth[:size].astype(float)
                    parts = (people.tolist(), judge[:size].tolist(), judge[size:].tolist())
                    for place, bounds in enumerate(((-np.inf, np.inf), (0.0, 1.0))):
                        found = ppi_mean(*parts, bounds=bounds)
                        if found is None or found.interval is None:
                            raise SystemExit(f"{size} labels have no interval")
                        ends[place, :, number] = found.interval.low, found.interval.high
                before, after = (covered(of_one, rate) for of_one in ends)
                print(f"{100 * right:10.0f} % {size:9d} {rate:6.2f}  {before}  {after}")


def raters(rng: np.random.Generator) -> None:
    """Print the intervals of kappa and AUC of a judge against people."""
    print("\ncoverage, %       kappa .40   .80   .96   AUC .64   .86   .98")
    print("with 50 % yes; with 85 % kappa is .25, .67 and .92")
    for size in (20, 50, 150):
        for yes_rate in (0.5, 0.85):
            line = ""
            for flip in (0.3, 0.1, 0.02):
                judged = yes_rate * (1 - flip) + (1 - yes_rate) * flip
                by_chance = yes_rate * judged + (1 - yes_rate) * (1 - judged)
                truth, held = 1 - flip / (1 - by_chance), 0
                for _ in range(BOOTSTRAPPED):
                    people = rng.random(size) < yes_rate
                    judge = people ^ (rng.random(size) < flip)
                    ends = kappa_interval(people.tolist(), judge.tolist())
                    held += ends is None or truth in ends
                line += f" {100 * held / BOOTSTRAPPED:5.1f}"
            line += "   "
            for shift in (0.5, 1.5, 3.0):
                auc, held = float(stats.norm.cdf(shift / np.sqrt(2))), 0
                for _ in range(BOOTSTRAPPED):
                    people = rng.random(size) < yes_rate
                    scores = rng.normal(size=size) + shift * people
                    ends = auc_interval(people.tolist(), scores.tolist())
                    held += ends is None or auc in ends
                line += f" {100 * held / BOOTSTRAPPED:5.1f}"
            print(f"{size:4d}, {100 * yes_rate:.0f} % yes     {line}")


def check(rng: np.random.Generator) -> None:
    """Raise if `compare` over whole runs gives other p-values than the simulation."""
    for _ in range(5):
        scores = rng.binomial(3, 0.8, (2, METRICS, 40)) / 3
        runs = [
            run_of_scores(name, {f"m{k}": row.tolist() for k, row in enumerate(of_run)})
            for name, of_run in zip("ab", scores, strict=True)
        ]
        found = [contrast.p_adjusted for contrast in compare(runs[0], runs[1]).contrasts]
        gaps = scores[1] - scores[0]
        gaps[np.abs(gaps) < 1e-9] = 0.0
        if not np.allclose(found, holm(of_samples(gaps, np.ones(40)).p_value().tolist())):
            raise SystemExit(f"compare says {found}, which is not what is simulated")
    print("compare over whole runs gives the p-values that are simulated")


if __name__ == "__main__":
    generator = np.random.default_rng(2026)
    scores = (check, means, documents, differences, clustered, families)
    for part in (*scores, planned, gates, labelled, raters):
        part(generator)
