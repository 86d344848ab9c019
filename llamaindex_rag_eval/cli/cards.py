"""Cards: the data card of the golden set that a run was asked, wherever it stands."""

from pathlib import Path
from typing import TYPE_CHECKING

from llamaindex_rag_eval.errors import DatasetError, InputError

if TYPE_CHECKING:
    from llamaindex_rag_eval.runs.run import Run

__all__ = ["card_beside", "card_of"]

GOLDEN = "golden.jsonl"
"""What `rag-eval generate` and `rag-eval demo` write unless told otherwise."""


def card_of(path: Path) -> str:
    """Return the data card in a file: Markdown as it stands, or that of a golden set.

    Raises:
        DatasetError: The file is neither.
        InputError: It cannot be read.
    """
    if path.suffix == ".md":
        try:
            return path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{str(path)!r} cannot be read: {error}") from error
    from testset import GoldenSet, data_card
    from testset.golden.golden_set import with_report

    return data_card(with_report(GoldenSet.read(path), path))


def card_beside(reference: str, run: "Run") -> str:
    """Return the data card of the golden set beside a run's file; empty if it has none.

    A golden set is the run's if it holds every question of it.
    """
    golden = Path(reference).with_name(GOLDEN)
    if not (Path(reference).is_file() and golden.is_file()):
        return ""
    from testset import GoldenSet

    try:
        found = {item.id for item in GoldenSet.read(golden)}
    except DatasetError:  # another file of that name
        return ""
    asked = {sample.id for sample in run.samples}
    return card_of(golden) if asked and asked <= found else ""
