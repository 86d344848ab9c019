"""Print how often a decision errs, by the documents of questions and how they resemble each other.

Run as `python -m tests.benchmarks.decisions`; it takes forty minutes, less with names of parts:
`nothing`, `gains`, `margins`, `repeats`, `sequential`, `families`, `vetoes`, `plans`,
`plans-of-families`, `labels`.
Each cell is over 1,000 simulated pairs of runs and uses the test of `compare` and `gate`, made for
many runs at once; before, both are compared on some draws. The standard error of a share of 5 in
100 is .7 points, of one of 80 1.3.

Beside it: the paired t-test, the cluster-robust t-test (CR2 with the degrees of freedom of Bell and
McCaffrey) over documents that are linked, and the bootstrap of these.
"""

import sys
from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt
from scipy import stats

from llamaindex_rag_eval.decisions.metric_checks import NEGLIGIBLE
from llamaindex_rag_eval.decisions.sequential import levels_of
from llamaindex_rag_eval.stats import connected, paired
from llamaindex_rag_eval.stats.paired import (
    PairedTest,
    paired_test,
    paired_tests,
    primary_first,
)
from llamaindex_rag_eval.stats.planning import Planner
from llamaindex_rag_eval.stats.ppi import LabelledTest, PPIMean, ppi_difference, ppi_mean
from llamaindex_rag_eval.stats.race import looks_of
from llamaindex_rag_eval.stats.sample_values import Floats
from tests.benchmarks.measuring.drawn_differences import (
    CHANGES,
    DRAWS,
    LUCK,
    Draw,
    chances,
    latent,
    members_of,
    sizes,
)

SAMPLES = 1_000
BLOCKS = 10
"""So many times `SAMPLES` where the greatest of several shares is printed."""
PILOTS = 12
RESAMPLES = 299
"""Resamples of a bootstrap."""
MARGIN = 0.05
KINDS = ("alone", "fives", "huge", "zipf", "crossed")
ICCS = (0.0, 0.1, 0.3, 0.6)


def test_of(gaps: Floats, members: Floats) -> PairedTest:
    """Return the test that a comparison makes."""
    return paired_test(gaps, members=members, width=1.0)


def single_tests(gaps: Floats, members: Floats) -> list[PairedTest]:
    """Return the test of each sample."""
    many = paired_tests(gaps, members, 1.0)
    rows = zip(many.sums, many.counts, many.parts.swapaxes(0, 1), strict=True)
    return [PairedTest(*row[:2], 1.0, row[2], flipped=many.flipped) for row in rows]


def of_all(tests: list[PairedTest]) -> list[tuple[float, float]]:
    """Return the p-values and levels of several metrics, of which the first decides."""
    return primary_first(tests, 0.05, [number == 0 for number in range(len(tests))])


def usual(gaps: Floats, documents: list[tuple[int, ...]]) -> list[float]:
    """Return how often three usual tests find a difference, in percent.

    Args:
        gaps: Shape (samples, questions).
        documents: Of each question.
    """
    labels = np.asarray(connected([set(own) for own in documents]))
    table = np.eye(labels.max() + 1)[labels]
    sums, counts = gaps @ table, table.sum(axis=0)
    robust = PairedTest(sums, counts, np.inf).p_value() if len(counts) > 1 else np.ones(len(sums))
    with np.errstate(all="ignore"):
        plain = np.nan_to_num(stats.ttest_1samp(gaps, 0, axis=1).pvalue, nan=1.0)
    drawn = np.random.default_rng(0).multinomial(
        len(counts), counts * 0 + 1 / len(counts), RESAMPLES
    )
    means = sums @ drawn.T / (counts @ drawn.T)
    low, high = np.quantile(means, [0.025, 0.975], axis=1)
    found = (plain <= 0.05, robust <= 0.05, (low > 0) | (high < 0))
    return [100 * float(np.mean(each)) for each in found]


def against_nothing(mean: float, title: str, designs: Mapping[str, tuple[int, ...]]) -> None:
    """Print how often a difference is found where the true one is `mean`."""
    print(f"\n{title}, %: ours / paired t / cluster-robust t / cluster bootstrap")
    for kind, counts in designs.items():
        for questions in counts:
            documents = sizes(kind, questions)
            members = members_of(documents)
            for icc in ICCS if kind != "alone" else (0.0,):
                cells = []
                for draw in DRAWS.values():
                    rng = np.random.default_rng(questions)
                    gaps = draw(mean, latent(rng, members, icc, SAMPLES))[:, 0]
                    shown = np.mean(paired_tests(gaps, members, 1.0).p_value() <= 0.05)
                    others = "/".join(f"{share:.0f}" for share in usual(gaps, documents))
                    cells.append(f"{100 * shown:5.1f} {others:9s}")
                print(f"{kind:8s}{questions:4d}  ICC {icc}  {'  '.join(cells)}", flush=True)


