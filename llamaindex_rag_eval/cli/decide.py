"""`rag-eval compare`, `gate` and `report`: what may be decided of one run or several."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import Group, Parameter
from cyclopts.types import PositiveInt

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.batch import Batch, Rounds
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.errors import Exit, exit_if_unscored
from llamaindex_rag_eval.cli.inputs import names_of, questions_in
from llamaindex_rag_eval.cli.judging import DryRun, Judging
from llamaindex_rag_eval.cli.options import (
    Bounds,
    Clustered,
    DecidedBy,
    Labelled,
    Out,
    Scoring,
    options,
)
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.cli.run import Endpoint, print_calls
from llamaindex_rag_eval.cli.stored import RUN_HELP, Stored, folder_of
from llamaindex_rag_eval.errors import InputError


def compare_command(
    runs: list[str],
    /,
    *,
    scoring: Scoring = Scoring(),
    report: Annotated[Path | None, Parameter(alias="-r")] = None,
    decided_by: DecidedBy = DecidedBy(),
    labelled: Labelled = Labelled(),
    judging: Judging = Judging(),
    stored: Stored = Stored(),
    batch: Batch = Batch(),
) -> None:
    """Compare two pipelines or more, question by question.

    For each metric: the means, the difference with its interval, corrected for the number of
    metrics and pipelines, and how many questions are missing on either side. The decision is that
    of the gate and of a report: one metric decides, the others stop a pipeline that is shown to be
    worse on them.

    Args:
        runs: The baseline, then what is compared with it: files of answers or of runs; or stored
            runs: last, last~1, a name, a tag or an id.
        report: Also write an HTML report.
    """
    policy = decided_by.policy(clusters=scoring.clusters)
    if report is not None:
        writable(report)
    rounds = batch.rounds(judging)
    judge = rounds.judge()
    sources = [stored.source(reference, scoring.images) for reference in runs]

    def work() -> "rag.Comparisons":
        with printer.progress_by_name("scoring") as progress:
            return rag.compare(
                dict(zip(names_of(runs, sources), sources, strict=True)),
                metrics=scoring.chosen or None,
                judge=judge,
                workers=scoring.workers,
                progress=progress,
                clusters=scoring.clusters,
                primary=policy.primary,
                labels=labelled.labels,
            )

    compared = rounds.finished(work)
    _print_comparison(compared, policy)
    if report is not None:
        before = stored.before(compared.runs[-1])
        beside = library.beside_runs(zip(compared.runs, map(folder_of, runs), strict=True))
        shown = {"before": before, "policy": policy, **beside}
        library.write_html(compared, report, **shown)
        printer.show(f"Report in {report}.")
    exit_if_unscored(compared.runs)


def _print_comparison(compared: "rag.Comparisons", policy: "library.Policy") -> None:
    """Print tables and decisions."""
    shown: rag.Comparison | rag.Comparisons = compared
    table = library.comparisons_table(compared)
    if len(compared.pairs) == 1:
        shown, table = compared.pairs[0], library.comparison_table(compared.pairs[0])
    decisions = [library.decide_pair(pair, policy) for pair in compared.pairs]
    if printer.as_json:
        printer.data({"decisions": [each.as_json() for each in decisions], **shown.as_json()})
    people, resources = compared.people_sentences, library.resources_table(shown)
    printer.show(table, *people, *filter(None, (resources,)))
    for decision in decisions:
        printer.show(f"{decision.name}: {decision.headline}.", *decision.reasons)
    notes = decisions[0].notes if len(decisions) == 1 else compared.notes
    printer.show(*(ranking.sentence for ranking in compared.rankings), *notes)


MARKS = {"holds": "passes", "fails": "FAILS", "cannot tell": "UNCLEAR"}
"""Outcome of a check -> its word in the table."""

STYLES = {"holds": "", "fails": "red", "cannot tell": "yellow"}
"""Outcome of a check -> how its row looks."""


@options()
class Thresholds(DecidedBy):
    """What a run is held to by itself, as `Policy.parse` takes it."""

    min: Bounds = ()
    """The mean is X or more."""
    max: Bounds = ()
    """The mean is X or less."""
    min_lower_bound: Bounds = ()
    """The interval's low end is X or more."""
    max_upper_bound: Bounds = ()
    """The interval's top end is X or less."""
    max_missing: float | None = None
    """Greatest share of a metric's results that may be missing; 0."""
    max_undefined: float = 0.1
    """Greatest share of a metric's results that may be undefined."""
    min_scored: int = 5
    """The fewest scores with which a mean can meet a threshold."""


