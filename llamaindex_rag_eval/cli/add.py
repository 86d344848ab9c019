"""`rag-eval add`: samples from production logs become questions of a golden set."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.console import Printer

NewGolden = Annotated[Path, Argument(help="The golden set; created if it does not exist.")]
Logs = Annotated[list[Path], Argument(help="Samples: .jsonl, .csv or .json files.")]
LogSource = Annotated[
    str, Option("--source", help="Where the questions come from; stored with each.")
]
Referenced = Annotated[
    bool, Option("--referenced", help="Leave out samples without a reference answer.")
]


def add_command(
    golden: NewGolden,
    logs: Logs,
    source: LogSource = "production",
    referenced: Referenced = False,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Add questions from logs to a golden set; a question that is in it already is left out.

    The answers that were given in production are not taken as reference answers.
    """
    from llamaindex_rag_eval.data.dataset import EvaluationDataset
    from testset import GoldenSet
    from testset.golden.additions import with_samples

    printer = Printer(quiet=quiet, as_json=as_json)
    before = GoldenSet.read(golden) if golden.exists() else GoldenSet(())
    samples = [sample for path in logs for sample in EvaluationDataset.read(path)]
    after = with_samples(before, samples, source=source, referenced=referenced)
    added = after.items[len(before) :]
    if added:
        after.write(golden)
    left_out = len(samples) - len(added)
    bare = sum(not item.reference for item in added)
    printer.show(f"{len(added)} questions added to {str(golden)!r}, {left_out} left out.")
    if bare:
        printer.show(f"{bare} of them have no reference answer yet: write it in 'reference'.")
    printer.data({"added": len(added), "left_out": left_out, "without_reference": bare})