def nothing() -> None:
    """Print type I errors."""
    designs = dict.fromkeys(KINDS, (20, 50, 200)) | {"alone": (5, 8, 20, 50, 200)}
    print("columns:", ", ".join(DRAWS))
    against_nothing(0.0, "alike pipelines are called different", designs)


def gains() -> None:
    """Print power."""
    against_nothing(0.1, "a gain of .1 is shown", dict.fromkeys(KINDS, (100,)))


def margins() -> None:
    """Print what a gate with a margin of .05 says of builds that are alike, worse, and lost."""
    print("\nmargin .05: passes of builds that are worse by .05 / alike, %; columns:", *DRAWS)
    for kind in KINDS:
        for questions in (20, 50, 200):
            members = members_of(sizes(kind, questions))
            for icc in ICCS if kind != "alone" else (0.0,):
                cells = []
                for draw in DRAWS.values():
                    rng = np.random.default_rng(questions)
                    shown = []
                    for mean in (-MARGIN, 0.0):
                        gaps = draw(mean, latent(rng, members, icc, SAMPLES))[:, 0]
                        passed = paired_tests(gaps, members, 1.0).p_above(-MARGIN) <= 0.05
                        shown.append(100 * np.mean(passed))
                    cells.append(f"{shown[0]:5.1f}/{shown[1]:5.1f}")
                print(f"{kind:8s}{questions:4d}  ICC {icc}  {'  '.join(cells)}", flush=True)
    lost = -np.ones(8)
    tests = [test_of(lost, np.eye(8))] * 8
    print(f"all of 8 questions fall by 1: p {float(tests[0].p_value()):.3f}")
    print(f"the same on eight metrics: p {max(p for p, _ in of_all(tests)):.3f}")


def repeats() -> None:
    """Print what a gate with a margin of .05 says where each build answers several times.

    Asked again, each build changes 1 in 10 of its answers. Steady questions may be asked once: what
    is steady then says another run of 8 answers to each.
    """
    print("\nbuilds that are alike pass, %; greatest share of those worse by .05 that pass, %")
    print("answers to each question: 1, 3, 5; 5 where another run varies, else 1 (answers of each)")
    print(f"of the worst way {BLOCKS * SAMPLES} others: standard error .24 points near 6 %")
    designs = [("alone", 0.0, (20, 50, 100, 200)), ("fives", 0.3, (50, 100, 200))]
    for kind, icc, counts in [*designs, ("crossed", 0.3, (100, 200)), ("huge", 0.3, (100,))]:
        for questions in counts:
            members = members_of(sizes(kind, questions))
            for luck in LUCK:
                cells = [
                    _repeated(members, icc, luck, times, steady)
                    for times, steady in ((1, 0), (3, 0), (5, 0), (5, 8))
                ]
                print(f"{kind:8s}{questions:4d}  {luck:16s}{'  '.join(cells)}", flush=True)


def _repeated(members: Floats, icc: float, luck: str, times: int, steady: int) -> str:
    rng, asked = np.random.default_rng(len(members)), np.array(0)

    def passed(change: Callable[[Floats, Floats, float], Floats]) -> float:
        nonlocal asked
        before = chances(luck, latent(rng, members, icc, SAMPLES)[:, 0])
        asked = np.full(before.shape, times)
        if steady:
            known = rng.binomial(steady, before)
            asked = np.where((known > 0) & (known < steady), times, 1)
        after = change(before, stats.norm.cdf(latent(rng, members, icc, SAMPLES)[:, 0]), MARGIN)
        gaps = (rng.binomial(asked, after) - rng.binomial(asked, before)) / asked
        tests = paired_tests(gaps, members, 1.0, averaged=times > 1)
        return 100 * float(np.mean(tests.p_above(-MARGIN) <= 0.05))

    alike, *worse = (passed(change) for change in CHANGES.values())
    # The greatest of several shares is too great: that way is measured anew.
    worst = list(CHANGES.values())[1 + int(np.argmax(worse))]
    again = np.mean([passed(worst) for _ in range(BLOCKS)])
    return f"{alike:5.1f} {again:4.1f}{f' ({asked.sum(axis=1).mean():.0f})' if steady else ''}"


