"""`rag-eval golden merge`: golden sets become one file with its account and card."""

import json
from pathlib import Path

import pytest

from tests.cli.command_line import Ended, rag_eval
from tests.testset.corpora import table_of
from testset import GoldenSet, generate
from testset.golden.golden_set import with_report, write_report

TEXTS = {"pump.md": table_of("pumps", "Weight"), "vent.md": table_of("vents", "Depth")}


@pytest.fixture
def sets(tmp_path: Path) -> list[Path]:
    """Two folders, each with a golden set and its account beside."""
    paths = []
    for name, text in TEXTS.items():
        folder = tmp_path / name.partition(".")[0]
        folder.mkdir()
        (folder / name).write_text(text, encoding="utf-8")
        golden = generate(folder, size=1)
        path = golden.write(tmp_path / f"{folder.name}.jsonl")
        write_report(golden, path)
        paths.append(path)
    return paths


def merge(*arguments: object, fails: bool = False) -> Ended:
    ended = rag_eval("golden", "merge", *arguments)
    assert (ended.exit_code != 0) == fails, ended.output
    return ended


def test_writes_the_items_the_account_and_what_the_card_says(sets: list[Path], tmp_path: Path):
    out = tmp_path / "new" / "golden.jsonl"
    said = json.loads(merge(*sets, "-o", out, "--json").stdout)
    assert said == {"golden": str(out), "items": 2, "twins": 0, "conflicts": []}
    assert {item.doc_ids[0] for item in GoldenSet.read(out)} == set(TEXTS)
    assert f"seed, {sets[0].name}" in with_report(GoldenSet.read(out), out).facts
    assert f"- seed, {sets[0].name}: 7" in rag_eval("golden", "card", str(out)).stdout


def test_the_same_file_twice_an_empty_one_and_one_of_version_0_1(sets: list[Path], tmp_path: Path):
    empty, out = tmp_path / "empty.jsonl", tmp_path / "golden.jsonl"
    empty.write_text("", encoding="utf-8")
    old = Path("tests/golden/files/golden.jsonl")
    result = merge(sets[0], sets[0], empty, old, "-o", out)
    assert "0 questions in" in result.stdout
    assert len(GoldenSet.read(out)) == 1 + len(GoldenSet.read(old))


def test_a_question_that_differs_is_named_and_nothing_is_written(sets: list[Path], tmp_path: Path):
    out, other = tmp_path / "golden.jsonl", tmp_path / "other.jsonl"
    (item,) = GoldenSet.read(sets[0])
    GoldenSet((item.model_copy(update={"reference": "<b>41 kg</b>"}),)).write(other)
    result = merge(sets[0], other, "-o", out, fails=True)
    assert item.question in result.stderr
    assert "--prefer" in result.stderr
    assert not out.exists()
    assert item.question in merge(sets[0], other, "-o", out, "--prefer", "last").stdout
    assert [entry.reference for entry in GoldenSet.read(out)] == ["<b>41 kg</b>"]


def test_documents_show_which_set_is_not_about_them(sets: list[Path], tmp_path: Path):
    out = tmp_path / "golden.jsonl"
    result = merge(*sets, "-o", out, "--docs", tmp_path / "pump", fails=True)
    assert "'vent.md': no such document" in result.stderr
    assert not out.exists()


def test_what_is_no_golden_set_is_named(sets: list[Path], tmp_path: Path):
    (tmp_path / "log.jsonl").write_text('{"query": "Why?"}\n', encoding="utf-8")
    result = merge(sets[0], tmp_path / "log.jsonl", "-o", tmp_path / "g.jsonl", fails=True)
    assert "log.jsonl" in result.stderr
    assert "golden import" in result.stderr
