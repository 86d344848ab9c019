"""`rag-eval run`: a query engine answers a golden set."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.endpoint import engine_named
from llamaindex_rag_eval.cli.errors import Exit
from llamaindex_rag_eval.cli.inputs import engine_over, questions_in
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.cli.user import user_named
from llamaindex_rag_eval.engines.defaults import RetrieverKind
from llamaindex_rag_eval.errors import InputError

if TYPE_CHECKING:
    from llamaindex_rag_eval.data.dataset import EvaluationDataset
    from llamaindex_rag_eval.engines.defaults import RetrieverKind
    from llamaindex_rag_eval.engines.engine import Engine

AskOn = Annotated[
    str | None,
    Option(
        "--on",
        metavar="ray[://HOST:PORT]",
        help="Ask on a Ray cluster: each worker makes the engine for itself, on a node that can "
        "import it and sees its --docs.",
    ),
]
AskWorkers = Annotated[
    int | None,
    Option(
        "--workers",
        min=1,
        help="With --on: how many workers; by default one for each core, --concurrency at most.",
    ),
]
EngineDocs = Annotated[
    Path | None,
    Option("--docs", help="Instead of an engine: documents for a default one that needs no model."),
]
Questions = Annotated[Path, Argument(help="A golden set, or any file of questions.")]
ReplyMap = Annotated[
    str | None,
    Option(
        "--map",
        metavar="FIELD=PATH,…",
        help="Where a service's reply has the fields, as JSON paths: "
        "'response=$.answer,contexts=$.sources[*].text,context_ids=$.sources[*].id'; also "
        "context_scores, prompt_tokens, completion_tokens, cost, first_token. Without it, the "
        "names response or answer, contexts, context_ids are looked for.",
    ),
]
RequestBody = Annotated[
    str | None,
    Option(
        "--body",
        metavar="JSON|FILE",
        help="What is posted to a service, with {question} in its place, also {id}, and "
        '"{messages}" for the conversation; by default \'{"question": "{question}"}\'.',
    ),
]
RequestHeaders = Annotated[
    list[str] | None,
    Option(
        "--header",
        metavar="NAME: VALUE",
        help="A header for a service, with keys from the environment only: "
        "'Authorization: Bearer ${MY_KEY}'. Several times for several.",
    ),
]
User = Annotated[
    str | None,
    Option(
        "--user",
        metavar="script|LLM",
        help="Let a simulated user go on after each answer, until the goal is reached: 'script' "
        "says the question's list 'script'; an LLM, as openai:gpt-4o-mini, speaks as its 'persona' "
        "who wants its 'goal'. --max-calls and --max-cost limit the LLM.",
    ),
]
Turns = Annotated[
    int, Option("--turns", min=1, help="Messages of the simulated user in a conversation.")
]
Retriever = Annotated[
    RetrieverKind, Option("--retriever", help="How the default engine retrieves.")
]
TopK = Annotated[int, Option("--top-k", min=1, help="Contexts that the default engine retrieves.")]
Timeout = Annotated[float | None, Option("--timeout", help="Seconds for one question.")]
AnswerRepeats = Annotated[
    int, Option("--repeats", min=1, help="Ask each question so often: how much do answers vary?")
]
Retries = Annotated[
    int, Option("--retries", min=0, help="Tries after a lost connection or rate limit.")
]


def run_command(
    golden: Questions,
    engine: options.Engine = None,
    docs: EngineDocs = None,
    retriever: Retriever = "bm25",
    top_k: TopK = 5,
    reply_map: ReplyMap = None,
    body: RequestBody = None,
    header: RequestHeaders = None,
    out: options.AnswersOut = Path("answers.jsonl"),
    concurrency: options.Concurrency = 8,
    timeout: Timeout = None,
    retries: Retries = 2,
    repeats: AnswerRepeats = 1,
    on: AskOn = None,
    workers: AskWorkers = None,
    user: User = None,
    turns: Turns = 6,
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
