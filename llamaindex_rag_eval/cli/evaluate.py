"""`rag-eval evaluate`: metrics score the answers."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.batch import batch_folder, exit_if_waiting, in_rounds
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.cost import usage_lines
from llamaindex_rag_eval.cli.errors import exit_if_failed
from llamaindex_rag_eval.cli.inputs import answers_or_run, judge_from, name_of, names_in
from llamaindex_rag_eval.cli.on_ray import score_on
from llamaindex_rag_eval.cli.paths import judging_file, run_file, writable
from llamaindex_rag_eval.errors import InputError

if TYPE_CHECKING:
    from pydantic import JsonValue

    from llamaindex_rag_eval.cli.llm_options import LlmOptions
    from llamaindex_rag_eval.judge import Judge, JudgeLike
    from llamaindex_rag_eval.models import Usage
    from llamaindex_rag_eval.models.batch import BatchFolder
    from llamaindex_rag_eval.runs.clusters import Clustering
    from llamaindex_rag_eval.runs.run import Run

NoCache = Annotated[
    bool,
    Option(
        "--no-cache",
        help="Keep no replies. Without --cache, those of a model are kept beside the run, in "
        "SCORES.replies.db, so that a run that was killed pays for none of them again.",
    ),
]
Votes = Annotated[
    int, Option("--votes", min=1, help="Ask an odd number of times and take the majority.")
]
Repeats = Annotated[
    int,
    Option(
        "--repeats",
        min=1,
        help="Judge this many times, independently, and report how much of the variance comes "
        "from the judge; the first judging is the result.",
    ),
]
On = Annotated[
    str | None,
    Option(
        "--on",
        metavar="ray[://HOST:PORT]",
        help="Work on a Ray cluster: the one that RAY_ADDRESS or this machine has, or that of a "
        "head node. Input may be Parquet, a folder, or a URI as s3://bucket/answers/; --out is a "
        "folder or a URI, which Parquet files are written to.",
    ),
]
Keep = Annotated[
    bool, Option("--keep", "-k", help="Store the run, for `runs`, `compare`, `trend`, `ui`.")
]
NewName = Annotated[str, Option("--name", "-n", help="The name of the run.")]
NewTags = Annotated[
    list[str] | None, Option("--tag", "-t", help="A tag to find the run by; repeatable.")
]
ScoresOut = Annotated[
    Path,
    Option(
        "--out", "-o", help="The table of scores, CSV; the whole run goes beside it, as .jsonl."
    ),
]


def evaluate_command(
    answers: options.Answers,
    metrics: options.Metrics = None,
    out: ScoresOut = Path("scores.csv"),
    llm: options.Llm = None,
    checker: options.Checker = None,
    embed: options.Embed = None,
    cache: options.Cache = None,
    no_cache: NoCache = False,
    concurrency: options.Concurrency = 64,
    workers: options.Workers = None,
    on: On = None,
    prompts: options.Prompts = None,
    images: options.Images = None,
    votes: Votes = 1,
    repeats: Repeats = 1,
    max_calls: options.MaxCalls = None,
    max_tokens: options.MaxTokens = None,
    max_cost: options.MaxCost = None,
    prices: options.Prices = None,
    dry_run: options.DryRun = False,
    clusters: options.Clusters = "documents",
    batch: options.Batch = None,
    batch_submit: options.BatchSubmit = False,
    batch_format: options.BatchFormat = None,
    keep: Keep = False,
    name: NewName = "",
    tag: NewTags = None,
    store: options.Store = options.STORE,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Score answers; write a row a question, with scores, statuses and reasons.

    Results are written as they come; after an interruption, run it again for what is missing.
    """
    printer, whole = Printer(quiet=quiet, as_json=as_json), out if on else run_file(answers, out)
    from llamaindex_rag_eval.runs.estimate import estimate
    from llamaindex_rag_eval.runs.evaluate import evaluate

    folder = batch_folder(batch, batch_submit, batch_format, llm)
    paid = llm is not None and folder is None and on is None
    kept = _cache(cache, no_cache, whole, paid, votes, dry_run)
    limits, refused = (max_calls, max_tokens, max_cost), (dry_run, repeats > 1, batch, keep or tag)
    make = partial(judge_from, llm, kept, checker=checker, embed=embed, prompts=prompts)
    judge = make(votes=votes, limits=limits, prices=prices, concurrency=concurrency, batch=folder)
    judges, wanted = _judges(llm, judge, repeats, votes), _wanted(metrics)
    settings: dict[str, Any] = {"concurrency": concurrency, "workers": workers, "images": images}
    settings |= {"name": name or name_of(answers), "cache": not no_cache}
    if on is not None:
        score_on(on, answers, out, wanted, judge, settings, refused, clusters, printer)
        return
    samples = answers_or_run(answers).samples
    if dry_run:
        _print_cost(estimate(samples, metrics=wanted, judge=judges[0]), repeats, printer)
        return
    score = partial(evaluate, samples, metrics=wanted, **settings)
    work = partial(_judgings, score, judges, whole, printer)
    runs = in_rounds(work, folder, llm, batch_submit, printer)
    _save(runs[0], out, store if keep or tag else "", tag or (), printer)
    _print_scores(runs, out, whole, printer, clusters, folder)


