"""How values become text that is the same everywhere, and how commands run in the harness."""

from pathlib import Path

from tests.golden.text import as_json, digest, lines_of, masked, signature_text
from tests.golden.workspace import inside, rag_eval


def test_what_differs_from_run_to_run_is_left_out_and_nothing_else_is() -> None:
    first = {"started": "2026-01-31T10:00:00+00:00", "score": 0.12345671, "seconds": 3.2, "n": 1}
    again = {"started": "2026-02-01T10:00:00+00:00", "score": 0.12345674, "seconds": 4.1, "n": 1}
    assert as_json(first) == as_json(again)
    assert as_json(first) != as_json({**first, "score": 0.12346})
    assert as_json(first) != as_json({**first, "n": 2})
    assert digest({"name": "latency", "mean": 1.0}) == digest({"name": "latency", "mean": 2.0})
    assert digest({"name": "cost", "mean": 1.0}) != digest({"name": "cost", "mean": 2.0})
    assert masked("in 3.2 s at 127.0.0.1:80, 4 of 5") == "in <duration> at 127.0.0.1:<port>, 4 of 5"
    assert lines_of({"b": 1, "a": [0.5]}) == '{\n "a": [0.5],\n "b": 1\n}\n'


def test_a_signature_says_names_kinds_defaults_and_types_wherever_these_stand() -> None:
    def function(a: Path, *more: "int | None", b: dict[str, Path] | None = None) -> list[Path]: ...

    expected = "(a: Path, *more: int | None, b: None | dict[str, Path]=None) -> list[Path]"
    assert signature_text(function) == expected


def test_a_command_runs_in_a_folder_with_its_exit_code_and_both_streams(tmp_path: Path) -> None:
    before = Path.cwd()
    with inside(tmp_path):
        done = rag_eval("more metrics faithfulnes")
        assert Path.cwd() == tmp_path.resolve()
    assert (done.code, done.stdout) == (2, "")
    assert done.stderr.startswith("error: no metric is named 'faithfulnes'")
    assert Path.cwd() == before