@options(group=Group("Accept", sort_key=1))
class Accepted:
    """What is accepted though it leaves a verdict open, as `Allowances` has it."""

    inconclusive: Annotated[bool, Parameter(name="--allow-inconclusive")] = False
    """Accept too few questions to tell; never a shown loss, nor a mean worse by the margin."""
    other_data: Annotated[bool, Parameter(name="--allow-other-data")] = False
    """Accept other questions or references than before."""
    other_judge: Annotated[bool, Parameter(name="--allow-other-judge")] = False
    """Accept another judge, direction or bounds."""
    uncompared: Annotated[bool, Parameter(name="--allow-uncompared")] = False
    """Accept metrics that cannot be compared."""


@options(group=Group("Ask an engine until it is decided", sort_key=0))
class Sequential(Endpoint):
    """An engine that is asked in batches until a decision is certain."""

    repeats: PositiveInt = 1
    """Ask each question this many times."""
    out: Path = Path("gate-output")
    """The folder of answers, scores and replies: run again after an interruption, nothing is paid
    for twice. Changed code takes another."""

    def decided(
        self,
        engine: str,
        golden: str,
        baseline: "rag.Run",
        policy: "library.Policy",
        judging: Judging,
        *,
        dry_run: bool,
    ) -> "tuple[library.Decision, rag.Run] | None":
        """Return the decision and the scores behind it; `None` after a dry run."""
        questions, file = questions_in(Path(golden)), self.out / library.REPLIES
        judge = Rounds(judging).judge(keyless=dry_run, beside=file)
        if dry_run:
            metrics = [info.spec for info in baseline.metrics]
            usage = rag.estimate(baseline.samples, metrics=metrics, judge=judge)
            print_calls(len(questions) * self.repeats, usage)
            return None
        writable(file)
        with printer.progress("answering") as progress:
            return library.gate_engine(
                self.named(engine),
                questions,
                baseline,
                policy,
                judge=judge,
                repeats=self.repeats,
                timeout=self.timeout,
                name=self.out.name,
                out=self.out,
                progress=progress,
            )


