from pathlib import Path

import pytest

from llamaindex_rag_eval.decisions import sweep_file
from llamaindex_rag_eval.decisions.sweep_file import read_sweep
from llamaindex_rag_eval.errors import DatasetError, EngineError

WHOLE = """\
golden: golden.jsonl
engines:
  - factory: tests.decisions.engines:make
    grid:
      rate: [0.1, 0.2]
      twin: a
  - factory: tests.decisions.engines:fails
    name: bad
metrics: exact_match
margin: 0.05
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "sweep.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_is_read_with_its_settings_and_its_paths(tmp_path: Path) -> None:
    found = read_sweep(written(tmp_path, WHOLE))
    assert found.golden == tmp_path / "golden.jsonl"
    assert [one.name for one in found.settings()] == ["rate=0.1 twin=a", "rate=0.2 twin=a", "bad"]
    assert found.metrics == ("exact_match",)
    assert found.margin == 0.05


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{WHOLE}margn: 1\n", "unknown key 'margn'; expected golden, engines, metrics"),
        (WHOLE.replace("    name: bad", "    nome: bad"), "'engines.2': unknown key 'nome'"),
        (WHOLE.replace("margin: 0.05", "margin: wide"), "field 'margin': should be a val"),
        (WHOLE.replace("golden: golden.jsonl\n", ""), "'golden' is missing"),
        (
            WHOLE.replace("  - factory: tests.decisions.engines:fails\n    name", "  - name"),
            "field 'engines.2': 'factory' is missing",
        ),
        ("golden: [", "line 1: expected YAML"),
        ("golden: \x1b", "expected YAML: unacceptable character"),
        ("golden: &a [*a]", "field 'golden': Input is not a valid path"),
        ("", "'golden' is missing"),
        ("- a", "should be a valid dictionary"),
        (
            "golden: g\nengines: []",
            "field 'engines': expected at least one entry, got none",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DatasetError) as raised:
        read_sweep(written(tmp_path, text))
    assert message in str(raised.value)


def test_a_missing_file_and_a_missing_function_are_named(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="cannot be read"):
        read_sweep(tmp_path / "none.yaml")
    found = read_sweep(written(tmp_path, WHOLE.replace("engines:fails", "engines:none")))
    with pytest.raises(EngineError, match="has no 'none'"):
        found.settings()


def test_yaml_makes_no_objects(tmp_path: Path) -> None:
    text = WHOLE.replace("margin: 0.05", "margin: !!python/object/apply:os.getcwd []")
    with pytest.raises(DatasetError, match="could not determine a constructor"):
        read_sweep(written(tmp_path, text))


def test_the_example_in_the_documentation_is_a_sweep(tmp_path: Path) -> None:
    text = (sweep_file.__doc__ or "").partition("\n\n")[2].partition("\n\nAlso")[0]
    found = read_sweep(written(tmp_path, "\n".join(line[4:] for line in text.splitlines())))
    assert [entry.factory for entry in found.engines] == [
        "my_app:make_engine",
        "my_app:make_hybrid",
    ]
    assert found.engines[1].grid == {"alpha": (0.3, 0.7), "top_k": (5,)}
