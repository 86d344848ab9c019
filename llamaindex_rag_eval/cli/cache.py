"""`rag-eval cache`: what a cache of judgements contains."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.errors import with_exit_codes
from llamaindex_rag_eval.data.plain_text import json_safe
from llamaindex_rag_eval.errors import DatasetError

if TYPE_CHECKING:
    from llamaindex_rag_eval.models import Store

CachePlace = Annotated[
    str, Argument(help="The file or URL given as --cache, as 'replies.db'.", metavar="CACHE")
]
CacheOut = Annotated[Path, Option("--out", "-o", help="A JSON Lines file.")]
Yes = Annotated[bool, Option("--yes", "-y", help="Do not ask.")]

cache_app = typer.Typer(
    name="cache",
    no_args_is_help=True,
    help="Look into, clear, or export a cache of judgements.\n\n"
    "The same file or URL as `--cache` elsewhere; a team may share a PostgreSQL one.",
)


@cache_app.command("stats")
@with_exit_codes
def stats(where: CachePlace, quiet: options.Quiet = False, as_json: options.AsJson = False) -> None:
    """Count the stored replies, by kind of judgement."""
    counts = _store(where).count()
    total = sum(counts.values())
    printer = Printer(quiet=quiet, as_json=as_json)
    printer.data({"replies": total, "by_request": dict(counts)})
    printer.show(*(f"{kind}: {count:,}" for kind, count in sorted(counts.items())))
    printer.show(f"{total:,} replies in {where}")


@cache_app.command("clear")
@with_exit_codes
def clear(where: CachePlace, yes: Yes = False, quiet: options.Quiet = False) -> None:
    """Delete all replies; they would have to be paid for again."""
    store = _store(where)
    count = sum(store.count().values())
    if not yes:
        typer.confirm(f"Delete {count:,} replies?", abort=True)
    store.clear()
    Printer(quiet=quiet).show(f"{count:,} replies deleted")


@cache_app.command("export")
@with_exit_codes
def export(where: CachePlace, out: CacheOut, quiet: options.Quiet = False) -> None:
    """Write every reply as JSON Lines: key, kind of judgement, who answered, the reply."""
    from llamaindex_rag_eval.data.files import write_whole

    rows = list(_store(where).rows())
    write_whole(out, (json_safe(json.dumps(row, ensure_ascii=False)) + "\n" for row in rows))
    Printer(quiet=quiet).show(f"{len(rows):,} replies in {out}")


def _store(where: str) -> "Store":
    from llamaindex_rag_eval.models import Store

    if "://" not in where and not Path(where).exists():
        raise DatasetError("there is no such cache", file=where)
    return Store(where)
