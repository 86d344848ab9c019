"""DeepEval files have the keys its loader asks for."""

import json

from tests.testset.formats.golden import GOLDEN
from testset.formats.exchange import export_golden


def test_deepeval_goldens_have_the_keys_its_loader_asks_for(tmp_path):
    (path,) = export_golden(GOLDEN, tmp_path / "d.json", to="deepeval")
    rows = json.loads(path.read_text("utf-8"))
    assert rows[0]["input"] == "How many zones?"
    assert rows[0]["expected_output"] == "Twelve"
    assert rows[0]["context"] == ["[Pumps]\ntwelve zones"]
    assert rows[0]["source_file"] == "pump parts.md"
    assert isinstance(rows[0]["additional_metadata"], dict)
