"""`rag-eval runs`: list, store and delete runs."""

import json
from pathlib import Path

import pytest

from tests.cli.command_line import rag_eval


@pytest.mark.usefixtures("store")
def test_lists_the_newest_first() -> None:
    result = rag_eval("runs")
    assert result.exit_code == 0
    assert result.stdout.index("next") < result.stdout.index("main")
    assert "faithfulness 0.750" in result.stdout
    rows = json.loads(rag_eval("runs", "--json").stdout)
    assert [(row["name"], row["means"]) for row in rows] == [
        ("next", {"faithfulness": 1.0}),
        ("main", {"faithfulness": 0.75}),
    ]


@pytest.mark.usefixtures("store")
def test_lists_by_name_and_no_more_than_asked() -> None:
    assert [r["name"] for r in json.loads(rag_eval("runs", "--name", "main", "--json").stdout)] == [
        "main"
    ]
    assert "1 older runs are not shown" in rag_eval("runs", "--last", "1").stdout


@pytest.mark.usefixtures("store")
def test_forgets_a_run() -> None:
    assert "deleted 'next'" in rag_eval("runs", "--delete", "last").stderr
    assert [row["name"] for row in json.loads(rag_eval("runs", "--json").stdout)] == ["main"]
    assert rag_eval("runs", "--delete", "next").exit_code == 2


def test_an_empty_store_says_how_to_fill_it(tmp_path: Path) -> None:
    result = rag_eval("runs", "--store", str(tmp_path / "new.db"))
    assert "rag-eval runs --add FILE" in result.stdout