def sequential() -> None:
    """Print what a gate that looks at 20 questions, then at more, says, and what it asks."""
    print(
        "\nlooks at 20 questions and then at three tenths more: builds that are alike pass, % (at"
    )
    print("the end alone), share of questions asked; the same of each kind worse by .05")
    designs = [("alone", 0.0, (100, 200, 400)), ("fives", 0.3, (200,)), ("crossed", 0.3, (200,))]
    for kind, icc, counts in designs:
        for questions in counts:
            for luck in LUCK:
                for times in (1, 3):
                    cells = _looked_at(kind, questions, icc, luck, times)
                    print(f"{kind:8s}{questions:4d}  {luck:16s}{times}  {cells}", flush=True)


def _looked_at(kind: str, questions: int, icc: float, luck: str, times: int) -> str:
    members, rng = members_of(sizes(kind, questions)), np.random.default_rng(questions)
    looks = looks_of(questions, 20)
    levels = levels_of([look / questions for look in looks])
    before = chances(luck, latent(rng, members, icc, SAMPLES)[:, 0])
    u = stats.norm.cdf(latent(rng, members, icc, SAMPLES)[:, 0])
    cells = []
    for change in CHANGES.values():
        after = change(before, u, MARGIN)
        gaps = (rng.binomial(times, after) - rng.binomial(times, before)) / times
        passed, asked = np.zeros(SAMPLES, dtype=bool), np.full(SAMPLES, questions)
        going = np.arange(SAMPLES)
        for look, alpha in zip(looks, levels, strict=True):
            part = members[:look][:, members[:look].any(axis=0)]
            rows = gaps[going, :look]
            test = paired_tests(rows, part, 1.0, averaged=times > 1)
            held = test.p_above(-MARGIN) <= alpha
            passed[going[held]], asked[going] = True, look
            going = going[~held & ~((test.difference < 0) & (test.p_value() <= alpha))]
            if not len(going):
                break
        whole = paired_tests(gaps, members, 1.0, averaged=times > 1).p_above(-MARGIN) <= 0.05
        share = asked.mean() / questions
        cells.append(f"{100 * passed.mean():5.1f} ({100 * whole.mean():5.1f}) {share:.2f}")
    return "  ".join(cells)


def families() -> None:
    """Print how often any of several alike metrics is called different."""
    print("\nany of M metrics, alike pipelines: called different, %")
    for kind, questions in (("alone", 50), ("fives", 100), ("crossed", 100)):
        members = members_of(sizes(kind, questions))
        for metrics in (2, 8, 30):
            line = ""
            for draw in DRAWS.values():
                rng = np.random.default_rng(metrics)
                table = draw(0.0, latent(rng, members, 0.1, SAMPLES, metrics))
                shown = (of_all(single_tests(gaps, members)) for gaps in table)
                wrong = sum(min(p for p, _ in row) <= 0.05 for row in shown)
                line += f"  {100 * wrong / SAMPLES:5.1f}"
            print(f"{kind:8s}{questions:4d} {metrics:3d}{line}", flush=True)


def vetoes() -> None:
    """Print how often a loss on one of eight metrics, which does not decide, stops a build."""
    slight = NEGLIGIBLE * MARGIN
    print(f"\na loss on another metric stops, %: any that is shown / of more than {slight:g} only")
    steady: dict[str, Draw] = {"on all": lambda mean, z: mean + 0 * z}
    for kind, questions in (("alone", 20), ("alone", 50), ("alone", 200), ("fives", 100)):
        members = members_of(sizes(kind, questions))
        for loss in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5):
            cells = []
            for name, draw in (steady | DRAWS).items():
                rng, stopped = np.random.default_rng(questions), np.zeros(2)
                for row in latent(rng, members, 0.1, SAMPLES, 8):
                    gaps = DRAWS["10 % change"](0.0, row)
                    gaps[1] = draw(-loss, row[1])
                    tests = single_tests(gaps, members)
                    (p, _), test = of_all(tests)[1], tests[1]
                    shown = p <= 0.05 and test.difference < 0 and test.p_above(-MARGIN) > 0.05
                    stopped += np.array([shown, shown and test.difference < -slight - 1e-9])
                cells.append(f"{name} " + "/".join(f"{share / 10:.0f}" for share in stopped))
            print(f"{kind:8s}{questions:4d}  {loss:4.2f}  {'  '.join(cells)}", flush=True)


