"""`rag-eval evaluate`: metrics score the answers."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from cyclopts.types import PositiveInt

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.cli.batch import Batch, Rounds
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.cost import usage_lines
from llamaindex_rag_eval.cli.errors import exit_if_unscored
from llamaindex_rag_eval.cli.inputs import answers_or_run, name_of, names_in
from llamaindex_rag_eval.cli.judging import MODEL, DryRun, Judging, PricedLimits
from llamaindex_rag_eval.cli.on_ray import print_means, refused_on
from llamaindex_rag_eval.cli.options import STORE, Clusters, Images, Metrics, Out, Store, Workers
from llamaindex_rag_eval.cli.paths import judging_file, run_file, writable
from llamaindex_rag_eval.errors import InputError

if TYPE_CHECKING:
    from pydantic import JsonValue

    from llamaindex_rag_eval.judge import JudgeLike
    from llamaindex_rag_eval.runs.clusters import Clustering


@Parameter(name="*", group=MODEL)
@dataclass(frozen=True, kw_only=True)
class Judgings(Judging):
    """Who judges, and how often."""

    no_cache: bool = False
    """Keep no replies. Without --cache, those of a model are kept beside the run, in
    SCORES.replies.db, so that a run that was killed pays for none of them again."""
    votes: PositiveInt = 1
    """Ask an odd number of times and take the majority."""
    repeats: PositiveInt = 1
    """Judge this many times, independently, and report how much of the variance comes from the
    judge; the first judging is the result."""

    def reply_store(self, run: Path, *, paid: bool, dry_run: bool) -> str | list[str] | None:
        """Return where replies are kept, if `evaluate` does not keep them itself.

        A dry run counts what is kept beside the run as free; each of several votes is kept there.
        """
        from llamaindex_rag_eval.runs.replies import replies_file

        if self.cache and self.no_cache:
            raise InputError("--cache and --no-cache exclude one another")
        beside = replies_file(run)
        if self.cache or self.no_cache or not paid:
            return self.cache
        return str(beside) if (beside.exists() if dry_run else self.votes > 1) else None

    def repeated(self, judge: "rag.Judge | None") -> "Sequence[JudgeLike | None]":
        """Return the judge of each judging, independent of the others; `None` is the rules."""
        if self.repeats == 1:
            return [judge]
        if self.llm is None or judge is None:
            raise InputError("--repeats needs --llm: rules always answer the same")
        if self.votes > 1:
            raise InputError("--repeats and --votes exclude one another: votes are repeats already")
        from llamaindex_rag_eval.decisions.pipelines import judges_of

        return judges_of(judge, self.repeats)


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Work:
    """How much is scored at a time, and where."""

    concurrency: PositiveInt = 64
    """How many questions are processed at a time."""
    workers: Workers = None
    on: Annotated[str | None, Parameter(metavar="ray[://HOST:PORT]")] = None
    """Work on a Ray cluster: the one that RAY_ADDRESS or this machine has, or that of a head node.
    Input may be Parquet, a folder, or a URI as s3://bucket/answers/; --out is a folder or a URI,
    which Parquet files are written to."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Keeping:
    """Whether and as what a run is stored."""

    keep: Annotated[bool, Parameter(alias="-k")] = False
    """Store the run, for `runs`, `compare`, `ui`."""
    name: Annotated[str, Parameter(alias="-n")] = ""
    """The name of the run."""
    tag: Annotated[list[str] | None, Parameter(alias="-t")] = None
    """A tag to find the run by; repeatable."""
    store: Store = STORE

    def add(self, run: "rag.Run", printer: Printer) -> None:
        """Store a run, if that is asked for."""
        if self.keep or self.tag:
            from llamaindex_rag_eval.runs.store.run_store import RunStore

            stored = RunStore(self.store).add(run, tags=self.tag or ())
            printer.note(f"stored {stored.name!r} as {stored.id}")


