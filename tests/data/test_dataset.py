import re
from pathlib import Path

import pandas as pd
import pytest

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.sample import (
    Image,
    Message,
    MultiTurnSample,
    Sample,
    SingleTurnSample,
    Span,
)
from llamaindex_rag_eval.errors import DatasetError, InputError, OutputError

NFC, NFD = "caf\u00e9", "cafe\u0301"

FULL = SingleTurnSample(
    id="full",
    query="What is it?",
    response="",
    contexts=("a [1] context, with commas", Image(id="i", url="https://example.com/a.png")),
    context_ids=("n1", "n2"),
    context_spans=(Span(doc_id="d", start=0, end=3, quote="abc"), None),
    context_scores=(0.5, None),
    reference="line one\r\nline two\u2028line three",
    reference_contexts=(),
    gold=((Span(doc_id="d", start=0, end=1),), ()),
    expected_behaviour="refuse",
    rubrics={"1": "bad"},
    latency=0.25,
    metadata={"topic": "pumps", "n": [1, {"deep": None}]},
)
TALK = MultiTurnSample(
    id="talk",
    messages=(Message(role="user", content="hi"), Message(role="assistant", content="ho")),
    reference_topics=("pumps",),
)
UNICODE = SingleTurnSample(id="u", query=f"{NFC} {NFD} 東京 😀 \x00", response="'tis \ufeff")
HOSTILE = tuple(
    SingleTurnSample(id=f"h{n}", query=text, response=text, error=text, contexts=(text,))
    for n, text in enumerate(["=1+1", "+1", "-1", "@x", "\tx", "\rx", "'=1", "''", "'", "'x", '"'])
)
EVERYTHING = EvaluationDataset([FULL, TALK, UNICODE, *HOSTILE])


@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson", "a.csv", "A.CSV"])
def test_what_is_written_is_read_back_the_same(tmp_path: Path, name: str) -> None:
    path = EVERYTHING.write(tmp_path / "new" / name)
    again = EvaluationDataset.read(path)
    assert again.samples == EVERYTHING.samples
    assert [s.model_fields_set for s in again] == [s.model_fields_set for s in EVERYTHING]
    assert again.fingerprint == EVERYTHING.fingerprint


def test_a_frame_is_read_back_the_same() -> None:
    again = EvaluationDataset.from_pandas(EVERYTHING.to_pandas())
    assert again == EVERYTHING
    assert len(EvaluationDataset().to_pandas()) == 0


def test_a_file_of_an_unknown_kind_is_refused_both_ways(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"expected '\.jsonl', '\.json', '\.csv' or '\.parquet'"):
        EvaluationDataset.read(tmp_path / "a.xlsx")
    with pytest.raises(OutputError, match="xlsx"):
        EVERYTHING.write(tmp_path / "a.xlsx")


def test_is_a_sequence_of_samples() -> None:
    data = EvaluationDataset([FULL, TALK])
    assert (len(data), data[1], list(data), FULL in data) == (2, TALK, [FULL, TALK], True)
    assert data[:1] == EvaluationDataset([FULL])


def test_the_fingerprint_ignores_the_order_of_names_but_not_of_samples() -> None:
    row = {"id": "a", "query": "q", "metadata": {"x": 1, "y": 2}}
    turned = {"metadata": {"y": 2, "x": 1}, "query": "q", "id": "a"}
    one, other = EvaluationDataset.from_rows([row]), EvaluationDataset.from_rows([turned])
    assert one.fingerprint == other.fingerprint
    assert (
        EvaluationDataset([FULL, TALK]).fingerprint != EvaluationDataset([TALK, FULL]).fingerprint
    )


def test_a_question_without_id_has_the_same_one_in_every_run() -> None:
    asked, answered = (
        EvaluationDataset.from_rows([{"query": "q", "response": "a"}]),
        EvaluationDataset.from_rows([{"query": "other"}, {"query": "q"}]),
    )
    assert asked[0].id == answered[1].id != ""


