"""Files: JSON Lines as any tool may write them, atomic writing, cells that run no formula."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from llamaindex_rag_eval.data.dataset import EvaluationDataset, iter_jsonl
from llamaindex_rag_eval.data.files import escape_formula, unescape_formula
from llamaindex_rag_eval.data.sample import Sample, SingleTurnSample
from llamaindex_rag_eval.errors import DatasetError, OutputError

SAMPLE = SingleTurnSample(id="a", query="q", response="r", contexts=("c",))


def written(folder: Path, raw: bytes) -> Path:
    path = folder / "a.jsonl"
    path.write_bytes(raw)
    return path


def single(path: Path) -> SingleTurnSample:
    sample = EvaluationDataset.read(path)[0]
    assert isinstance(sample, SingleTurnSample)
    return sample


def queries(samples: Iterable[Sample]) -> list[str]:
    return [sample.query for sample in samples if isinstance(sample, SingleTurnSample)]


def test_byte_order_mark_windows_line_ends_and_empty_lines_do_not_matter(tmp_path: Path) -> None:
    raw = b'\xef\xbb\xbf{"query":"a"}\r\n\r\n  \n{"query":"b"}'
    assert queries(iter_jsonl(written(tmp_path, raw))) == ["a", "b"]


def test_a_line_separator_inside_a_text_is_no_line_end(tmp_path: Path) -> None:
    raw = '{"query":"a\u2028b\x85c"}\n'.encode()
    assert single(written(tmp_path, raw)).query == "a\u2028b\x85c"


def test_nan_is_a_field_not_given(tmp_path: Path) -> None:
    raw = b'{"query":"a","response":NaN,"context_scores":[NaN,0.5]}\n'
    sample = single(written(tmp_path, raw))
    assert not sample.has("response")
    assert sample.context_scores == (None, 0.5)


def test_a_whole_surrogate_pair_in_escapes_is_its_character(tmp_path: Path) -> None:
    raw = b'{"query":"\\ud83d\\ude00"}\n'
    assert single(written(tmp_path, raw)).query == "😀"


def test_a_last_line_that_was_cut_off_says_what_to_do(tmp_path: Path) -> None:
    path = written(tmp_path, b'{"query":"a"}\n{"query":"b","resp')
    with pytest.raises(DatasetError, match=r"line 2: .*ends in the middle.*`strict=False`"):
        EvaluationDataset.read(path)
    assert queries(EvaluationDataset.read_jsonl(path, strict=False)) == ["a"]


def test_a_character_that_was_cut_in_two_is_a_line_that_was_cut_off(tmp_path: Path) -> None:
    path = written(tmp_path, b'{"query":"a"}\n{"query":"' + "é".encode()[:1])
    assert len(EvaluationDataset.read_jsonl(path, strict=False)) == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", "expected one JSON object"),
        (b"[1]", "expected an object of fields, got [1] (list)"),
        (b'{"query":"\xff"}', "expected UTF-8 text: invalid start byte at byte 11"),
        (b'{"query":"a","latency":Infinity}', "Infinity is no JSON value"),
        (b'{"query":' + b"[" * 200_000, "expected one JSON object"),
        (b'{"query":"\\ud83d"}', "half of a surrogate pair"),
    ],
)
def test_a_bad_line_in_the_middle_is_an_error_also_when_tolerant(
    tmp_path: Path, line: bytes, message: str
) -> None:
    path = written(tmp_path, b'{"query":"a"}\n' + line + b"\n" + b'{"query":"b"}\n')
    with pytest.raises(DatasetError) as caught:
        EvaluationDataset.read_jsonl(path, strict=False)
    assert (caught.value.file, caught.value.line) == (str(path), 2)
    assert message in str(caught.value)


def test_a_file_that_is_missing_or_a_folder_is_an_error_that_names_it(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(DatasetError, match="cannot be read") as caught:
            list(iter_jsonl(path))
        assert caught.value.file == str(path)


def test_lines_are_read_as_they_are_asked_for(tmp_path: Path) -> None:
    samples = iter_jsonl(written(tmp_path, b'{"query":"a"}\nbroken\n'))
    assert queries([next(samples)]) == ["a"]


def test_an_empty_file_holds_no_samples(tmp_path: Path) -> None:
    assert len(EvaluationDataset.read(written(tmp_path, b""))) == 0


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = EvaluationDataset([SAMPLE]).write(tmp_path / "a.jsonl")
    before = path.read_bytes()
    broken = SingleTurnSample(id="b", query="\ud83d")
    with pytest.raises(OutputError, match="not Unicode"):
        EvaluationDataset([SAMPLE, broken]).write(path)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.jsonl"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    link = tmp_path / "link.jsonl"
    link.symlink_to(tmp_path / "real.jsonl")
    EvaluationDataset([SAMPLE]).write(link)
    assert link.is_symlink()
    assert EvaluationDataset.read(tmp_path / "real.jsonl")[0] == SAMPLE


def test_a_place_that_cannot_be_written_is_an_output_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder.csv").mkdir()
    for path in (tmp_path / "file" / "a.jsonl", tmp_path / "folder.csv", Path("/proc/a.csv")):
        with pytest.raises(OutputError, match="cannot write"):
            EvaluationDataset([SAMPLE]).write(path)


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@a", "\ta", "\ra", "'=1", "''-", "'", "''"])
def test_a_text_that_looks_like_a_formula_is_escaped_and_unescaped(text: str) -> None:
    assert escape_formula(text) == f"'{text}"
    assert unescape_formula(escape_formula(text)) == text


@pytest.mark.parametrize("text", ["", "a", "'tis", "a=1", " =1", "''twas"])
def test_other_texts_are_left_as_they_are(text: str) -> None:
    assert escape_formula(text) == unescape_formula(text) == text
