"""BEIR folders: questions with graded relevance judgements of documents, by id.

`queries.jsonl` (`_id`, `text`) and `qrels/test.tsv` (query id, document id, gain, with a head
line). Source: Thakur et al. (2021), https://arxiv.org/abs/2104.08663, and
https://github.com/beir-cellar/beir/wiki.
"""

import csv
import math
from collections.abc import Iterator
from pathlib import Path

from llamaindex_rag_eval.data.files import jsonl_objects, read_text
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import DatasetError


def read_beir(folder: str | Path) -> Iterator[SingleTurnSample]:
    """Yield the judged questions of a BEIR folder, with `reference_gains`.

    A question without a judgement above 0 has nothing to find and is left out, as BEIR does.

    Raises:
        DatasetError: A file is missing, or a line is not of its form.
    """
    queries, gains = Path(folder) / "queries.jsonl", beir_gains(folder)
    for number, row in jsonl_objects(queries):
        try:
            name, text = str(row["_id"]), str(row["text"])
        except KeyError:
            raise DatasetError(
                "expected JSON with '_id' and 'text'", file=str(queries), line=number
            ) from None
        if name in gains:
            judged = gains[name]
            yield SingleTurnSample(
                id=name,
                query=text,
                reference_context_ids=tuple(judged),
                reference_gains=tuple(judged.values()),
            )


def beir_gains(folder: str | Path) -> dict[str, dict[str, float]]:
    """Return query id -> document id -> gain, of the judgements above 0 of a BEIR folder.

    Raises:
        DatasetError: The file is missing, or a line is not of its form.
    """
    path = Path(folder) / "qrels" / "test.tsv"
    gains: dict[str, dict[str, float]] = {}
    lines = csv.reader(read_text(path).splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    for number, fields in enumerate(lines, 1):
        if number > 1 and fields:
            query, document, gain = _judgement(fields, path, number)
            if gain > 0:
                gains.setdefault(query, {})[document] = gain
    return gains


def _judgement(fields: list[str], path: Path, number: int) -> tuple[str, str, float]:
    try:
        query, document, gain = fields
        worth = float(gain)
    except ValueError:
        worth = math.nan
    if not math.isfinite(worth):
        raise DatasetError(
            "expected query id, document id and gain, between tabs", file=str(path), line=number
        )
    return query, document, worth
