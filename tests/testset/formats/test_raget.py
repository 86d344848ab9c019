"""RAGET files are read as Giskard reads them."""

from tests.testset.formats.golden import GOLDEN
from testset.formats.exchange import export_golden


def test_pandas_loads_the_raget_file_as_giskard_does(tmp_path):
    import pandas as pd

    (path,) = export_golden(GOLDEN, tmp_path / "g.jsonl", to="raget")
    frame = pd.read_json(path, orient="records", lines=True).set_index("id")
    assert list(frame.columns) == [
        "question",
        "reference_answer",
        "reference_context",
        "conversation_history",
        "metadata",
    ]
    assert frame.loc["a1", "metadata"]["question_type"] == "simple"
    assert frame.loc["b2", "conversation_history"][0] == {"role": "user", "content": "A VT?"}
