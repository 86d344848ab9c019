"""`rag-eval evaluate`: metrics score the answers."""

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Literal

from cyclopts.types import PositiveInt

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.batch import Batch
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.cost import usage_lines
from llamaindex_rag_eval.cli.errors import exit_if_failed, exit_if_unscored, refuse
from llamaindex_rag_eval.cli.inputs import answers_or_run, name_of
from llamaindex_rag_eval.cli.judging import DryRun, Judging, Limits
from llamaindex_rag_eval.cli.options import MODEL, WORK, Cluster, Out, Scoring, options
from llamaindex_rag_eval.cli.paths import run_file
from llamaindex_rag_eval.cli.stored import Keeping
from llamaindex_rag_eval.cli.wordings import print_wordings


@options(group=MODEL)
class Judgings(Judging):
    """Who judges, and how."""

    no_cache: bool = False
    """Keep no replies. Without --cache, those of a model are kept beside the run, in
    SCORES.replies.db, so that a run that was killed pays for none of them again."""
    votes: PositiveInt = 1
    """Ask an odd number of times and take the majority."""
    suite: Literal["separate", "one"] = "separate"
    """Whether the LLM is asked for claims, their support, useful contexts and the verdict on an
    answer in separate requests, or for a sample in one: fewer tokens, for capable models."""

    def beside(self, run: Path, *, dry_run: bool) -> Path | None:
        """Return where replies are kept beside a run, if `evaluate` does not keep them itself.

        It does not keep those of single votes; a dry run counts what is there as free.
        """
        conflict = "--cache and --no-cache exclude one another"
        refuse({conflict: self.cache and self.no_cache})
        own = self.no_cache or not (dry_run or self.votes > 1)
        return None if own else library.replies_file(run)


@options(group=WORK)
class Work:
    """How much is scored at a time, and where."""

    concurrency: PositiveInt = 64
    """How many questions are processed at a time."""
    on: Cluster = None
    """Work on a Ray cluster: the one that RAY_ADDRESS or this machine has.
    Input may be Parquet, a folder, or a URI as s3://bucket/answers/; --out is a folder or a URI,
    which Parquet files are written to."""


def evaluate_command(
    answers: Path,
    /,
    *,
    scoring: Scoring = Scoring(),
    out: Out = Path("scores.csv"),
    judgings: Judgings = Judgings(),
    limits: Limits = Limits(),
    dry_run: DryRun = False,
    keeping: Keeping = Keeping(),
    batch: Batch = Batch(),
    work: Work = Work(),
) -> None:
    """Score answers by metrics.

    The table has a row a question, with scores, statuses and reasons. Results are written as
    they come; after an interruption, run it again for what is missing.

    Args:
        answers: Answers: JSON Lines, CSV or JSON.
        out: The table of scores, CSV; the whole run goes beside it, as .jsonl.
    """
    whole = out if work.on else run_file(answers, out)
    rounds = batch.rounds(judgings, keyless=dry_run)
    judge = rounds.judge(
        limits=limits,
        keyless=dry_run,
        beside=None if work.on else judgings.beside(whole, dry_run=dry_run),
        votes=judgings.votes,
        suite=judgings.suite == "one",
        concurrency=work.concurrency,
    )
    metrics = scoring.chosen or rag.DEFAULT_METRICS
    settings: dict[str, Any] = {**asdict(scoring), "metrics": metrics, "judge": judge}
    settings |= {"concurrency": work.concurrency, "cache": not judgings.no_cache}
    settings |= {"name": keeping.name or name_of(answers)}
    clusters, images = settings.pop("clusters"), settings.pop("images")
    if work.on is not None:
        excluded = {
            "--dry-run": dry_run,
            "--batch": batch.batch,
            "--keep": keeping.keep or keeping.tag,
            "--images (write samples with their data, by `with_images`)": images,
        }
        refuse({f"--on and {name} exclude one another": value for name, value in excluded.items()})
        return _score_on_ray(partial(rag.evaluate_on_ray, str(answers), **settings), out, clusters)
    samples = answers_or_run(answers).samples
    if dry_run:
        return _print_usage(rag.estimate(samples, metrics=metrics, judge=judge))

    score = partial(rag.evaluate, samples, images=images, **settings)
    run: rag.Run = rounds.work(partial(_scored, score, whole))
    if out.suffix != ".jsonl":
        run.to_csv(out)
    keeping.add(run)
    _print_scores(run, out, whole, clusters)
    rounds.exit_if_waiting()
    printer.show(f"Scores in {out}. Next: rag-eval report {whole} -o report.html")
    return exit_if_unscored([run])


def _print_usage(usage: "library.Usage") -> None:
    printer.data({**usage.as_json(), "uncounted": usage.uncounted})
    printer.show(*usage_lines(usage))


def _scored(score: Callable[..., Any], out: Path | str) -> Any:
    """Return the run that `score` writes to a file or a folder, and show how far it is."""
    with printer.progress("scoring") as progress:
        return score(out=out, progress=progress)


def _shown(
    run: "rag.Run | library.RunFolder", scores: Path | str, metrics: "library.JsonValue"
) -> "dict[str, library.JsonValue]":
    """Return a run with its means as data."""
    return {
        "scores": str(scores),
        "name": run.name,
        "questions": len(run),
        "metrics": metrics,
        "notes": list(run.provenance.notes),
    }


def _print_scores(run: "rag.Run", out: Path, whole: Path, clusters: "library.Clustering") -> None:
    """Print the means."""
    summaries = [summary.as_json() for summary in run.summary(clusters)]
    for summary in summaries:
        del summary["missing"]  # `notes` say how many results are missing
    resources = [entry.as_json() for entry in library.resources_of(run.samples, clusters)]
    data = _shown(run, out, [*summaries])
    data |= {"run": str(whole), "resources": [*resources]}
    table = filter(None, [library.resources_table(run, clusters)])
    notes = [*run.provenance.notes, *run.language_notes]
    data["notes"] = [*notes]
    printer.show(library.run_table(run, clusters), *table, *notes)
    if spread := library.answer_spread(run):
        data["answers"] = [entry.as_json() for entry in spread]
        printer.show(*(entry.sentence for entry in spread))
    printer.data(data | print_wordings(run))


def _score_on_ray(score: Callable[..., Any], out: Path, clusters: "library.Clustering") -> None:
    """Score answers on Ray, and print the means.

    Args:
        score: Writes a run to the folder `out`.
        out: The folder of the run; of a file of scores, its name without the suffix.
        clusters: What counts as one draw.

    Raises:
        InputError: Ray does not answer.
    """
    folder = library.whole_uri(out.with_suffix("") if out.suffix in (".csv", ".jsonl") else out)
    run: library.RunFolder = _scored(score, folder)
    summaries = run.summary(clusters)
    printer.data(_shown(run, folder, [summary.as_json() for summary in summaries]))
    printer.show(library.summary_table(run.name or "Run", summaries), *run.provenance.notes)
    printer.show(f"Scores in {folder}, a folder of Parquet files.")
    reasons = [f"{spec}: {count} failed: {why}" for spec, why, count in run.failures()]
    missing = sum(summary.missing for summary in summaries)
    if missing:
        reasons.append(f"{missing} results are missing. {run.provenance.notes[-1]}")
    exit_if_failed(reasons, stopped=bool(run.provenance.stopped))
