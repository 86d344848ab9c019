"""Labels: which files are read, and what is said of those that cannot be."""

from pathlib import Path

import pytest

from llamaindex_rag_eval.decisions.labels import HumanLabel, read_labels
from llamaindex_rag_eval.errors import DatasetError


def written(folder: Path, text: str, name: str = "labels.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_reads_a_row_for_each_label(tmp_path: Path) -> None:
    path = written(tmp_path, "id,metric,label\nq1,faithfulness,1\nq2,faithfulness,0\n")
    assert read_labels(path) == (
        HumanLabel("q1", "faithfulness", 1.0, line=2),
        HumanLabel("q2", "faithfulness", 0.0, line=3),
    )


def test_reads_a_column_for_each_metric_and_skips_empty_cells(tmp_path: Path) -> None:
    path = written(tmp_path, "id,faithfulness,note,ndcg@10\nq1,1,fine,\nq2,,,0.5\n")
    found = read_labels(path, metrics=["faithfulness", "ndcg@10"])
    assert [(x.sample_id, x.metric, x.value) for x in found] == [
        ("q1", "faithfulness", 1.0),
        ("q2", "ndcg@10", 0.5),
    ]


def test_a_label_without_a_metric_is_about_the_whole_answer(tmp_path: Path) -> None:
    path = written(tmp_path, '{"sample_id": "q1", "label": true}\n', "labels.jsonl")
    assert read_labels(path) == (HumanLabel("q1", "", 1.0, line=1),)


def test_grades_become_shares_of_their_scale(tmp_path: Path) -> None:
    path = written(tmp_path, "id,label\na,1\nb,2\nc,5\n")
    # (1 - 1) / 4, (2 - 1) / 4, (5 - 1) / 4
    assert [x.value for x in read_labels(path, scale=(1, 5))] == [0, 1 / 4, 1]


def test_words_are_read_as_the_ends_of_the_scale(tmp_path: Path) -> None:
    path = written(tmp_path, "id,label\na,Yes\nb,FAIL\nc,true\n")
    assert [x.value for x in read_labels(path, scale=(1, 5))] == [1, 0, 1]


def test_verdicts_of_the_label_page_are_read_and_named_where_a_word_is_none(tmp_path: Path) -> None:
    words = ["Right", "partly right", "partly_right", "Partly", "wrong", "not attempted"]
    rows = "".join(f"q{number},{word}\n" for number, word in enumerate(words))
    labels = read_labels(written(tmp_path, f"id,label\n{rows}"), scale=(1, 5))
    assert [x.value for x in labels] == [1, 0.5, 0.5, 0.5, 0, 0]
    with pytest.raises(DatasetError, match=r"right, partly right, wrong, .* 'perhaps'"):
        read_labels(written(tmp_path, "id,label\nq1,perhaps\n"))


def test_remembers_which_samples_were_chosen_for_their_doubt(tmp_path: Path) -> None:
    path = written(tmp_path, "id,label,chosen\na,1,doubtful\nb,1,random\nc,1,\n")
    assert [x.chosen for x in read_labels(path)] == ["doubtful", "random", "random"]


def test_an_id_that_a_spreadsheet_was_kept_from_running_is_read_as_it_was(tmp_path: Path) -> None:
    path = written(tmp_path, "id,label\n'-7,1\n")
    assert read_labels(path)[0].sample_id == "-7"


@pytest.mark.parametrize("cell", ["maybe", "nan", "inf", "-0.1", "1.01", "1e400"])
def test_a_label_off_the_scale_is_an_error_that_says_where(tmp_path: Path, cell: str) -> None:
    path = written(tmp_path, f"id,label\na,1\nb,{cell}\n")
    with pytest.raises(DatasetError, match="expected a number from 0 to 1") as caught:
        read_labels(path)
    assert (caught.value.line, caught.value.field) == (3, "label")


def test_a_label_that_is_a_list_is_an_error(tmp_path: Path) -> None:
    path = written(tmp_path, '{"id": "a", "label": [1]}\n', "labels.jsonl")
    with pytest.raises(DatasetError, match="expected a number"):
        read_labels(path)


def test_a_row_without_an_id_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="expected the id of a sample") as caught:
        read_labels(written(tmp_path, "id,label\n,1\n"))
    assert caught.value.line == 2


