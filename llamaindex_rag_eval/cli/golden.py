"""`rag-eval golden`: review, describe, extend, merge, refresh and convert golden sets."""

import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

import llamaindex_rag_eval as rag
import testset
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.batch import Batch
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.errors import Exit
from llamaindex_rag_eval.cli.inputs import name_of
from llamaindex_rag_eval.cli.judging import Checking
from llamaindex_rag_eval.cli.options import (
    Encoding,
    GoldenDocuments,
    OptionalOut,
    Out,
    Page,
    Retriever,
)
from llamaindex_rag_eval.cli.paths import writable
from testset.formats import EXPORT_FORMATS, IMPORT_FORMATS

SHOWN = 20
"""Items and documents of a refresh that are printed one by one; `--json` has all."""

TELLING = 10
"""Questions that tell pipelines apart best which a data card names."""

IDS_SHOWN = 10
"""Ids of imported questions that are printed; `--json` has all."""


def review_command(
    golden: Path,
    /,
    *,
    documents: GoldenDocuments = GoldenDocuments(),
    page: Page = Page(),
) -> None:
    """Review a golden set in a browser.

    On this machine alone. Every decision is written to the golden set at once, and to a file
    `.decisions.jsonl` beside it. Several people can review one set: a save on what somebody else
    has decided meanwhile is refused once, and `rag-eval golden card` tells how far two reviewers
    agree. Ctrl-C ends the review; start it again to go on.

    Without --docs, the documents are those of a folder beside the golden set, or in this folder,
    that has all of them by name.

    Args:
        golden: The golden set.
    """
    serve = page.server("review")
    writable(golden)
    if documents.docs is None and (folder := _documents_beside(golden)) is not None:
        printer.note(f"documents: {str(folder)!r}")
        documents = replace(documents, docs=folder)
    corpus = documents.corpus()
    ready = page.ready("Open it in a browser; Ctrl-C ends the review.")
    serve(golden, {} if corpus is None else corpus.texts, ready=ready)


def _documents_beside(golden: Path) -> Path | None:
    """Return the folder beside a golden set, or here, that has all documents of its evidence."""
    names = {name for item in testset.GoldenSet.read(golden) for name in item.doc_ids}
    homes = dict.fromkeys(path.resolve() for path in (golden.parent, Path()))
    folders = [path for home in homes for path in (home, *sorted(home.iterdir())) if path.is_dir()]
    has_all = (path for path in folders if names and all((path / name).is_file() for name in names))
    return next(has_all, None)


def card_command(
    golden: Path,
    /,
    *,
    out: OptionalOut = None,
    run: Annotated[list[Path] | None, Parameter(metavar="RUN")] = None,
    metric: Annotated[str, Parameter(metavar="NAME")] = "",
) -> None:
    """Describe a golden set: its data card.

    It says what the set contains, what reviewers decided, and what it can measure. What is
    known from its generation only (rejected questions, cells not filled, cost) is included if
    the file `.account.json` that `rag-eval generate` wrote is beside it. Runs of different
    pipelines say which questions tell these apart, and how surely the set orders them; --json
    prints that for each question.

    Args:
        golden: The golden set.
        out: Write it here; by default it is printed.
        run: A file that `rag-eval evaluate` wrote; give it for each of 3 pipelines or more.
        metric: By which metric of the runs; by default answer_verdict, or else their first.
    """
    runs = [rag.Run.read(path).named(name_of(path)) for path in run or ()]
    quality = library.set_quality(runs, metric=metric) if runs else None
    agreement = library.agreement_of(library.decisions_in(library.decisions_beside(golden)))
    card = testset.data_card(
        library.with_report(testset.GoldenSet.read(golden), golden),
        agreement="" if agreement is None else str(agreement),
        measured=() if quality is None else quality.sentences,
        telling=() if quality is None else quality.best(TELLING),
    )
    if quality is not None:
        printer.data(quality.as_json())
    if out is None:
        if not printer.as_json:
            sys.stdout.write(card)
        return
    writable(out).write_text(card, encoding="utf-8")
    printer.show(f"Data card in {out}.")


def add_command(
    golden: Path,
    logs: list[Path],
    /,
    *,
    source: str = "production",
    referenced: bool = False,
) -> None:
    """Add questions from logs to a golden set.

    Left out are questions that are in it already, those on which the application failed, and, where
    other answers have contexts, those that were answered without any retrieval, as greetings are.
    The answers that were given in production are not taken as reference answers.

    Args:
        golden: The golden set; created if it does not exist.
        logs: Samples: .jsonl, .csv or .json files.
        source: Where the questions come from; stored with each.
        referenced: Leave out samples without a reference answer.
    """
    before = testset.GoldenSet.read(golden) if golden.exists() else testset.GoldenSet(())
    samples = [sample for path in logs for sample in rag.EvaluationDataset.read(path)]
    after = library.with_samples(before, samples, source=source, referenced=referenced)
    added = after.items[len(before) :]
    if added:
        after.write(golden)
    left_out = len(samples) - len(added)
    printer.show(f"{len(added)} questions added to {str(golden)!r}, {left_out} left out.")
    if left_out:
        printer.show("Left out: known, blank, failed, or answered without retrieval.")
    bare = _without_reference(added)
    printer.data({"added": len(added), "left_out": left_out, "without_reference": bare})


def _without_reference(items: Iterable["testset.GoldenItem"]) -> int:
    """Return how many items lack a reference answer, and say so; a refusal needs none."""
    bare = sum(not item.reference and item.expected_behaviour != "refuse" for item in items)
    if bare:
        printer.show(f"{bare} of them have no reference answer yet: write it in 'reference'.")
    return bare