def plans() -> None:
    """Print how often what a pilot promises in 8 of 10 cases is kept: of each pilot its promise."""
    print(f"\nwhat {PILOTS} pilots of the same size promise to show in 8 of 10 (a tenth to nine")
    print("tenths of pilots); shown, % (so); questions to rule out a fall of .1; ruled out, %")
    for kind, questions in (("alone", 100), ("fives", 100), ("fives", 200), ("crossed", 100)):
        members = members_of(sizes(kind, questions))
        for icc in (0.0, 0.3) if kind != "alone" else (0.0,):
            for name, draw in DRAWS.items():
                rng = np.random.default_rng(questions)
                pilots = draw(0.0, latent(rng, members, icc, PILOTS))[:, 0]
                planners = [Planner(test_of(pilot, members)) for pilot in pilots]
                effects = [planner.smallest(questions) or 1.0 for planner in planners]
                normal = latent(rng, members, icc, SAMPLES)

                def shown(
                    effect: float,
                    draw: Draw = draw,
                    normal: Floats = normal,
                    members: Floats = members,
                ) -> float:
                    gaps = draw(-effect, normal)[:, 0]
                    return float(np.mean(paired_tests(gaps, members, 1.0).p_value() <= 0.05))

                needed = [float(p.needed(0.1, to="rule out") or 20_000) for p in planners]

                def ruled_out(count: float, kind: str = kind, icc: float = icc) -> float:
                    more = members_of(sizes(kind, max(20, round(count))))
                    alike = draw(0.0, latent(rng, more, icc, SAMPLES))[:, 0]  # noqa: B023
                    return float(np.mean(paired_tests(alike, more, 1.0).p_above(-0.1) <= 0.05))

                print(
                    f"{kind:8s}{questions:4d} ICC {icc} {name:14s}"
                    f" {_kept(effects, shown, '.3f')}   {_kept(needed, ruled_out, '.0f')}",
                    flush=True,
                )


def _kept(promised: list[float], chance: Callable[[float], float], form: str) -> str:
    """Return what is promised, and how often it is kept, of several pilots."""
    low, high = np.quantile(promised, [0.1, 0.9])
    grid = np.linspace(min(promised), max(promised), 7)
    curve = [chance(each) for each in grid]
    kept = 100 * np.interp(promised, grid, curve)
    tenth, ninth = np.quantile(kept, [0.1, 0.9])
    return f"{low:{form}} to {high:{form}} {kept.mean():5.1f} ({tenth:.0f} to {ninth:.0f})"


