"""Hugging Face: a dataset folder, Parquet by split with a data card, as `load_dataset` reads it.

Source: https://huggingface.co/docs/hub/datasets-manual-configuration.
"""

import json
from pathlib import Path

import yaml

from llamaindex_rag_eval.data.files import write_whole
from testset.formats.autorag import write_frame
from testset.formats.format import Format, contexts_of, metadata_of
from testset.golden.card import data_card
from testset.golden.golden_set import GoldenSet
from testset.golden.item import GoldenItem

SPLITS = ("dev", "test")
"""Splits of items; those without one are for tests."""


def write(golden: GoldenSet, folder: Path) -> tuple[Path, ...]:
    """Write `data/dev.parquet`, `data/test.parquet` and `README.md`.

    Raises:
        InputError: pyarrow is not installed.
        OutputError: The folder cannot be written.
    """
    import pandas as pd

    files = []
    for split in SPLITS:
        rows = [_row(item) for item in golden if (item.split or SPLITS[-1]) == split]
        if rows:
            files.append(write_frame(pd.DataFrame(rows), folder / "data" / f"{split}.parquet"))
    data_files = [{"split": path.stem, "path": f"data/{path.name}"} for path in files]
    head = {
        "configs": [{"config_name": "default", "data_files": data_files}],
        "language": sorted({item.axes.language for item in golden} - {""}),
    }
    front = yaml.safe_dump(head, allow_unicode=True, sort_keys=False)
    return (*files, write_whole(folder / "README.md", [f"---\n{front}---\n\n", data_card(golden)]))


def _row(item: GoldenItem) -> dict[str, object]:
    """Return the columns of an item; what has none is JSON in `metadata`."""
    return {
        "id": item.id,
        "question": item.question,
        "reference": item.reference,
        "contexts": contexts_of(item),
        "documents": list(item.doc_ids),
        "type": item.type,
        "metadata": json.dumps(metadata_of(item), ensure_ascii=False),
    }


FORMATS = (Format("huggingface", write=write),)