def test_normalisation_forms_are_kept_and_are_different_questions() -> None:
    data = EvaluationDataset.from_rows([{"query": NFC}, {"query": NFD}])
    assert data.to_pandas()["query"].tolist() == [NFC, NFD]
    assert data[0].id != data[1].id


def test_the_same_question_without_id_is_numbered() -> None:
    first, second, third = EvaluationDataset.from_rows(
        [{"query": "q", "response": text} for text in "aba"]
    )
    assert [second.id, third.id] == [f"{first.id}~2", f"{first.id}~3"]


def test_equal_rows_with_one_id_are_both_kept() -> None:
    row = {"id": "a", "query": "q"}
    assert [s.id for s in EvaluationDataset.from_rows([row, row, row])] == ["a", "a~2", "a~3"]


def test_different_rows_with_one_id_are_an_error_that_names_both(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id":"a","query":"q"}\n\n{"id":"a","query":"r"}\n')
    with pytest.raises(DatasetError, match=r"line 3, field 'id'.*another sample in line 1"):
        EvaluationDataset.read(path)


def test_takes_samples_from_anything_that_gives_them() -> None:
    class Golden:
        def samples(self) -> list[Sample]:
            return [FULL]

    expected = EvaluationDataset([FULL])
    assert EvaluationDataset.of(Golden()) == expected
    assert EvaluationDataset.of(s for s in [FULL]) == expected
    assert EvaluationDataset.of(expected) is expected


def test_takes_rows_columns_frames_and_questions() -> None:
    columns = {"question": ["q", "r"], "ground_truths": [["a", "b"], ["c"]]}
    rows: list[dict[str, object]]
    rows = [{"question": "q", "ground_truths": ["a", "b"]}, {"query": "r", "reference": "c"}]

    expected = EvaluationDataset.from_rows(rows)
    assert [sample.reference for sample in expected] == ["a", "c"]
    for source in (rows, columns, pd.DataFrame(columns), (row for row in rows)):
        assert EvaluationDataset.of(source) == expected
    assert [sample.query for sample in EvaluationDataset.of(["q", "r"])] == ["q", "r"]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"question": ["q", "r"], "answer": ["a"]}, "their lengths are {'question': 2, 'answer'"),
        ({"question": ["q"], "answer": "a"}, "'answer' is none"),
    ],
)
def test_columns_that_do_not_fit_are_named(columns: object, message: str) -> None:
    with pytest.raises(DatasetError, match=re.escape(message)):
        EvaluationDataset.of(columns)


@pytest.mark.parametrize("source", ["golden.jsonl", 3, [3]])
def test_says_what_it_expected_instead_of_samples(source: object) -> None:
    with pytest.raises(
        InputError, match=r"expected samples, got '\w+'.*EvaluationDataset\.(read|from)"
    ):
        EvaluationDataset.of(source)


@pytest.mark.parametrize(
    ("row", "field", "message"),
    [
        ({"question": ["a"]}, "question", "expected a text, got ['a'] (list)"),
        ({"query": "q", "context": 3}, "context", "expected a list, got 3 (int)"),
        ({"query": "q", "context_ids": [None]}, "context_ids[0]", "expected a text"),
        ({"query": "q", "latency": "soon"}, "latency", "expected a number, got 'soon' (str)"),
        ({"query": "q", "expected_behaviour": "joke"}, "expected_behaviour", "'refuse'"),
        ({"query": "q", "response": "\ud83d"}, "response", "half of a surrogate pair"),
        ({"query": "q", "contexts": ["\ude00"]}, "contexts", "half of a surrogate pair"),
        ({"Frage": "q"}, "", "'question' or another field of a sample, found 'Frage'"),
        ({}, "", "found none"),
    ],
)
def test_a_bad_row_is_named_with_its_field_and_what_was_expected(
    row: dict[str, object], field: str, message: str
) -> None:
    with pytest.raises(DatasetError) as caught:
        EvaluationDataset.from_rows([{"query": "fine"}, row])
    assert (caught.value.line, caught.value.field) == (2, field)
    assert message in caught.value.expectation


