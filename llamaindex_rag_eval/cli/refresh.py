"""`rag-eval refresh`: a golden set after its documents changed."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import JsonValue

from llamaindex_rag_eval.cli.exits import Exit
from llamaindex_rag_eval.cli.judging import judge_from
from llamaindex_rag_eval.cli.options import AsJson, Cache, Llm, Quiet
from llamaindex_rag_eval.cli.outputs import writable
from llamaindex_rag_eval.cli.screen import Screen

if TYPE_CHECKING:
    from testset.golden.refresh import Refreshed

__all__ = ["refresh_command"]

SHOWN = 20
"""Items and documents named one by one; the rest are counted. `--json` names all."""


def refresh_command(
    golden: Annotated[Path, typer.Argument(help="The golden set.")],
    docs: Annotated[Path, typer.Argument(help="The documents as they are now.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Write here; by default the golden set is replaced."),
    ] = None,
    llm: Llm = None,
    cache: Cache = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Fit a golden set to documents that changed.

    Evidence that moved is found again; where its text changed, the item is checked again, and
    marked stale if the documents no longer carry its answer. Items whose documents are gone leave
    the set for a file `.retired.jsonl` beside it. Exit code 1 says that items are stale or gone.
    """
    from testset.golden.golden_set import GoldenSet
    from testset.golden.refresh import refresh

    screen = Screen(quiet=quiet, as_json=as_json)
    target = writable(out or golden)
    found = refresh(GoldenSet.read(golden), docs, judge=judge_from(llm, cache))
    if found.retired:
        beside = target.with_name(f"{target.stem}.retired.jsonl")
        before = GoldenSet.read(beside).items if beside.exists() else ()
        GoldenSet((*before, *found.retired)).write(beside)
    found.golden.write(target)
    _tell(found, target, screen)
    if found.counts["stale"] or found.counts["retired"]:
        raise typer.Exit(Exit.PARTLY)


def _tell(found: "Refreshed", target: Path, screen: Screen) -> None:
    counts = {str(name): count for name, count in found.counts.items()}
    verdicts: list[JsonValue] = [
        {"id": entry.item_id, "outcome": entry.outcome, "reason": entry.reason}
        for entry in found.verdicts
    ]
    unasked = list(found.unasked)
    screen.data(
        {"golden": str(target), "counts": {**counts}, "items": verdicts, "unasked": [*unasked]}
    )
    screen.show(", ".join(f"{count} {name}" for name, count in counts.items()))
    told = [entry for entry in found.verdicts if entry.outcome != "kept"]
    for entry in told[:SHOWN]:
        screen.show(f"  {entry.outcome} {entry.item_id}: {entry.reason}")
    if len(told) > SHOWN:
        screen.show(f"  and {len(told) - SHOWN} more")
    if unasked:
        more = f" and {len(unasked) - SHOWN} more" if len(unasked) > SHOWN else ""
        screen.show(f"no question yet about: {', '.join(unasked[:SHOWN])}{more}")
    screen.show(f"{len(found.golden)} questions in {target}.")
