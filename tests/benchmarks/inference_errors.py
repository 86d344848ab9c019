"""Print how often intervals cover the truth, and how often tests err.

Run as `python -m tests.benchmarks.inference_errors`; it takes about six minutes. Each line is over
simulated samples of a known truth; `tests.benchmarks.decisions` has what is decided with them.
"before" is what is usual: the bias-corrected bootstrap (BCa) of a mean, the paired t-test, every
question on its own. A 95 % interval should cover in 93 to 98 of 100 samples, and in no fewer than
90 from 20 questions on; a test should err in 6 of 100 at most. The standard error of a share of 95
is .5 points, of a "before" by bootstrap, of kappa and of AUC .7.
"""

import numpy as np
from scipy import stats

from llamaindex_rag_eval.decisions.compare import compare
from llamaindex_rag_eval.stats import PairedTest, paired_test, ppi_mean
from llamaindex_rag_eval.stats.inference import mean_ends
from llamaindex_rag_eval.stats.raters import auc_interval, kappa_interval
from llamaindex_rag_eval.stats.sample_values import Floats
from tests.benchmarks.measuring.drawn_scores import CHANGES, SCORES
from tests.report.runs import run_of_scores

SAMPLES = 2_000
BOOTSTRAPPED = 1_000
RESAMPLES = 599
SIZES = (8, 20, 50, 200)


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
                test = PairedTest(gaps[:, :kept], np.ones(kept), 1.0)
                share = 100 * np.mean(test.p_value() <= 0.05)
                line += f"     {covered(test.ends(), mean)} {share:5.1f}"
            print(f"{name:36s} {size:4d}  {line}")


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
                        if found is None or (found.interval is None and place):
                            raise SystemExit(f"{size} labels have no interval")
                        within = found.interval
                        ends[place, :, number] = (
                            (within.low, within.high) if within else (found.value, found.value)
                        )  # without bounds, labels that are all alike have none
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
    """Raise if `compare` over whole runs gives other p-values than the test of their scores."""
    for _ in range(5):
        scores = rng.binomial(3, 0.8, (2, 40)) / 3
        runs = [
            run_of_scores(name, {"m": row.tolist()}) for name, row in zip("ab", scores, strict=True)
        ]
        found = compare(runs[0], runs[1]).contrasts[0].p_adjusted
        if found != float(paired_test(scores[1] - scores[0], width=1.0).p_value()):
            raise SystemExit(f"compare says {found}, which is not what is simulated")
    print("compare over whole runs gives the p-values of its test")


if __name__ == "__main__":
    generator = np.random.default_rng(2026)
    for part in (check, means, documents, differences, labelled, raters):
        part(generator)