def test_names_of_columns_are_read_in_any_case_but_an_error_of_another_program_is_none() -> None:
    row = {"Question": "Who?", "Ground_Truth": "Ito", "Error": "E42"}
    (sample,) = EvaluationDataset.from_rows([row])
    assert (sample.query, sample.reference, sample.error) == ("Who?", "Ito", "")
    assert sample.metadata == {"Error": "E42"}
    assert sample.question == "Who?"  # a field by another tool's name; no metadata
    with pytest.raises(AttributeError, match="'SingleTurnSample' has no attribute 'Error'"):
        _ = sample.Error


def test_missing_cells_of_a_frame_are_fields_not_given() -> None:
    import pandas as pd

    frame = pd.DataFrame(
        {
            "id": [1, None],
            "query": ["q", "r"],
            "answer": ["a", float("nan")],
            "context": [["c"], None],
            "score": [0.5, float("nan")],
            "when": [pd.Timestamp("2026-01-02"), pd.NaT],
        }
    )
    first, second = EvaluationDataset.from_pandas(frame)
    assert first.id == "1"
    assert first.metadata == {"score": 0.5, "when": "2026-01-02 00:00:00"}
    assert isinstance(second, SingleTurnSample)
    assert second.model_fields_set == {"query", "id"}


def test_json_in_the_cells_of_a_frame_is_unpacked() -> None:
    import pandas as pd

    frame = pd.DataFrame({"query": ["q"], "contexts": ['["a", "b"]'], "latency": [2]})
    (sample,) = EvaluationDataset.from_pandas(frame)
    assert sample == SingleTurnSample(id=sample.id, query="q", contexts=("a", "b"), latency=2.0)


def test_a_text_of_ten_megabytes_goes_through_both_kinds_of_file(tmp_path: Path) -> None:
    data = EvaluationDataset([SingleTurnSample(id="a", query="q", contexts=("ab,\n" * 2_500_000,))])
    for name in ("a.jsonl", "a.csv"):
        assert EvaluationDataset.read(data.write(tmp_path / name)).samples == data.samples


def test_samples_that_hold_no_number_are_written_as_missing(tmp_path: Path) -> None:
    sample = SingleTurnSample(id="a", query="q", metadata={"x": float("nan")})
    path = EvaluationDataset([sample]).write(tmp_path / "a.jsonl")
    assert EvaluationDataset.read(path)[0].metadata == {"x": None}


def test_a_json_file_holds_a_list_of_samples(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[{"question": "Where?", "answer": "There."}, {"question": "Who?"}]')

    assert [sample.asked for sample in EvaluationDataset.read(path)] == ["Where?", "Who?"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"resourceSpans": []}',
            "expected a list of objects, one a sample; `rag-eval more traces`",
        ),
        ('[{"question": "Where?"}, {"colour": "red"}]', "entry 2: expected 'query'"),
        ('[{"question": "Where?"', "is no JSON"),
    ],
)
def test_a_json_file_that_holds_no_samples_says_where(
    text: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)

    with pytest.raises(DatasetError, match=message):
        EvaluationDataset.read(path)


class HuggingFaceSplit(list[dict[str, str]]):
    """Rows with the names of their columns, as a data set of Hugging Face has them."""

    column_names = ("question", "answer")


def test_a_dict_of_splits_is_refused_by_name_and_each_split_is_read() -> None:
    splits = {name: HuggingFaceSplit([{"query": "Who?", "response": name}]) for name in ("a", "b")}
    message = r"'a' is none; of a dict of splits give one, as data\['a'\]"
    with pytest.raises(InputError, match=message):
        EvaluationDataset.of(splits)
    assert EvaluationDataset.of(splits["b"])[0].response == "b"
