"""The label sheet: a table in which a person writes labels, and which `read_labels` reads."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from llamaindex_rag_eval.calibration.label_choice import ToLabel
from llamaindex_rag_eval.data.sample import MultiTurnSample, Sample
from llamaindex_rag_eval.data.tables import guarded
from llamaindex_rag_eval.errors import OutputError
from llamaindex_rag_eval.runs.run import Run

__all__ = ["label_sheet", "write_label_sheet"]

COLUMNS = ("id", "metric", "label", "chosen", "query", "response", "contexts", "reference")
"""No column shows the judge's score: who sees it labels what it says."""

LONGEST_CELL = 30_000
"""Characters; the common spreadsheets take 32,767 and lose the rest."""


def label_sheet(
    run: Run, chosen: Sequence[ToLabel], *, scale: tuple[float, float] = (0.0, 1.0)
) -> str:
    """Return the sheet as CSV, the column `label` empty but for labels that are known already.

    Its cells are safe in a spreadsheet; `scale` is that of the labels, as for `read_labels`.
    """
    samples = {sample.id: sample for sample in run.samples}
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in chosen:
        label = "" if one.known is None else f"{scale[0] + one.known * (scale[1] - scale[0]):g}"
        cells = (one.sample_id, one.metric, label, one.chosen, *_texts(samples[one.sample_id]))
        writer.writerow([guarded(_cut(cell)) for cell in cells])
    return out.getvalue()


def write_label_sheet(
    run: Run,
    chosen: Sequence[ToLabel],
    path: str | Path,
    *,
    scale: tuple[float, float] = (0.0, 1.0),
) -> Path:
    """Write the sheet; see `label_sheet`.

    Raises:
        OutputError: The file cannot be written, or is there already: it may hold labels.
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", errors="replace", newline="") as file:
            file.write(label_sheet(run, chosen, scale=scale))
    except FileExistsError as error:
        raise OutputError(f"{str(path)!r} is there already, and may hold labels") from error
    except OSError as error:
        raise OutputError(f"cannot write {str(path)!r}: {error.strerror or error}") from error
    return path


def _texts(sample: Sample) -> tuple[str, str, str, str]:
    if isinstance(sample, MultiTurnSample):
        talk = "\n".join(f"{message.role}: {message.content}" for message in sample.messages)
        return talk, "", "", sample.reference
    contexts = "\n\n".join(f"[{n}] {text}" for n, text in enumerate(sample.texts, start=1))
    return sample.query, sample.response, contexts, sample.reference


def _cut(cell: str) -> str:
    return cell if len(cell) <= LONGEST_CELL else cell[:LONGEST_CELL] + "…"