def _wanted(metrics: str | None) -> Sequence[str]:
    from llamaindex_rag_eval.metrics.registry import DEFAULT_METRICS

    return names_in(metrics) or DEFAULT_METRICS


def _cache(
    cache: list[str] | None, no_cache: bool, run: Path, paid: bool, votes: int, dry_run: bool
) -> str | list[str] | None:
    """Return where replies are kept, if it is said, or known before `evaluate` keeps them itself.

    A dry run counts what is kept beside the run as free; each of several votes is kept there.
    """
    from llamaindex_rag_eval.runs.replies import replies_file

    if cache and no_cache:
        raise InputError("--cache and --no-cache exclude one another")
    beside = replies_file(run)
    if cache or no_cache or not paid:
        return cache
    return str(beside) if (beside.exists() if dry_run else votes > 1) else None


def _judges(
    llm: "LlmOptions | None", judge: "Judge | None", repeats: int, votes: int
) -> "list[JudgeLike | None]":
    """Return the judge of each judging, independent of the others; `None` is the rules."""
    if repeats == 1:
        return [judge]
    if llm is None or judge is None:
        raise InputError("--repeats needs --llm: rules always answer the same")
    if votes > 1:
        raise InputError("--repeats and --votes exclude one another: votes are repeats already")
    from llamaindex_rag_eval.calibration.stability import repeat_judge

    repeat = repeat_judge(judge)
    return [repeat(number) for number in range(1, repeats + 1)]


def _print_cost(usage: "Usage", repeats: int, printer: Printer) -> None:
    printer.data({**usage.as_json(), "uncounted": usage.uncounted, "repeats": repeats})
    if repeats > 1:
        printer.show(f"Each of {repeats} judgings:")
    printer.show(*usage_lines(usage))


def _judgings(
    score: "Callable[..., Run]",
    judges: "Sequence[JudgeLike | None]",
    whole: Path,
    printer: Printer,
) -> "list[Run]":
    """Return a run for each judge, each with its own file."""
    runs = []
    for number, judge in enumerate(judges, start=1):
        file = writable(judging_file(whole, number))
        with printer.progress("scoring" if len(judges) == 1 else f"judging {number}") as progress:
            runs.append(score(judge=judge, out=file, progress=progress))
    return runs


def _save(run: "Run", out: Path, store: str, tags: Iterable[str], printer: Printer) -> None:
    """Write the table, unless the whole run is asked for, and keep the run if a store is named."""
    if out.suffix != ".jsonl":
        run.to_csv(out)
    if store:
        from llamaindex_rag_eval.runs.store.run_store import RunStore

        stored = RunStore(store).add(run, tags=tags)
        printer.note(f"stored {stored.name!r} as {stored.id}")


def _print_scores(
    runs: "Sequence[Run]",
    out: Path,
    whole: Path,
    printer: Printer,
    clusters: "Clustering",
    folder: "BatchFolder | None",
) -> None:
    """Print the means of the first judging, and how far several agree; exit if scores lack."""
    from llamaindex_rag_eval.calibration.answer_spread import answer_spread
    from llamaindex_rag_eval.report.resources import resources_table
    from llamaindex_rag_eval.report.tables import run_table
    from llamaindex_rag_eval.runs.resources import resources_of

    run = runs[0]
    data: dict[str, JsonValue] = {
        "scores": str(out),
        "run": str(whole),
        "name": run.name,
        "questions": len(run),
        "metrics": [_without_missing(summary.as_json()) for summary in run.summary(clusters)],
        "resources": [one.as_json() for one in resources_of(run.samples, clusters)],
        "notes": list(run.provenance.notes),
    }
    taken = filter(None, [resources_table(run, clusters)])
    printer.show(run_table(run, clusters), *taken, *run.provenance.notes)
    if len(runs) > 1:
        from llamaindex_rag_eval.calibration.stability import stability_of
        from llamaindex_rag_eval.report.calibration_tables import stability_table

        found = stability_of(runs)
        data["stability"] = [one.as_json() for one in found]
        printer.show(f"Judged {len(runs)} times:", stability_table(found))
    if spread := answer_spread(runs):
        data["answers"] = [one.as_json() for one in spread]
        printer.show(*(one.sentence for one in spread))
    printer.data(data)
    printer.show(f"Scores in {out}. Next: rag-eval report {whole} -o report.html")
    _exit_if_partly_scored(runs, folder, printer)


def _exit_if_partly_scored(
    runs: "Sequence[Run]", folder: "BatchFolder | None", printer: Printer
) -> None:
    """Leave with an exit code of its own if replies or scores are missing."""
    from llamaindex_rag_eval.report.tables import why_without_score

    if folder is not None:
        exit_if_waiting(folder, printer)
    stopped = any(run.provenance.stopped for run in runs)
    exit_if_failed(printer, why_without_score(*runs), stopped=stopped)


def _without_missing(summary: "dict[str, JsonValue]") -> "JsonValue":
    """Return a summary without the count of missing results, which `notes` tell."""
    return {key: value for key, value in summary.items() if key != "missing"}
