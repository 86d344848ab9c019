"""`rag-eval run`: a query engine answers a golden set."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.endpoint import engine_named
from llamaindex_rag_eval.cli.errors import Exit
from llamaindex_rag_eval.cli.inputs import engine_over, questions_in
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.cli.user import user_named
from llamaindex_rag_eval.errors import InputError

if TYPE_CHECKING:
    from llamaindex_rag_eval.data.dataset import EvaluationDataset
    from llamaindex_rag_eval.engines.defaults import RetrieverKind
    from llamaindex_rag_eval.engines.engine import Engine

__all__ = ["run_command"]


def run_command(
    golden: options.Questions,
    engine: options.Engine = None,
    docs: options.EngineDocs = None,
    retriever: options.Retriever = "bm25",
    top_k: options.TopK = 5,
    reply_map: options.ReplyMap = None,
    body: options.RequestBody = None,
    header: options.RequestHeaders = None,
    out: options.AnswersOut = Path("answers.jsonl"),
    concurrency: options.Concurrency = 8,
    timeout: options.Timeout = None,
    retries: options.Retries = 2,
    repeats: options.AnswerRepeats = 1,
    on: options.AskOn = None,
    workers: options.AskWorkers = None,
    user: options.User = None,
    turns: options.Turns = 6,
    max_calls: options.MaxCalls = None,
    max_cost: options.MaxCost = None,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Ask a query engine every question; store answers, contexts, node ids, places and times.

    Answers are written as they come. Run it again after an interruption: what the file contains
    is not asked again, what failed is.
    """
    if workers is not None and on is None:
        raise InputError("--workers needs --on: one process asks many questions at a time")
    if (engine is None) == (docs is None):
        raise InputError("expected either --engine MODULE:ATTRIBUTE or --docs FOLDER")
    service = (reply_map, body, header, timeout)
    simulated = user_named(user, turns, (max_calls, max_cost))
    from llamaindex_rag_eval.engines.runner import run

    printer = Printer(quiet=quiet, as_json=as_json)
    questions = questions_in(golden)
    if out.resolve() == golden.resolve():
        raise InputError(f"--out {str(out)!r} is the golden set itself; expected another file")
    writable(out)
    make = partial(_engine, engine, service, docs and docs.absolute(), retriever, top_k)
    with printer.progress("answering") as progress:
        answers = run(
            make() if on is None else make,
            questions,
            concurrency=concurrency,
            timeout=timeout,
            retries=retries,
            repeats=repeats,
            out=out,
            progress=progress,
            on=on,
            workers=workers,
            user=simulated,
        )
    _print_answers(answers, out, printer)


def _print_answers(answers: "EvaluationDataset", out: Path, printer: Printer) -> None:
    """Print what the answers took and where they are; exit if questions failed."""
    from llamaindex_rag_eval.runs.resources import resources_of

    errors = [answer.error for answer in answers if answer.error]
    taken = resources_of(answers)
    printer.data(
        {
            "answers": str(out),
            "questions": len(answers),
            "failed": len(errors),
            "resources": [one.as_json() for one in taken],
        }
    )
    printer.show(*(one.sentence for one in taken))
    printer.show(f"{len(answers)} answers in {out}. Next: rag-eval evaluate {out}")
    if errors:
        printer.note(
            f"{len(errors)} of {len(answers)} questions failed, the first with: {errors[0]}"
        )
        raise typer.Exit(Exit.PARTLY)


def _engine(
    engine: str | None,
    service: "tuple[str | None, str | None, Sequence[str] | None, float | None]",
    docs: Path | None,
    retriever: "RetrieverKind",
    top_k: int,
) -> "Engine":
    """Return the engine that is named, or the default one over documents."""
    if engine is not None:
        return engine_named(engine, *service)
    from testset import Corpus, exact_nodes

    documents = Corpus.of(docs or Path()).llama_documents()
    return engine_over(exact_nodes(documents), retriever, top_k=top_k)
