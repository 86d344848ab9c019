"""`rag-eval refresh`: a golden set after its documents changed."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.batch import batch_folder, finished
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.errors import Exit
from llamaindex_rag_eval.cli.inputs import judge_from
from llamaindex_rag_eval.cli.paths import writable

if TYPE_CHECKING:
    from testset import Refreshed

ChangedDocs = Annotated[Path, Argument(help="The documents as they are now.")]
RefreshedOut = Annotated[
    Path | None, Option("--out", "-o", help="Write here; by default the golden set is replaced.")
]
CheckedRetriever = Annotated[
    str | None,
    Option(
        "--retriever",
        metavar="MODULE:ATTRIBUTE|URL",
        help="Your retriever or query engine over these documents, a function that returns one, or "
        "the URL of a service that replies with contexts: what it finds is checked, too.",
    ),
]

SHOWN = 20
"""Items and documents printed one by one; the rest are counted. `--json` has all."""


def refresh_command(
    golden: options.Golden,
    docs: ChangedDocs,
    out: RefreshedOut = None,
    llm: options.Llm = None,
    checker: options.Checker = None,
    cache: options.Cache = None,
    retriever: CheckedRetriever = None,
    batch: options.Batch = None,
    batch_submit: options.BatchSubmit = False,
    batch_format: options.BatchFormat = None,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Refresh a golden set after its documents changed.

    Gold spans that moved are found again; where their sentence changed, every check of the
    evidence is made again, and the item is marked stale if the documents no longer support its
    answer, or deny it. Items whose documents are
    gone leave the set for a file `.retired.jsonl` beside it. Exit code 1 says that items are stale
    or gone.
    """
    from llamaindex_rag_eval.engines.retrieval import retriever_at
    from testset import GoldenSet
    from testset.golden.refresh import refresh

    printer = Printer(quiet=quiet, as_json=as_json)
    target = writable(out or golden)
    folder = batch_folder(batch, batch_submit, batch_format, llm)
    judge = judge_from(llm, cache, checker=checker, batch=folder)
    deployed = None if retriever is None else retriever_at(retriever)
    work = partial(refresh, GoldenSet.read(golden), docs, judge=judge, retriever=deployed)
    found = finished(work, folder, llm, batch_submit, printer)
    found.write(target)
    printer.data({"golden": str(target), **found.as_json()})
    _print_changes(found, printer)
    printer.show(f"{len(found.golden)} questions in {target}.")
    if found.counts["stale"] or found.counts["retired"]:
        raise typer.Exit(Exit.PARTLY)


def _print_changes(found: "Refreshed", printer: Printer) -> None:
    printer.show(", ".join(f"{count} {name}" for name, count in found.counts.items()))
    changed = [entry for entry in found.verdicts if entry.outcome != "kept"]
    for entry in changed[:SHOWN]:
        printer.show(f"  {entry.outcome} {entry.item_id}: {entry.reason}")
    if len(changed) > SHOWN:
        printer.show(f"  and {len(changed) - SHOWN} more")
    if found.unasked:
        rest = len(found.unasked) - SHOWN
        more = f" and {rest} more" if rest > 0 else ""
        printer.show(f"no question yet about: {', '.join(found.unasked[:SHOWN])}{more}")
