"""`rag-eval add`: samples from production logs become questions of a golden set."""

import unicodedata
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from llamaindex_rag_eval.cli.options import AsJson, Quiet
from llamaindex_rag_eval.cli.screen import Screen

if TYPE_CHECKING:
    from llamaindex_rag_eval.data.sample import SingleTurnSample
    from testset.golden.item import GoldenItem

__all__ = ["add_command"]

SOURCE = "source"
"""Where an item's `created.models` says that no model wrote it."""


def add_command(
    golden: Annotated[Path, typer.Argument(help="The golden set; it is made if it is not there.")],
    logs: Annotated[list[Path], typer.Argument(help="Samples: .jsonl, .csv or .json files.")],
    source: Annotated[
        str, typer.Option("--source", help="Where the questions come from, kept with each.")
    ] = "production",
    referenced: Annotated[
        bool, typer.Option("--referenced", help="Leave out samples without a right answer.")
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Add questions from logs to a golden set; a question that is in it already is passed over.

    The answers that were given in production are not taken for right ones.
    """
    from llamaindex_rag_eval.data.dataset import EvaluationDataset
    from testset.golden.golden_set import GoldenSet

    screen = Screen(quiet=quiet, as_json=as_json)
    items = list(GoldenSet.read(golden).items) if golden.exists() else []
    before = len(items)
    known = {_plain(item.question) for item in items}
    samples = [sample for path in logs for sample in EvaluationDataset.read(path)]
    for sample in _usable(samples, referenced=referenced):
        if _plain(sample.query) not in known:
            known.add(_plain(sample.query))
            items.append(_item(sample, source))
    added = len(items) - before
    if added:
        GoldenSet(tuple(items), size=len(items)).write(golden)
    bare = sum(not item.reference for item in items[before:])
    screen.show(f"{added} questions added to {str(golden)!r}, {len(samples) - added} left out.")
    if bare:
        screen.show(f"{bare} of them have no right answer yet: write it in 'reference'.")
    screen.data({"added": added, "left_out": len(samples) - added, "without_reference": bare})


def _usable(samples: Iterable[object], *, referenced: bool) -> "Iterable[SingleTurnSample]":
    """Go through samples that ask something; of conversations, single turns cannot be made."""
    from llamaindex_rag_eval.data.sample import SingleTurnSample

    for sample in samples:
        if not isinstance(sample, SingleTurnSample) or not sample.query.strip():
            continue
        if sample.reference.strip() or not referenced:
            yield sample


def _item(sample: "SingleTurnSample", source: str) -> "GoldenItem":
    from testset.golden.item import Axes, Created, GoldenItem, item_id

    language = sample.metadata.get("language", "")
    topic = sample.metadata.get("topic", "")
    return GoldenItem(
        id=item_id(sample.query, sample.reference, "single_hop", ()),
        question=sample.query,
        reference=sample.reference,
        expected_behaviour=sample.expected_behaviour,
        axes=Axes(language=language if isinstance(language, str) else ""),
        topic=topic if isinstance(topic, str) else "",
        created=Created(models={SOURCE: source}, version=_version()),
    )


def _plain(question: str) -> str:
    """Return a question without what does not make it another one: case, width, blanks."""
    return " ".join(unicodedata.normalize("NFKC", question).casefold().split())


def _version() -> str:
    try:
        return version("llamaindex-rag-eval")
    except PackageNotFoundError:  # run from a source tree that was not installed
        return ""
