"""`rag-eval run`: a query engine answers a golden set."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from llamaindex_rag_eval.cli.exits import Exit
from llamaindex_rag_eval.cli.options import AsJson, Concurrency, Quiet
from llamaindex_rag_eval.cli.outputs import writable
from llamaindex_rag_eval.cli.screen import Screen
from llamaindex_rag_eval.errors import InputError

if TYPE_CHECKING:
    from llamaindex_rag_eval.data.dataset import EvaluationDataset
    from llamaindex_rag_eval.engines.engine import Engine

__all__ = ["answered", "run_command"]


def run_command(
    golden: Annotated[Path, typer.Argument(help="A golden set, or any file of questions.")],
    engine: Annotated[
        str | None,
        typer.Option(
            "--engine",
            metavar="MODULE:ATTRIBUTE",
            help="Your query engine, retriever or chat engine, or a function that makes one.",
            show_default=False,
        ),
    ] = None,
    docs: Annotated[
        Path | None,
        typer.Option(
            "--docs",
            help="Instead of an engine: documents for a default one that needs no model.",
            show_default=False,
        ),
    ] = None,
    retriever: Annotated[
        Literal["bm25", "embedding"], typer.Option("--retriever", help="Of the default engine.")
    ] = "bm25",
    top_k: Annotated[
        int, typer.Option("--top-k", min=1, help="Contexts that the default engine retrieves.")
    ] = 5,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="The answers to write, JSON Lines.")
    ] = Path("answers.jsonl"),
    concurrency: Concurrency = 8,
    timeout: Annotated[
        float | None,
        typer.Option("--timeout", help="Seconds for one question.", show_default=False),
    ] = None,
    retries: Annotated[
        int, typer.Option("--retries", min=0, help="Tries after a lost connection or rate limit.")
    ] = 2,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Ask a query engine every question; keep answers, contexts, node ids, places and times.

    Answers are written as they come. Run it again after an interruption: what the file holds is
    not asked again, what failed is.
    """
    from llamaindex_rag_eval.cli.sources import read_questions

    if (engine is None) == (docs is None):
        raise InputError("expected either --engine MODULE:ATTRIBUTE or --docs FOLDER")
    screen = Screen(quiet=quiet, as_json=as_json)
    questions = read_questions(golden)
    if out.resolve() == golden.resolve():
        raise InputError(f"--out {str(out)!r} is the golden set itself; expected another file")
    writable(out)
    asked = _engine(engine, docs, retriever, top_k)
    answers = answered(
        asked,
        questions,
        out,
        screen=screen,
        concurrency=concurrency,
        timeout=timeout,
        retries=retries,
    )
    errors = [error for answer in answers if (error := getattr(answer, "error", ""))]
    screen.data({"answers": str(out), "questions": len(answers), "failed": len(errors)})
    screen.show(f"{len(answers)} answers in {out}. Next: rag-eval evaluate {out}")
    if errors:
        screen.note(
            f"{len(errors)} of {len(answers)} questions failed, the first with: {errors[0]}"
        )
        raise typer.Exit(Exit.PARTLY)


def answered(
    engine: "Engine",
    questions: "EvaluationDataset",
    out: Path,
    *,
    screen: Screen,
    what: str = "answering",
    concurrency: int = 8,
    timeout: float | None = None,
    retries: int = 2,
) -> "EvaluationDataset":
    """Ask an engine all questions, with a bar."""
    from llamaindex_rag_eval.engines.runner import run

    with screen.progress(what) as report:
        return run(
            engine,
            questions,
            concurrency=concurrency,
            timeout=timeout,
            retries=retries,
            out=out,
            progress=report,
        )


def _engine(
    engine: str | None, docs: Path | None, retriever: Literal["bm25", "embedding"], top_k: int
) -> "Engine":
    """Return the user's engine, or a default one over documents."""
    if engine is not None:
        from llamaindex_rag_eval.engines.engine import engine_at

        return engine_at(engine)
    from llamaindex_rag_eval.cli.default_engines import chunks_of, default_engine
    from testset import Corpus

    return default_engine(chunks_of(Corpus.of(docs or Path())), retriever, top_k=top_k)
