"""`rag-eval generate`: documents in, a golden set out."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from llamaindex_rag_eval.cli.exits import Exit
from llamaindex_rag_eval.cli.judging import judge_from
from llamaindex_rag_eval.cli.options import AsJson, Cache, Llm, Quiet, named_metrics
from llamaindex_rag_eval.cli.outputs import writable
from llamaindex_rag_eval.cli.screen import Screen

if TYPE_CHECKING:
    from llamaindex_rag_eval.judge import Judge
    from testset import GoldenSet
    from testset.documents import Documents

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
    card: Annotated[
        Path | None, typer.Option("--card", help="Also write a data card, Markdown.")
    ] = None,
    llm: Llm = None,
    cache: Cache = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Write questions, right answers and exact evidence from documents.

    A generation that was interrupted goes on where it stopped: decisions are kept in a journal
    beside the golden set until it is whole.
    """
    from testset import data_card

    screen = Screen(quiet=quiet, as_json=as_json)
    writable(out)
    if card is not None:
        writable(card)
    golden = generated(
        docs,
        out,
        size=size,
        seed=seed,
        types=named_metrics(types),
        language=language,
        judge=judge_from(llm, cache),
        screen=screen,
    )
    if card is not None:
        card.write_text(data_card(golden), encoding="utf-8")
    screen.data(
        {
            "golden": str(out),
            "items": len(golden),
            "size": size,
            "skipped": [list(entry) for entry in golden.skipped],
        }
    )
    screen.show(f"{len(golden)} questions in {out}. Next: rag-eval run {out} --docs {docs}")
    if len(golden) < size:
        raise typer.Exit(Exit.PARTLY)


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
    from testset import generate

    journal = out.with_name(f"{out.name}.journal")
    with screen.progress("writing questions") as report:
        golden = generate(
            docs,
            size=size,
            seed=seed,
            types=types or None,  # type: ignore[arg-type]  # names from the user are checked there
            language=language,
            judge=judge,
            journal=journal,
            progress=lambda stage, done, total: report(done, total) if stage == "write" else None,
        )
    golden.write(out)
    journal.unlink(missing_ok=True)
    for path, reason in golden.skipped:
        screen.note(f"left out {path}: {reason}")
    if len(golden) < size:
        screen.note(f"{len(golden)} of {size} questions could be written:")
        for cell in golden.shortfall:
            screen.note(f"  {cell.topic}, {cell.type}: {cell.got} of {cell.wanted}: {cell.reason}")
    return golden
