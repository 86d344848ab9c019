import csv
import json
from pathlib import Path

import pytest

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.data.tables import csv_file
from llamaindex_rag_eval.errors import DatasetError


def written(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "a.csv"
    path.write_bytes(text.encode(encoding))
    return path


def read(folder: Path, text: str) -> SingleTurnSample:
    (sample,) = EvaluationDataset.read(written(folder, text))
    assert isinstance(sample, SingleTurnSample)
    return sample


def test_no_cell_that_is_written_starts_like_a_formula(tmp_path: Path) -> None:
    texts = ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"]
    samples = [
        SingleTurnSample(
            id=t, query=t, response=t, reference=t, error=t, contexts=(t,), metadata={t: t}
        )
        for t in texts
    ]
    path = EvaluationDataset(samples).write(tmp_path / "a.csv")
    with path.open(newline="", encoding="utf-8") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert len(cells) == 7 * (len(texts) + 1)
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


def test_an_empty_cell_is_a_field_not_given_and_a_lone_apostrophe_an_empty_text(
    tmp_path: Path,
) -> None:
    sample = read(tmp_path, "query,response,reference\nq,,'\n")
    assert not sample.has("response")
    assert sample.has("reference")
    assert sample.reference == ""


@pytest.mark.parametrize(
    ("cell", "contexts"),
    [
        ('"[""a"", ""b""]"', ("a", "b")),
        ("plain text", ("plain text",)),
        ("[1] a footnote", ("[1] a footnote",)),
        ('"[1, 2]"', ("[1, 2]",)),
        ("[]", ()),
    ],
)
def test_contexts_are_a_json_list_or_one_plain_text(
    tmp_path: Path, cell: str, contexts: tuple[str, ...]
) -> None:
    assert read(tmp_path, f"question,retrieved_contexts\nq,{cell}\n").contexts == contexts


def test_a_text_that_looks_like_json_stays_a_text(tmp_path: Path) -> None:
    sample = read(tmp_path, 'question,answer,ground_truth\n42,"[1, 2]",null\n')
    assert (sample.query, sample.response, sample.reference) == ("42", "[1, 2]", "null")


def test_ground_truths_are_a_list_or_a_text(tmp_path: Path) -> None:
    assert read(tmp_path, 'query,ground_truths\nq,"[""a"",""b""]"\n').reference == "a"
    assert read(tmp_path, "query,ground_truths\nq,a\n").reference == "a"


def test_columns_without_a_name_are_left_out_and_unknown_ones_are_metadata(tmp_path: Path) -> None:
    sample = read(tmp_path, ",query,topic\n0,q,pumps\n")
    assert sample.metadata == {"topic": "pumps"}


def test_lists_are_read_as_json_and_as_python_writes_them(tmp_path: Path) -> None:
    texts = ['It\'s "12".', "a, [b]\nc"]
    for cell in (json.dumps(texts), repr(texts), f" {texts!r} "):
        quoted = cell.replace('"', '""')
        assert read(tmp_path, f'query,contexts\nq,"{quoted}"\n').contexts == tuple(texts)


def test_byte_order_mark_windows_line_ends_and_empty_lines_do_not_matter(tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeffquery\r\n\r\na\r\n\r\nb\r\n")
    assert EvaluationDataset.read(path).to_pandas()["query"].tolist() == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", None, "expected a header line"),
        ("query,query\na,b\n", 1, "one column of this name"),
        ('query,response\n"two\nlines",x\nq\n', 4, "expected 2 cells as in the header, got 1"),
        ("query,response\nq,a,b\n", 2, "expected 2 cells as in the header, got 3"),
        ('query\na\n"not closed\n', 3, "expected CSV"),
        ("query,latency\nq,soon\n", 2, "expected JSON, got 'soon'"),
        ("query,contexts\nq,\"['a' 'b']\"\n", 2, "with commas between them"),
        ("query,contexts\nq,\"['a', f(), 'b']\"\n", 2, "expected a list of texts"),
        ("Frage,Antwort\nq,a\n", 2, "found 'Frage', 'Antwort'"),
    ],
)
def test_a_bad_row_is_named_with_its_first_line(
    tmp_path: Path, text: str, line: int | None, message: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(DatasetError) as caught:
        EvaluationDataset.read(path)
    assert (caught.value.file, caught.value.line) == (str(path), line)
    assert message in str(caught.value)


def test_another_encoding_is_an_error_that_names_the_line(tmp_path: Path) -> None:
    path = written(tmp_path, "query\na\nKäse\n", "latin-1")
    with pytest.raises(DatasetError, match="line 3: expected UTF-8 text") as caught:
        EvaluationDataset.read(path)
    assert caught.value.line == 3


def test_the_limit_of_the_csv_module_is_put_back(tmp_path: Path) -> None:
    before = csv.field_size_limit()
    read(tmp_path, f"query\n{'a' * (before + 1)}\n")
    assert csv.field_size_limit() == before


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_cells_are_apart_by_what_the_header_has_most_of(tmp_path: Path, separator: str) -> None:
    path = tmp_path / "excel.csv"
    rows = [["query", "reference", "response"], ["How heavy, in all?", "2,5 t; empty", "a\tb"]]
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file, delimiter=separator).writerows(rows)
    (sample,) = EvaluationDataset.read(path)
    assert isinstance(sample, SingleTurnSample)
    assert [sample.query, sample.reference, sample.response] == rows[1]


def test_a_workbook_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "set.xlsx").write_bytes(b"PK\x03\x04")
    with pytest.raises(DatasetError, match="is a workbook; save its sheet as 'CSV"):
        list(csv_file(tmp_path / "set.xlsx"))
