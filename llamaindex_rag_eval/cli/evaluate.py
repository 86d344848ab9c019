"""`rag-eval evaluate`: metrics score the answers."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from llamaindex_rag_eval.cli.exits import Exit
from llamaindex_rag_eval.cli.judging import (
    DryRun,
    MaxCalls,
    MaxCost,
    MaxTokens,
    Prices,
    PromptsIn,
    Spending,
    Votes,
    judge_from,
    usage_lines,
)
from llamaindex_rag_eval.cli.options import (
    AsJson,
    Cache,
    Concurrency,
    Llm,
    Metrics,
    Quiet,
    named_metrics,
)
from llamaindex_rag_eval.cli.outputs import writable
from llamaindex_rag_eval.cli.repeats import (
    Repeats,
    judges_of,
    judging_file,
    noise_data,
    show_noise,
)
from llamaindex_rag_eval.cli.screen import Screen
from llamaindex_rag_eval.cli.stored import Store
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.store import DEFAULT_STORE

if TYPE_CHECKING:
    from pydantic import JsonValue

    from llamaindex_rag_eval.judge import Judge
    from llamaindex_rag_eval.models import Usage
    from llamaindex_rag_eval.runs.run import Run

__all__ = ["evaluate_command", "leave_if_failed"]


def evaluate_command(
    answers: Annotated[Path, typer.Argument(help="Answers: JSON Lines, CSV or JSON.")],
    metrics: Metrics = None,
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", help="The table of scores, CSV; the whole run goes beside it, as .jsonl."
        ),
    ] = Path("scores.csv"),
    llm: Llm = None,
    cache: Cache = None,
    concurrency: Concurrency = 64,
    prompts: PromptsIn = None,
    votes: Votes = 1,
    repeats: Repeats = 1,
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    max_cost: MaxCost = None,
    prices: Prices = None,
    dry_run: DryRun = False,
    keep: Annotated[
        bool, typer.Option("--keep", "-k", help="Keep the run, for `runs`, `compare`, `trend`.")
    ] = False,
    name: Annotated[
        str, typer.Option("--name", "-n", help="Under which the run is shown and found.")
    ] = "",
    tag: Annotated[
        list[str] | None, typer.Option("--tag", "-t", help="Under which it is found as well.")
    ] = None,
    store: Store = str(DEFAULT_STORE),
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Score answers; write a row a question, with scores, statuses and reasons.

    Results are written as they come. Run it again after an interruption: what is scored already
    is not judged again.
    """
    screen = Screen(quiet=quiet, as_json=as_json)
    kept = _run_file(answers, out)
    writable(out)
    from llamaindex_rag_eval.cli.sources import name_of, read_answers_or_run
    from llamaindex_rag_eval.metrics.registry import DEFAULT_METRICS
    from llamaindex_rag_eval.report.tables import run_table
    from llamaindex_rag_eval.runs.evaluate import estimate, evaluate

    samples = read_answers_or_run(answers).samples
    spending = Spending(max_calls, max_tokens, max_cost, prices, votes, concurrency)
    judges = judges_of(judge_from(llm, cache, spending, prompts=prompts), repeats, votes=votes)
    wanted = named_metrics(metrics) or DEFAULT_METRICS
    if dry_run:
        _show_cost(screen, estimate(samples, metrics=wanted, judge=judges[0]), repeats)
        return
    shown = name or name_of(answers)
    scored = partial(evaluate, samples, metrics=wanted, concurrency=concurrency, name=shown)
    runs = _judgings(screen, scored, judges, kept)
    run = runs[0]
    if out != kept:
        run.to_csv(out)
    if keep or tag:
        screen.note(_keep(run, tags=tag or (), store=store))
    screen.data({"scores": str(out), "run": str(kept), **summary_data(run), **noise_data(runs)})
    screen.show(run_table(run))
    show_noise(screen, runs)
    screen.show(f"Scores in {out}. Next: rag-eval report {kept} -o report.html")
    leave_if_failed(screen, *runs)


def _show_cost(screen: Screen, usage: "Usage", repeats: int) -> None:
    screen.data({**usage.as_json(), "repeats": repeats})
    if repeats > 1:
        screen.show(f"Each of {repeats} judgings:")
    screen.show(*usage_lines(usage))


def _judgings(
    screen: Screen, scored: "Callable[..., Run]", judges: "Sequence[Judge | None]", kept: Path
) -> "list[Run]":
    """Return a run for each judge, each kept in a file of its own."""
    runs = []
    for number, judge in enumerate(judges, start=1):
        file = writable(judging_file(kept, number))
        with screen.progress("scoring" if len(judges) == 1 else f"judging {number}") as report:
            runs.append(scored(judge=judge, out=file, progress=report))
    return runs


def _keep(run: "Run", *, tags: Iterable[str], store: str) -> str:
    """Keep a run, and return what to say of it."""
    from llamaindex_rag_eval.runs.store.run_store import RunStore

    found = RunStore(store).add(run, tags=tags)
    return f"kept {found.name!r} as {found.id}"


def leave_if_failed(screen: Screen, *runs: "Run") -> None:
    """Say what failed in these runs, and leave with the exit code for it."""
    from llamaindex_rag_eval.report.tables import why_without_score

    reasons = [reason for run in runs for reason in why_without_score(run)]
    for reason in reasons:
        screen.note(reason)
    if reasons:
        raise typer.Exit(Exit.PARTLY)


def summary_data(run: "Run") -> "dict[str, JsonValue]":
    """Return a run's means as plain data."""
    return {
        "name": run.name,
        "questions": len(run),
        "metrics": [
            {name: value for name, value in summary.as_json().items() if name != "missing"}
            for summary in run.summary()
        ],
        "notes": list(run.provenance.notes),
    }


def _run_file(answers: Path, out: Path) -> Path:
    """Return where the whole run is kept."""
    if out.suffix not in (".csv", ".jsonl"):
        raise InputError(f"--out {str(out)!r}: expected a .csv or .jsonl file")
    kept = out.with_suffix(".jsonl")
    if answers.resolve() in (kept.resolve(), out.resolve()):
        raise InputError(f"--out {str(out)!r} would overwrite the answers; expected another name")
    return kept
