"""`rag-eval golden review`: which documents its page shows."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from llamaindex_rag_eval.cli import library
from tests.cli.command_line import rag_eval
from testset import GoldenItem, GoldenSet, GoldSpan

TEXT = "The valve opens at 40 kPa."


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Mapping[str, str]]:
    """Return the texts with which the page is served, each time."""
    served: list[Mapping[str, str]] = []

    def serve(golden: Path, texts: Mapping[str, str], **options: Any) -> None:
        served.append(texts)

    replacement: Callable[..., None] = serve
    monkeypatch.setattr(library, "serve_review", replacement, raising=False)
    return served


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    gold = GoldSpan.cut("steps/valve.md", "", TEXT, 0, 9)
    item = GoldenItem(id="a", question="What opens?", reference="The valve", gold=((gold,),))
    return GoldenSet((item,), size=1).write(tmp_path / "golden.jsonl")


def write(folder: Path) -> None:
    (folder / "steps").mkdir(parents=True)
    (folder / "steps" / "valve.md").write_text(TEXT)


def test_the_documents_are_those_of_the_folder_beside_it_that_has_them(
    golden: Path, shown: list[Mapping[str, str]]
) -> None:
    (golden.parent / "archive").mkdir()
    write(golden.parent / "docs")
    done = rag_eval("golden", "review", golden)
    assert done.exit_code == 0, done.output
    assert f"documents: '{golden.parent / 'docs'}'" in done.stderr.replace("\n", "")
    assert shown == [{"steps/valve.md": TEXT}]


def test_named_documents_are_taken_and_without_any_quotes_stand_alone(
    golden: Path, shown: list[Mapping[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert rag_eval("golden", "review", golden).exit_code == 0
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    write(elsewhere)
    assert rag_eval("golden", "review", golden, "--docs", elsewhere).exit_code == 0
    assert shown == [{}, {"steps/valve.md": TEXT}]
