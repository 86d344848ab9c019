"""Tables are read by pandas, and by us."""

import json

import pytest

from llamaindex_rag_eval.errors import DatasetError
from tests.testset.formats.golden import CORPUS, GOLDEN, HOUR, ITEMS, WEIGHT
from testset.formats.exchange import export_golden, import_golden


def test_pandas_reads_the_csv_and_what_it_writes_comes_back(tmp_path):
    import pandas as pd

    (path,) = export_golden(GOLDEN, tmp_path / "g.csv", to="csv")
    frame = pd.read_csv(path, keep_default_na=False)
    assert frame["question"].tolist() == [item.question for item in ITEMS]
    assert json.loads(frame["gold"][0])[0][0]["quote"] == "twelve zones"
    frame.to_csv(path, index=False)
    assert import_golden(path, source="csv").golden.items == ITEMS


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