def evaluate_command(
    answers: Path,
    /,
    *,
    metrics: Metrics = None,
    out: Out = Path("scores.csv"),
    judgings: Judgings = Judgings(),
    work: Work = Work(),
    images: Images = None,
    limits: PricedLimits = PricedLimits(),
    dry_run: DryRun = False,
    clusters: Clusters = "documents",
    batch: Batch = Batch(),
    keeping: Keeping = Keeping(),
    printer: Printer = Printer(),
) -> None:
    """Score answers; write a row a question, with scores, statuses and reasons.

    Results are written as they come; after an interruption, run it again for what is missing.

    Args:
        answers: Answers: JSON Lines, CSV or JSON.
        out: The table of scores, CSV; the whole run goes beside it, as .jsonl.
    """
    whole = out if work.on else run_file(answers, out)

    rounds = batch.rounds(judgings, printer, keyless=dry_run)
    paid = judgings.llm is not None and rounds.folder is None and work.on is None
    judge = rounds.judge(
        limits=limits,
        keyless=dry_run,
        cache=judgings.reply_store(whole, paid=paid, dry_run=dry_run),
        votes=judgings.votes,
        prices=limits.prices,
        concurrency=work.concurrency,
    )
    judges, wanted = judgings.repeated(judge), names_in(metrics) or rag.DEFAULT_METRICS
    settings: dict[str, Any] = {"metrics": wanted, "images": images, **asdict(work)}
    settings |= {"name": keeping.name or name_of(answers), "cache": not judgings.no_cache}
    if work.on is not None:
        refused_on(dry_run, judgings.repeats > 1, batch.batch, keeping.keep or keeping.tag)
        score = partial(rag.evaluate, str(answers), judge=judge, **settings)
        return print_means(score, out, clusters, printer)
    samples = answers_or_run(answers).samples
    if dry_run:
        usage = rag.estimate(samples, metrics=wanted, judge=judges[0])
        repeats = judgings.repeats
        printer.data({**usage.as_json(), "uncounted": usage.uncounted, "repeats": repeats})
        each = [f"Each of {repeats} judgings:"] if repeats > 1 else []
        return printer.show(*each, *usage_lines(usage))
    score = partial(rag.evaluate, samples, **settings)
    runs = rounds.work(partial(_judgings, score, judges, whole, printer))
    if out.suffix != ".jsonl":
        runs[0].to_csv(out)
    keeping.add(runs[0], printer)
    return _print_scores(runs, out, whole, printer, clusters, rounds)


def _judgings(
    score: "Callable[..., rag.Run]",
    judges: "Sequence[JudgeLike | None]",
    whole: Path,
    printer: Printer,
) -> "list[rag.Run]":
    """Return a run for each judge, each with its own file."""
    runs = []
    for number, judge in enumerate(judges, start=1):
        file = writable(judging_file(whole, number))
        with printer.progress("scoring" if len(judges) == 1 else f"judging {number}") as progress:
            runs.append(score(judge=judge, out=file, progress=progress))
    return runs


def _print_scores(
    runs: "Sequence[rag.Run]",
    out: Path,
    whole: Path,
    printer: Printer,
    clusters: "Clustering",
    rounds: Rounds,
) -> None:
    """Print the means of the first judging, and how far several agree; exit if scores lack."""
    from llamaindex_rag_eval.decisions.repeats import answer_spread, stability_of
    from llamaindex_rag_eval.report.resources import resources_table
    from llamaindex_rag_eval.report.tables import run_table
    from llamaindex_rag_eval.runs.resources import resources_of

    run = runs[0]
    data: dict[str, JsonValue] = {
        "scores": str(out),
        "run": str(whole),
        "name": run.name,
        "questions": len(run),
        "metrics": [
            # `notes` say how many results are missing.
            {key: value for key, value in summary.as_json().items() if key != "missing"}
            for summary in run.summary(clusters)
        ],
        "resources": [summary.as_json() for summary in resources_of(run.samples, clusters)],
        "notes": list(run.provenance.notes),
    }
    taken = filter(None, [resources_table(run, clusters)])
    printer.show(run_table(run, clusters), *taken, *run.provenance.notes)
    if len(runs) > 1:
        from llamaindex_rag_eval.report.calibration_tables import stability_table

        stability = stability_of(runs)
        data["stability"] = [entry.as_json() for entry in stability]
        printer.show(f"Judged {len(runs)} times:", stability_table(stability))
    if spread := answer_spread(runs):
        data["answers"] = [entry.as_json() for entry in spread]
        printer.show(*(entry.sentence for entry in spread))
    printer.data(data)
    printer.show(f"Scores in {out}. Next: rag-eval report {whole} -o report.html")
    rounds.exit_if_waiting()
    exit_if_unscored(printer, runs)
