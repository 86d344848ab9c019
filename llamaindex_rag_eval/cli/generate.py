"""`rag-eval generate`: documents in, a golden set out."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from llamaindex_rag_eval.cli.exits import Exit
from llamaindex_rag_eval.cli.judging import (
    DryRun,
    MaxCalls,
    MaxCost,
    MaxTokens,
    Spending,
    judge_from,
)
from llamaindex_rag_eval.cli.options import AsJson, Cache, Llm, Quiet, named_metrics
from llamaindex_rag_eval.cli.outputs import writable
from llamaindex_rag_eval.cli.screen import Screen
from llamaindex_rag_eval.cli.spending import estimated
from llamaindex_rag_eval.errors import InputError

if TYPE_CHECKING:
    from llamaindex_rag_eval.judge import Judge
    from testset import Corpus, Documents, GoldenSet

__all__ = ["generate_command", "generated"]


def generate_command(
    docs: Annotated[Path, typer.Argument(help="A folder of documents, or one document.")],
    out: Annotated[
        Path, typer.Option("--out", "-o", help="The golden set to write, JSON Lines.")
    ] = Path("golden.jsonl"),
    size: Annotated[int, typer.Option("--size", "-n", min=1, help="How many questions.")] = 50,
    seed: Annotated[int, typer.Option("--seed", help="Same seed, same golden set.")] = 7,
    types: Annotated[
        str | None,
        typer.Option("--types", help="Question types, as 'single_hop,table'.", show_default=False),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option("--language", help="Ask in this language only, as 'en'.", show_default=False),
    ] = None,
    personas: Annotated[
        Path | None,
        typer.Option("--personas", help="A file of people who ask, one a line (with --llm)."),
    ] = None,
    style: Annotated[
        str | None,
        typer.Option(
            "--style",
            help="plain, web_search, misspelt, formal, chat; several by commas (with --llm).",
        ),
    ] = None,
    seed_examples: Annotated[
        Path | None,
        typer.Option(
            "--seed-examples", help="A file of questions you like, one a line (with --llm)."
        ),
    ] = None,
    dry_run: DryRun = False,
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    max_cost: MaxCost = None,
    card: Annotated[
        Path | None, typer.Option("--card", help="Also write a data card, Markdown.")
    ] = None,
    journal: Annotated[
        Path | None,
        typer.Option("--journal", help="Where decisions are kept; by default beside the output."),
    ] = None,
    llm: Llm = None,
    cache: Cache = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Write questions, right answers and exact evidence from documents.

    With --llm, that model writes and verifies; without it, rules write plain questions.

    A generation that was interrupted goes on where it stopped: replies and decisions are kept in
    a journal beside the golden set until it is whole.
    """
    screen = Screen(quiet=quiet, as_json=as_json)
    if llm is None and (personas or style or seed_examples):
        raise InputError("--personas, --style and --seed-examples need --llm: rules ask plainly")
    judge = judge_from(llm, cache, Spending(max_calls, max_tokens, max_cost))
    wishes: dict[str, object] = {
        "size": size,
        "seed": seed,
        "types": named_metrics(types) or None,
        "language": language,
        "personas": None if personas is None else _lines(personas),
        "styles": named_metrics(style) or None,
        "examples": () if seed_examples is None else _lines(seed_examples),
    }
    corpus = _read(docs, wishes)
    if dry_run:
        estimated(corpus, wishes, judge=judge, screen=screen)
        return
    for path in (out, card):
        if path is not None:
            writable(path)
    golden = _written(corpus, out, wishes, judge=judge, journal=journal, screen=screen)
    if card is not None:
        _write_card(golden, card)
    _tell(golden, docs, out, screen)
    if len(golden) < size:
        raise typer.Exit(Exit.PARTLY)


def _read(docs: Path, wishes: dict[str, object]) -> "Corpus":
    """Return the documents; what is wrong with the wishes is said before anything is done."""
    from testset import Corpus
    from testset.generation.config import GenerationConfig

    GenerationConfig(**wishes)  # type: ignore[arg-type]  # refuses what cannot be wished for
    return Corpus.of(docs)


def _write_card(golden: "GoldenSet", card: Path) -> None:
    from testset import data_card

    card.write_text(data_card(golden), encoding="utf-8")


def _tell(golden: "GoldenSet", docs: Path, out: Path, screen: Screen) -> None:
    screen.data(
        {
            "golden": str(out),
            "items": len(golden),
            "size": golden.size,
            "skipped": [list(entry) for entry in golden.skipped],
        }
    )
    after = f" Next: rag-eval run {out} --docs {docs}" if len(golden) else ""
    screen.show(f"{len(golden)} questions in {out}.{after}")


def generated(
    docs: "Documents",
    out: Path,
    *,
    size: int,
    seed: int = 7,
    types: tuple[str, ...] = (),
    language: str | None = None,
    judge: "Judge | None" = None,
    screen: Screen,
) -> "GoldenSet":
    """Write a golden set, and say what was left out and what could not be filled."""
    wishes: dict[str, object] = {
        "size": size,
        "seed": seed,
        "types": types or None,
        "language": language,
    }
    return _written(docs, out, wishes, judge=judge, journal=None, screen=screen)


def _written(
    docs: "Documents",
    out: Path,
    wishes: dict[str, object],
    *,
    judge: "Judge | None",
    journal: Path | None,
    screen: Screen,
) -> "GoldenSet":
    from testset import generate
    from testset.golden.golden_set import write_report

    kept = journal or out.with_name(f"{out.name}.journal")
    with screen.progress("writing questions") as report:
        golden = generate(
            docs,
            **wishes,  # type: ignore[arg-type]  # names from the user are checked there
            judge=judge,
            journal=kept,
            progress=lambda stage, done, total: report(done, total) if stage == "write" else None,
        )
    golden.write(out)
    write_report(golden, out)
    stopped = golden.facts.get("stopped", "")
    if journal is None and not stopped:
        kept.unlink(missing_ok=True)
    for path, reason in golden.skipped:
        screen.note(f"left out {path}: {reason}")
    if stopped:
        screen.note(f"stopped: {stopped}; run it again to go on from {kept}")
    if len(golden) < golden.size:
        screen.note(f"{len(golden)} of {golden.size} questions could be written:")
        for cell in golden.shortfall:
            screen.note(f"  {cell.topic}, {cell.type}: {cell.got} of {cell.wanted}: {cell.reason}")
    return golden


def _lines(path: Path) -> Sequence[str]:
    """Return the lines of a file that say something."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{str(path)!r} cannot be read: {error}") from error
    found = tuple(line.strip() for line in lines if line.strip())
    if not found:
        raise InputError(f"{str(path)!r} holds no line; expected at least one")
    return found
