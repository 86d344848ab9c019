"""`rag-eval golden refresh`: a golden set after its documents changed."""

from functools import partial
from pathlib import Path

import testset
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.batch import Batch
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.errors import Exit
from llamaindex_rag_eval.cli.judging import Checking
from llamaindex_rag_eval.cli.options import Encoding, OptionalOut, Retriever
from llamaindex_rag_eval.cli.paths import writable

SHOWN = 20
"""Items and documents printed one by one; the rest are counted. `--json` has all."""


def refresh_command(
    golden: Path,
    docs: Path,
    /,
    *,
    encoding: Encoding = None,
    out: OptionalOut = None,
    checking: Checking = Checking(),
    retriever: Retriever = None,
    batch: Batch = Batch(),
) -> None:
    """Refresh a golden set after its documents changed.

    With --llm, that model checks what changed; without it, rules do. Gold spans that moved are
    located again; where their sentence changed, every check of the evidence is made again, and the
    item is marked stale if the documents no longer support its answer, or deny it. Items whose
    documents are gone leave the set for a file `.retired.jsonl` beside it. Exit code 1 says that
    items are stale or gone.

    Args:
        golden: The golden set.
        docs: The documents as they are now.
        out: Write here; by default the golden set is replaced.
        retriever: Your retriever or query engine over these documents, a function that returns one,
            or the URL of a service that replies with contexts: what it finds is checked, too.
    """
    target = writable(out or golden)
    rounds = batch.rounds(checking)
    judge = rounds.judge()
    deployed = None if retriever is None else library.retriever_at(retriever)
    corpus = testset.Corpus.of(docs, encoding=encoding)
    work = partial(
        testset.refresh, testset.GoldenSet.read(golden), corpus, judge=judge, retriever=deployed
    )
    refreshed = rounds.finished(work)
    refreshed.write(target)
    printer.data({"golden": str(target), **refreshed.as_json()})
    _print_changes(refreshed)
    printer.show(f"{len(refreshed.golden)} questions in {target}.")
    if refreshed.counts["stale"] or refreshed.counts["retired"]:
        raise SystemExit(Exit.PARTLY)


def _print_changes(refreshed: "testset.Refreshed") -> None:
    printer.show(", ".join(f"{count} {name}" for name, count in refreshed.counts.items()))
    changed = [entry for entry in refreshed.verdicts if entry.outcome != "kept"]
    for entry in changed[:SHOWN]:
        printer.show(f"  {entry.outcome} {entry.item_id}: {entry.reason}")
    if len(changed) > SHOWN:
        printer.show(f"  and {len(changed) - SHOWN} more")
    if refreshed.unasked:
        rest = len(refreshed.unasked) - SHOWN
        more = f" and {rest} more" if rest > 0 else ""
        printer.show(f"no question yet about: {', '.join(refreshed.unasked[:SHOWN])}{more}")
