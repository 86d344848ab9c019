"""`rag-eval golden add`: samples from production logs become questions of a golden set."""

from pathlib import Path

import llamaindex_rag_eval as rag
import testset
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.console import printer


def add_command(
    golden: Path,
    logs: list[Path],
    /,
    *,
    source: str = "production",
    referenced: bool = False,
) -> None:
    """Add questions from logs to a golden set.

    A question that is in it already is left out. The answers that were given in production are
    not taken as reference answers.

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
    bare = sum(not item.reference for item in added)
    printer.show(f"{len(added)} questions added to {str(golden)!r}, {left_out} left out.")
    if bare:
        printer.show(f"{bare} of them have no reference answer yet: write it in 'reference'.")
    printer.data({"added": len(added), "left_out": left_out, "without_reference": bare})
