"""CSV: several runs in one table, a row for each sample of each run."""

from collections.abc import Sequence
from pathlib import Path

from llamaindex_rag_eval.data.files import escape_formula, write_whole
from llamaindex_rag_eval.runs.run import Run

__all__ = ["write_csv"]


def write_csv(runs: Sequence[Run], path: str | Path) -> Path:
    """Write the samples and scores of runs, the run's name first, safe to open in a spreadsheet.

    Raises:
        OutputError: The file cannot be written.
    """
    import pandas as pd

    frames = [run.to_pandas() for run in runs]
    for run, frame in zip(runs, frames, strict=True):
        frame.insert(0, "run", run.name)
    table = pd.concat(frames, ignore_index=True)
    texts = table.select_dtypes(exclude="number").columns
    table[texts] = table[texts].map(
        lambda cell: escape_formula(cell) if isinstance(cell, str) else cell
    )
    return write_whole(path, [table.to_csv(index=False)])