def plans_of_families() -> None:
    """Print how often what a pilot promises of one of thirty metrics is kept."""
    print("\nthe same of the metric that decides, and of one of 29 others; 20 pilots")
    for kind, questions, icc in (("alone", 100, 0.0), ("fives", 100, 0.3)):
        members = members_of(sizes(kind, questions))
        for name, draw in DRAWS.items():
            rng = np.random.default_rng(questions)
            pilots = draw(0.0, latent(rng, members, icc, 20, 30))
            planned = [_planners([test_of(row, members) for row in pilot]) for pilot in pilots]
            row = ""
            for number in (0, 1):
                shown = []
                effects = [each[number].smallest(questions) or 1.0 for each in planned]
                for effect in effects:
                    normal = latent(rng, members, icc, SAMPLES // len(effects), 30)
                    table = draw(0.0, normal)
                    table[:, number] = draw(-effect, normal[:, number : number + 1])[:, 0]
                    tests = (of_all(single_tests(gaps, members)) for gaps in table)
                    shown += [each[number][0] <= 0.05 for each in tests]
                row += f"{np.mean(effects):.3f} {100 * np.mean(shown):5.1f}   "
            print(f"{kind:8s}{questions:4d} ICC {icc} {name:14s} {row}", flush=True)


def _planners(tests: list[PairedTest]) -> list[Planner]:
    return [Planner(test, level) for test, (_, level) in zip(tests, of_all(tests), strict=True)]


RIGHT, FAVOUR = 0.75, 0.1
"""The share of right answers of the first build; by how much a judge that errs favours the second.
"""


def by_labels() -> None:
    """Print what labels by people of some answers decide, where a judge scores all of 300.

    A quarter of the answers is wrong; three in ten changed. The judge's scores correlate with the
    labels by r, and half of what it errs it errs alike on both answers to a question.
    """
    print(
        "\nby labels, 300 questions, %: shown, alike / shown, worse by .1 / passes at a margin of"
    )
    print(".1, worse by .1 / alike / as many labels as promised, alike; labels alone: shown, worse")
    print(".1 / passes, alike; the judge alone, who favours the second: shown, alike")
    for kind, icc in (("alone", 0.0), ("fives", 0.3)):
        for labels, questions in ((20, "same"), (50, "same"), (100, "same"), (50, "other")):
            for r in (0.6, 0.9):
                cells = _by_labels(kind, icc, labels, r, same=questions == "same")
                print(f"{kind:6s}{labels:4d} r {r} {questions:6s}{cells}", flush=True)


def _by_labels(kind: str, icc: float, labels: int, r: float, *, same: bool) -> str:
    rng, documents = np.random.default_rng(labels), sizes(kind, 300)
    members, clusters = members_of(documents), [own[0] for own in documents]
    # Of the judge's differences the test reads nothing but the range and the clusters.
    counts = np.unique(clusters, return_counts=True)[1].astype(float)
    judge = PairedTest(0 * counts, counts, 1.0)

    def test_of(means: list[PPIMean]) -> LabelledTest:
        return LabelledTest(judge, ppi_difference(*means))

    found: dict[float, list[list[float]]] = {0.0: [], 0.1: []}
    kept = []
    for _ in range(SAMPLES):
        for fall, rows in found.items():
            truths, scores = _judged_pair(rng, members, icc, r, fall)
            orders = [rng.permutation(300) for _ in range(2)]
            orders = [orders[0], orders[0]] if same else orders
            builds = [*zip(truths, scores, orders, strict=True)]
            with_judge = test_of([_by_people(*build, clusters, labels) for build in builds])
            alone = test_of([_by_people(*build, clusters, labels, alone=True) for build in builds])
            more = None if fall or len(rows) % 5 else with_judge.more_labels(0.1, items=300)
            if more is not None:
                again = test_of([_by_people(*build, clusters, labels + more) for build in builds])
                kept.append(float(again.p_above(-0.1)) <= 0.05)
            gaps = scores[1] - scores[0]
            t = gaps.mean() / gaps.std(ddof=1) * np.sqrt(300)
            shown = [float(test.p_value()) <= 0.05 for test in (with_judge, alone)]
            passed = [float(test.p_above(-0.1)) <= 0.05 for test in (with_judge, alone)]
            rows.append([*shown, *passed, abs(t) > 1.968])
    (alike, _, passes, passes_alone, favoured), worse = (
        100 * np.mean(rows, axis=0) for rows in found.values()
    )
    promised = f"{100 * np.mean(kept):3.0f} of {len(kept)}" if kept else "–"
    return (
        f"{alike:5.1f} {worse[0]:5.1f}  {worse[2]:5.1f} {passes:5.1f} {promised:>10};"
        f"  {worse[1]:5.1f} {passes_alone:5.1f};  {favoured:5.1f}"
    )


def _by_people(
    right: Floats,
    judged: Floats,
    order: npt.NDArray[np.int64],
    clusters: list[int],
    labels: int,
    *,
    alone: bool = False,
) -> PPIMean:
    """Return the mean of a build by the labels of its first questions in an order."""
    drawn, others = order[:labels], order[labels : labels if alone else None]
    parts = (right[drawn].tolist(), judged[drawn].tolist(), judged[others].tolist())
    places = [clusters[question] for question in (*drawn, *others)]
    mean = ppi_mean(*parts, bounds=(0.0, 1.0), clusters=places)
    if mean is None:
        raise SystemExit("no labels")
    return mean


def _judged_pair(
    rng: np.random.Generator, members: Floats, icc: float, r: float, fall: float
) -> tuple[Floats, Floats]:
    """Return the labels and the judge's scores of two builds, each of shape (2, questions)."""
    first, second = stats.norm.cdf(latent(rng, members, icc, 2)[:, 0])
    right = first < RIGHT
    kept = np.where(right, second > (0.15 + fall) / RIGHT, second < 0.15 / (1 - RIGHT))
    spread = np.sqrt(RIGHT * (1 - RIGHT) * (1 / r**2 - 1) / 2)
    shared, *own = rng.normal(0, spread, (3, len(right)))
    truths = np.stack([right, kept]).astype(float)
    return truths, truths + shared + np.stack(own) + np.array([[0.0], [FAVOUR]])


PARTS = {
    "nothing": nothing,
    "gains": gains,
    "margins": margins,
    "repeats": repeats,
    "sequential": sequential,
    "families": families,
    "vetoes": vetoes,
    "plans": plans,
    "plans-of-families": plans_of_families,
    "labels": by_labels,
}

if __name__ == "__main__":
    changes = paired.FLIPS
    for part in sys.argv[1:] or PARTS:
        # What errs is the same with fewer changes of sign than a comparison draws, not what shows.
        paired.FLIPS = changes if part.startswith("plans") else 499
        PARTS[part]()
