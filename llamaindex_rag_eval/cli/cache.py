"""`rag-eval cache`: what the store of judgements holds."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from llamaindex_rag_eval.cli.complaints import plain_errors
from llamaindex_rag_eval.cli.options import AsJson, Quiet
from llamaindex_rag_eval.cli.screen import Screen
from llamaindex_rag_eval.errors import DatasetError

if TYPE_CHECKING:
    from llamaindex_rag_eval.models import Store

__all__ = ["cache_app"]

cache_app = typer.Typer(
    name="cache",
    no_args_is_help=True,
    help="Look into, clear, or export a cache of judgements.\n\n"
    "The same file or URL as `--cache` elsewhere; a team may share a PostgreSQL one.",
)

Where = Annotated[
    str, typer.Argument(help="The file or URL given as --cache, as 'replies.db'.", metavar="CACHE")
]


@cache_app.command("stats")
@plain_errors
def stats(where: Where, quiet: Quiet = False, as_json: AsJson = False) -> None:
    """Say how many replies are kept, by kind of judgement."""
    counts = _store(where).count()
    screen = Screen(quiet=quiet, as_json=as_json)
    screen.data({"replies": sum(counts.values()), "by_request": dict(counts)})
    screen.show(*(f"{kind}: {count:,}" for kind, count in sorted(counts.items())))
    screen.show(f"{sum(counts.values()):,} replies in {where}")


@cache_app.command("clear")
@plain_errors
def clear(
    where: Where,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    quiet: Quiet = False,
) -> None:
    """Forget all replies; they would have to be paid for again."""
    store = _store(where)
    count = sum(store.count().values())
    if not yes:
        typer.confirm(f"Forget {count:,} replies?", abort=True)
    store.clear()
    Screen(quiet=quiet).show(f"{count:,} replies forgotten")


@cache_app.command("export")
@plain_errors
def export(
    where: Where,
    out: Annotated[Path, typer.Option("--out", "-o", help="A JSON Lines file.")],
    quiet: Quiet = False,
) -> None:
    """Write every reply as JSON Lines: key, kind of judgement, who answered, the reply."""
    from llamaindex_rag_eval.data.files import write_whole

    rows = list(_store(where).rows())
    write_whole(out, (json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    Screen(quiet=quiet).show(f"{len(rows):,} replies in {out}")


def _store(where: str) -> "Store":
    from llamaindex_rag_eval.models import Store

    if "://" not in where and not Path(where).exists():
        raise DatasetError("there is no such cache", file=where)
    return Store(where)
