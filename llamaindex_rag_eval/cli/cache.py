"""`rag-eval more cache`: what a cache of judgements contains."""

import json
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.errors import Exit
from llamaindex_rag_eval.cli.options import Out
from llamaindex_rag_eval.data.plain_text import json_safe
from llamaindex_rag_eval.errors import DatasetError

Cache = Annotated[str, Parameter(help="The file or URL given as --cache, as 'replies.db'.")]

cache_app = App(
    name="cache",
    help="Look into, clear, or export a cache of judgements.\n\n"
    "The same file or URL as `--cache` elsewhere; a team may share a PostgreSQL one.",
)


@cache_app.command
def stats(cache: Cache, /) -> None:
    """Count the stored replies, by kind of judgement."""
    counts = _store(cache).count()
    total = sum(counts.values())
    printer.data({"replies": total, "by_request": dict(counts)})
    printer.show(*(f"{kind}: {count:,}" for kind, count in sorted(counts.items())))
    printer.show(f"{total:,} replies in {cache}")


@cache_app.command
def clear(cache: Cache, /, *, yes: Annotated[bool, Parameter(alias="-y")] = False) -> None:
    """Delete all replies; they would have to be paid for again.

    Args:
        yes: Do not ask.
    """
    store = _store(cache)
    count = sum(store.count().values())
    if not (yes or input(f"Delete {count:,} replies? [y/N]: ").lower() in ("y", "yes")):
        raise SystemExit(Exit.PARTLY)
    store.clear()
    printer.show(f"{count:,} replies deleted")


@cache_app.command
def export(cache: Cache, /, *, out: Out) -> None:
    """Write every reply as JSON Lines: key, kind of judgement, who answered, the reply.

    Args:
        out: A JSON Lines file.
    """
    rows = list(_store(cache).rows())
    library.write_whole(
        out, (json_safe(json.dumps(row, ensure_ascii=False)) + "\n" for row in rows)
    )
    printer.show(f"{len(rows):,} replies in {out}")


def _store(where: str) -> "rag.Store":
    if "://" not in where and not Path(where).exists():
        raise DatasetError("there is no such cache", file=where)
    return rag.Store(where)
