"""Tables are read by pandas, and by us."""

import json

import pytest

from llamaindex_rag_eval.errors import DatasetError
from tests.testset.formats.golden import CORPUS, GOLDEN, HOUR, ITEMS, WEIGHT
from testset.formats.exchange import export_golden, import_golden


def test_pandas_reads_the_csv_and_what_it_writes_comes_back(tmp_path):
    import pandas as pd

    (path,) = export_golden(GOLDEN, tmp_path / "g.csv", to="csv")
    assert path.read_text("utf-8").startswith("\ufeff")  # by which Excel knows UTF-8
    frame = pd.read_csv(path, keep_default_na=False)
    assert frame["question"].tolist() == [item.question for item in ITEMS]
    assert json.loads(frame["gold"][0])[0][0]["quote"] == "twelve zones"
    frame.to_csv(path, index=False)
    assert import_golden(path, source="csv").golden.items == ITEMS


@pytest.mark.parametrize("name", ["reference", "Answer", "ground_truth", "EXPECTED_OUTPUT"])
@pytest.mark.parametrize("source", ["csv", "jsonl"])
def test_columns_of_a_table_of_ones_own_are_known_in_any_case(name, source, tmp_path):
    path = tmp_path / "q"
    row = {"Question": "Heavy?", name: "40 kg", "Topic": "pumps", "page": "3"}
    table = f"{','.join(row)}\n{','.join(row.values())}\n"
    path.write_text(table if source == "csv" else json.dumps(row) + "\n", encoding="utf-8")
    back = import_golden(path, source=source)
    (item,) = back.golden
    assert (item.question, item.reference, item.topic) == ("Heavy?", "40 kg", "pumps")
    assert back.unknown == ("page",)


def test_a_question_of_a_type_that_is_not_answered_is_to_be_declined(tmp_path):
    path = tmp_path / "q.csv"
    path.write_text("question,type,expected_behaviour\nBus?,unanswerable,\nTram?,,refuse\nCar?,,\n")
    behaviours = [item.expected_behaviour for item in import_golden(path, source="csv").golden]
    assert behaviours == ["refuse", "refuse", "answer"]


def test_an_answer_beside_a_reference_is_not_the_reference_and_is_named(tmp_path):
    path = tmp_path / "q.jsonl"
    path.write_text('{"question": "a?", "Reference": 40, "answer": "41"}\n{"question": "b?"}\n')
    back = import_golden(path, source="jsonl")
    assert [item.reference for item in back.golden] == ["40", ""]
    assert back.unknown == ("answer",)
    path.write_text('{"question": "a?"}\n{"Frage": "b?"}\n')
    with pytest.raises(
        DatasetError, match=r"line 2.*expected a column 'question'; there are 'Frage'"
    ):
        import_golden(path, source="jsonl")


@pytest.mark.parametrize("notation", [json.dumps, repr])
def test_reference_contexts_of_other_tables_become_gold_spans(notation, tmp_path):
    import pandas as pd

    path = tmp_path / "q.csv"
    both, one = notation([WEIGHT.quote, HOUR.quote]), WEIGHT.quote
    rows = {"question": ["Both?", "One?"], "reference": ["", ""], "reference_contexts": [both, one]}
    pd.DataFrame(rows).to_csv(path, index=False)
    back = import_golden(path, source="csv", corpus=CORPUS)
    assert [item.gold for item in back.golden] == [((WEIGHT,), (HOUR,)), ((WEIGHT,),)]
    assert back.unknown == ()


def test_a_list_that_cannot_be_read_is_refused_and_a_long_cell_is_not(tmp_path):
    path = tmp_path / "q.csv"
    path.write_text("question,reference_contexts\nq?,\"['a' 'b']\"\n")
    with pytest.raises(DatasetError, match=r"line 2.*reference_contexts.*commas"):
        import_golden(path, source="csv", corpus=CORPUS)
    path.write_text(f"question,reference\nq?,{'a' * 200_000}\n")
    assert len(import_golden(path, source="csv").golden.items[0].reference) == 200_000