def merge_command(
    golden: list[Path],
    /,
    *,
    prefer: Literal["first", "last"] | None = None,
    documents: GoldenDocuments = GoldenDocuments(),
    out: Out,
) -> None:
    """Merge golden sets into one.

    What two sets have alike is kept once: as a person has reviewed it, or else as it is in the
    first. Where they ask the same and differ in answer, gold or review, nothing is written until
    you choose with --prefer, and each such question is named. Items keep their ids; what is
    known of the generation of each set goes to the `.account.json` beside the new one, and
    reviewers' decisions stay beside the old ones. A document with questions in both splits
    goes to "dev".

    Args:
        golden: The golden sets; ids of documents are their paths within one folder.
        prefer: Whose item to take where sets ask the same and differ.
        out: The golden set to write.
    """
    writable(out)
    paths = {path.resolve(): path for path in golden}
    names = Counter(path.name for path in paths.values())
    sets = {
        path.name if names[path.name] == 1 else str(path): library.with_report(
            testset.GoldenSet.read(path), path
        )
        for path in paths.values()
    }
    merged = testset.merge_golden(sets, prefer=prefer, corpus=documents.corpus())
    merged.golden.write(out)
    library.write_report(merged.golden, out)
    if len(paths) < len(golden):
        printer.note(f"named twice: {library.counted(len(golden) - len(paths), 'file')}")
    for name, entry in sets.items():
        printer.show(f"{len(entry)} questions in {name}")
    for conflict in merged.conflicts[:SHOWN]:
        printer.show(f"  the {prefer} is taken of {conflict}")
    if len(merged.conflicts) > SHOWN:
        printer.show(f"  and of {len(merged.conflicts) - SHOWN} more (--json has all)")
    printer.data(
        {
            "golden": str(out),
            "items": len(merged.golden),
            "twins": merged.twins,
            "conflicts": [asdict(conflict) for conflict in merged.conflicts],
        }
    )
    printer.show(
        f"{len(merged.golden)} questions in {out}; {merged.twins} were in two sets alike, "
        f"{len(merged.conflicts)} differed."
    )


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


def export_command(
    golden: Path,
    /,
    *,
    to: Annotated[str, Parameter(metavar="FORMAT", help=f"{', '.join(EXPORT_FORMATS)}.")],
    out: Out,
    documents: GoldenDocuments = GoldenDocuments(),
) -> None:
    """Write a golden set in the format of another tool.

    Rejected and stale items are left out, except in our own format.

    Args:
        golden: The golden set.
        out: The file; a folder for autorag, beir and huggingface.
    """
    items = library.with_report(testset.GoldenSet.read(golden), golden)
    files = testset.export_golden(items, out, to=to, corpus=documents.corpus())  # type: ignore[arg-type]  # from the user, checked there
    printer.data({"files": [str(file) for file in files]})
    printer.show(f"{golden} as {to}: {', '.join(map(str, files))}")


def import_command(
    path: Path,
    /,
    *,
    source: Annotated[
        str, Parameter(name="--from", metavar="FORMAT", help=f"{', '.join(IMPORT_FORMATS)}.")
    ],
    out: Out = Path("golden.jsonl"),
    documents: GoldenDocuments = GoldenDocuments(),
) -> None:
    """Read a golden set from the format of another tool.

    Gold spans are places in documents: give the documents if the file holds contexts, unless it
    was exported from here with their places in it. A context that stands in several documents is
    taken from the first, and named. Columns that are not understood are named. With
    documents, items also get the difficulty and the split that they lack.

    A table of your own, csv or jsonl, has a column `question`, and may have `reference` (or
    `ground_truth`, `expected_output`, `answer`) and `reference_contexts`, in any case. A column
    `topic` sorts questions into kinds of your own, by which reports compare; `expected_behaviour`
    is `refuse` where the documents hold no answer.

    Args:
        path: The file; a folder for autorag and beir.
        out: The golden set to write, JSON Lines.
    """
    writable(out)
    corpus = documents.corpus()
    imported = testset.import_golden(path, source=source, corpus=corpus)  # type: ignore[arg-type]  # from the user, checked there
    golden = imported.golden
    if corpus is not None:
        golden = library.with_missing_fields(golden, corpus)
    golden.write(out)
    _print_left_out(imported, golden, located=corpus is not None)
    printer.show(f"{library.counted(len(golden), 'question')} in {out}.")
    printer.data(
        {
            "golden": str(out),
            "items": len(golden),
            "without_reference": _without_reference(golden),
            "unplaced": list(imported.unplaced),
            "repeated": {name: [*holding] for name, holding in imported.repeated.items()},
            "left_out": imported.twins,
            "unknown_columns": list(imported.unknown),
        }
    )


def _print_left_out(
    imported: "testset.Imported", golden: "testset.GoldenSet", *, located: bool
) -> None:
    """Print what of an imported file has no place in the golden set, or in the documents."""
    if located and not any(item.gold for item in golden):
        printer.note(
            "No answer has its place in these documents: give a column `reference_contexts` with "
            "the words that hold it."
        )
    if imported.unplaced:
        count = library.counted(len(imported.unplaced), "question")
        printer.note(
            f"{count} kept without a place, since no document holds their contexts, or not all:"
        )
    for item in [item for item in golden if item.id in imported.unplaced][:IDS_SHOWN]:
        printer.note(f"{item.id}: {item.question}")
    if imported.repeated:
        count = library.counted(len(imported.repeated), "question")
        printer.note(f"{count} with contexts in several documents:")
    for name, holding in [*imported.repeated.items()][:IDS_SHOWN]:
        printer.note(f"{name}: found in {len(holding)} documents, took the first: {holding[0]!r}")
    if imported.unknown:
        printer.note(
            f"Columns without a place in a golden set, left out: {', '.join(imported.unknown)}; "
            "call one `topic`, and reports compare by it"
        )