def gate_command(
    run: Annotated[str, Parameter(help=RUN_HELP)],
    /,
    *,
    decided_by: Thresholds = Thresholds(),
    clustered: Clustered = Clustered(),
    no_worse_than: Annotated[str | None, Parameter(metavar="RUN")] = None,
    accepted: Accepted = Accepted(),
    labelled: Labelled = Labelled(),
    junit: Path | None = None,
    summary: Path | None = None,
    stored: Stored = Stored(),
    who: Sequential = Sequential(),
    judging: Judging = Judging(),
    dry_run: DryRun = False,
) -> None:
    """Check a run against thresholds, or against another run.

    The exit code is 0 if it may pass: better, not worse, or every limit kept. Else it is 3: worse,
    or a limit is missed; 5: too few questions to tell; 7: not comparable, as with other questions
    or another judge. By default a failed result misses a limit, and so do many undefined ones. In
    a comparison a failed result is taken as the worst possible score. The decision is that of
    `compare`. The same answers as before pass.

    With --engine the first argument is the golden set, and the engine is asked in batches until the
    decision is certain. All looks together err as rarely as one at the end.

    Args:
        no_worse_than: The metric that decides is shown not to be worse than in this run by the
            margin or more, and no other metric is shown to be worse.
        junit: Write the outcome as JUnit XML.
        summary: Write the outcome as Markdown.
    """
    allow = library.Allowances(**asdict(accepted))
    policy = decided_by.policy(allow=allow, clusters=clustered.clusters)
    references = [name for name in (no_worse_than, None if who.engine else run) if name]
    loaded = stored.named(references)
    baseline = None if no_worse_than is None else loaded[0]
    if who.engine is not None:
        if baseline is None:
            raise InputError("--engine needs --no-worse-than RUN: what it is compared with")
        if labelled.labels is not None:
            raise InputError(
                "--engine asks for answers that nobody has labelled; label those in --out, then "
                "check them: rag-eval gate OUT/scores.jsonl --no-worse-than RUN --labels LABELS"
            )
        decided = who.decided(who.engine, run, baseline, policy, judging, dry_run=dry_run)
        if decided is None:
            return
        decision, _ = decided
    else:
        decision = library.decide(baseline, loaded[-1], policy, labels=labelled.labels)
    if junit is not None:
        library.write_junit(decision, junit)
    if summary is not None:
        library.write_summary(decision, summary)
    _print_decision(decision)


EXITS: "Mapping[library.Outcome, Exit]" = {
    "worse": Exit.GATE,
    "limit missed": Exit.GATE,
    "cannot tell": Exit.TOO_FEW,
    "not comparable": Exit.NOT_COMPARABLE,
}
"""Outcome that does not pass -> exit code."""


def _print_decision(decision: "library.Decision") -> None:
    """Print the decision and its checks, and leave with the exit code of one that does not pass."""
    rows = [(MARKS[check.outcome], check.rule, check.message) for check in decision.checks]
    styles = [STYLES[check.outcome] for check in decision.checks]
    table = library.text_table("", ["", "check"], last="found", rows=rows, styles=styles)
    sentences = [*library.people_sentences(decision.by_people), f"{decision.headline}."]
    printer.show(table, *sentences, *decision.reasons, *decision.notes)
    printer.data(decision.as_json())
    if not decision.held:
        printer.note(f"the gate does not hold: {decision.headline}")
        raise SystemExit(EXITS[decision.outcome])


def report_command(
    runs: list[str],
    /,
    *,
    out: Out = Path("report.html"),
    decided_by: DecidedBy = DecidedBy(),
    how: Clustered = Clustered(),
    labelled: Labelled = Labelled(),
    stored: Stored = Stored(),
) -> None:
    """Write a report as one file that any browser opens.

    It needs no server and no network. It begins with a decision: ship, do not ship, or cannot
    tell yet, and how many more questions would tell; then answers, retrieval, latency and cost,
    where answers are lost, and what changed since the stored run before of the last run's name.
    The evidence follows: scores with their intervals, and every question with its contexts and
    claims. The diagnosis of a run, diagnosis.json, is found beside its file or in a folder there;
    that of a stored run, in this folder.

    Args:
        runs: One run, or several to compare with the first: files (.jsonl) or stored runs.
        out: The report to write.
    """
    writable(out)
    loaded = stored.named(runs)
    reported: rag.Run | rag.Comparisons = loaded[0]
    policy, people = decided_by.policy(clusters=how.clusters), None
    if len(loaded) > 1:
        named = {run.name: run for run in loaded}
        people_by, primary = labelled.labels, policy.primary
        reported = rag.compare(named, clusters=how.clusters, primary=primary, labels=people_by)
    else:
        people = library.run_by_people(loaded[0], labelled.labels, how.clusters)
    library.write_html(
        reported,
        out,
        clusters=how.clusters,
        before=stored.before(loaded[-1]),
        policy=policy,
        people=people,
        **library.beside_runs(zip(loaded, map(folder_of, runs), strict=True)),
    )
    printer.data({"report": str(out)})
    printer.show(f"Report in {out}: open it in a browser.")
