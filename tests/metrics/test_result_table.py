"""The table of results: columns that answer, and lines that are read when they are looked at."""

import gc
import os
import pickle
from collections import Counter
from pathlib import Path

import pytest

from llamaindex_rag_eval.data.lines import LinesInFile, LinesInMemory
from llamaindex_rag_eval.errors import DatasetError
from llamaindex_rag_eval.metrics.result import Row
from llamaindex_rag_eval.metrics.result_table import Results, ResultTable, Rows


def rows() -> Rows:
    """Return the results of two metrics on three samples; one is missing, and one failed."""
    lines = LinesInMemory()
    table = ResultTable(("a", "b", "c"), ("x", "y"), lines)
    for row in (
        Row("c", "x", "scored", 0.5, b'{"metric": "x", "score": 0.5}', "right"),
        Row("a", "y", "scored", 1.0, b'{"metric": "y", "score": 1.0}'),
        Row("a", "x", "scored", 0.0, b'{"metric": "x", "score": 0.0}', "wrong"),
        Row("b", "x", "failed", None, b'{"metric": "x", "status": "failed"}'),
        Row("b", "y", "scored", 2.0, b'{"metric": "y", "score": 2.0}'),
    ):
        table.put_row(row, lines.append(row.line))
    return table.rows()


def test_rows_are_in_the_order_of_samples_then_of_metrics():
    assert [(row.sample_id, row.metric) for row in rows()] == [
        ("a", "x"),
        ("a", "y"),
        ("b", "x"),
        ("b", "y"),
        ("c", "x"),
    ]
    assert [row.line for row in rows()[3:]] == [
        b'{"metric": "y", "score": 2.0}',
        b'{"metric": "x", "score": 0.5}',
    ]


def test_columns_of_a_metric_are_those_of_its_rows():
    of_x = rows().of("x")
    assert of_x.scores() == {"a": 0.0, "c": 0.5}
    assert of_x.statuses() == Counter(scored=2, failed=1)
    assert of_x.verdicts() == Counter(right=1, wrong=1)
    assert (len(rows().of("y")), len(rows().of("z"))) == (2, 0)


def test_a_row_is_found_by_its_sample_and_metric_and_taken_along_to_another_process():
    place = rows().index_of("b", "y")
    assert place == 3
    row = rows()[place]
    assert pickle.loads(pickle.dumps(row)) == row  # noqa: S301 - written one call before
    assert rows().index_of("c", "y") is None
    assert rows().of("x").index_of("b", "y") is None


def test_lines_of_a_file_stay_what_they_were_when_it_is_replaced(tmp_path: Path):
    path = tmp_path / "lines"
    path.write_bytes(b"one\n")
    lines = LinesInFile(path, writable=True)
    start = lines.append(b"two\n")
    (tmp_path / "other").write_bytes(b"x")
    os.replace(tmp_path / "other", path)
    assert (lines.read(start, 4), list(lines)) == (b"two\n", [b"one\n", b"two\n"])
    copy = pickle.loads(pickle.dumps(lines))  # noqa: S301 - written one call before
    assert copy.read(start, 3) == b"two"


def test_a_file_is_closed_when_nobody_reads_from_it(tmp_path: Path):
    path = tmp_path / "lines"
    path.write_bytes(b"one\n")
    lines = LinesInFile(path)
    file = lines._file
    assert os.fstat(file).st_size == 4
    del lines
    gc.collect()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(file)


def test_a_broken_result_is_an_error_that_names_it_once_it_is_looked_at():
    lines = LinesInMemory()
    table = ResultTable(("a",), ("x",), lines)
    table.put("a", "x", "scored", 1.0, "", lines.append(b'{"score": "much"}'), 17)
    results = Results(table.rows(), {})
    assert len(results) == 1
    with pytest.raises(DatasetError, match="the result of 'x' on 'a' is broken"):
        _ = results[0]