def test_a_sample_labelled_twice_alike_is_one_and_random_if_either_row_says_so(
    tmp_path: Path,
) -> None:
    path = written(
        tmp_path, "id,label,chosen\na,1,random\na,1,doubtful\nb,0,doubtful\nb,0,random\n"
    )
    assert [(x.sample_id, x.chosen) for x in read_labels(path)] == [
        ("a", "random"),
        ("b", "random"),
    ]


def test_two_different_labels_of_one_sample_are_an_error_that_names_both(tmp_path: Path) -> None:
    path = written(tmp_path, "id,label\na,1\na,0\n")
    with pytest.raises(DatasetError, match="'a' has another label on line 2") as caught:
        read_labels(path)
    assert caught.value.line == 3


def test_a_misspelt_column_is_an_error_and_not_a_file_without_labels(tmp_path: Path) -> None:
    path = written(tmp_path, "id,faithfulnes\na,1\n")
    with pytest.raises(DatasetError, match="'label', 'faithfulness'; got 'id', 'faithfulnes'"):
        read_labels(path, metrics=["faithfulness"])


def test_a_broken_line_is_an_error_that_says_where(tmp_path: Path) -> None:
    path = written(tmp_path, '{"id": "a", "label": 1}\n{"id":\n', "labels.jsonl")
    with pytest.raises(DatasetError, match="expected one JSON object") as caught:
        read_labels(path)
    assert caught.value.line == 2


def test_a_file_that_is_not_there_or_no_text_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="cannot be read"):
        read_labels(tmp_path / "none.csv")
    (tmp_path / "latin.csv").write_bytes(b"id,label\n\xe9,1\n")
    with pytest.raises(DatasetError, match="line 2: expected UTF-8 text"):
        read_labels(tmp_path / "latin.csv")


def test_a_sheet_in_which_nothing_is_labelled_yet_has_no_labels(tmp_path: Path) -> None:
    assert read_labels(written(tmp_path, "id,metric,label\nq1,faithfulness,\n")) == ()


def test_a_scale_of_no_width_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="the scale of labels is"):
        read_labels(written(tmp_path, "id,label\na,1\n"), scale=(1, 1))


LINES = """
{"id": "q1", "metric": "m", "label": 1, "by": "Ana", "at": "2026-01-01T10:00:00Z"}
{"id": "q1", "metric": "m", "label": 0, "by": "Ben", "at": "2026-01-01T09:00:00Z", "why": "no unit"}
{"id": "q1", "metric": "m", "label": 0.5, "by": "Ana", "at": "2026-01-01T08:00:00Z"}
{"id": "q2", "metric": "m", "label": 1, "by": "Ana", "at": "2026-01-01T08:00:00Z"}
{"id": "q2", "metric": "m", "label": null, "by": "Ana", "at": "2026-01-01T08:30:00Z"}
"""


def test_of_the_lines_of_one_person_the_last_counts_and_an_empty_one_takes_it_back(
    tmp_path,
) -> None:
    path = written(tmp_path, LINES, "labels.jsonl")
    assert [(x.sample_id, x.by, x.value) for x in read_labels(path, merged=False)] == [
        ("q1", "Ana", 1.0),
        ("q1", "Ben", 0.0),
    ]


def test_lines_count_alike_in_any_order_as_git_merges_them(tmp_path) -> None:
    turned = "\n".join(reversed(LINES.splitlines()))
    labels = [
        {
            (x.sample_id, x.by, x.value)
            for x in read_labels(written(tmp_path, text, name), merged=False)
        }
        for name, text in (("a.jsonl", LINES), ("b.jsonl", turned))
    ]
    assert labels[0] == labels[1]


def test_labels_by_two_people_are_their_mean_with_both_reasons(tmp_path) -> None:
    (label,) = read_labels(written(tmp_path, LINES, "labels.jsonl"))
    assert (label.value, label.by, label.why) == (0.5, "Ana, Ben", "no unit")
