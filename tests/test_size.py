"""The ratchet: no room grows, and no mechanism spreads, without a line of reason in the table."""

from dataclasses import replace
from pathlib import Path

from tests.size import Room, Table, allowed, lowered, measured, violations, written

TABLE = Table({"a": Room(1000, 9, 30)}, {"workers": 4}, {})


def test_the_packages_are_no_larger_than_the_table_allows() -> None:
    wrong = violations(measured(), allowed())
    assert not wrong, "\n".join(wrong)


def test_what_grows_or_spreads_is_named_and_so_is_what_may_be_lowered() -> None:
    def said(room: Room, workers: int = 4) -> list[str]:
        return [line.partition(" allowed")[0] for line in violations(
            Table({"a": room}, {"workers": workers}, {}), TABLE)]  # fmt: skip

    assert said(Room(1000, 9, 30)) == []
    assert said(Room(980, 9, 30)) == []  # 20 lines are free, as is a fiftieth
    assert said(Room(1001, 9, 30)) == ["a: 1001 code lines, 1000"]
    assert said(Room(979, 9, 30)) == ["a: 979 code lines, 1000"]
    assert said(Room(1000, 10, 31)) == ["a: 10 files, 9", "a: 31 lines of the longest function, 30"]
    assert said(Room(1000, 9, 30), 5) == ["workers: 5 files that name it, 4"]
    assert len(violations(Table({"b": Room(1, 1, 1)}, {"workers": 4}, {}), TABLE)) == 2


def test_lowering_never_raises_and_drops_the_reason_of_what_it_lowers(tmp_path: Path) -> None:
    raised = Table({"a": Room(1000, 9, 30, 'it "reads" more')}, {"workers": 4}, {"workers": "why"})
    path = tmp_path / "size.toml"
    written(raised, path)
    assert allowed(path) == raised
    assert lowered(Table({"a": Room(1200, 10, 40)}, {"workers": 9}, {}), raised) == raised
    less = lowered(Table({"a": Room(900, 10, 40)}, {"workers": 3}, {}), raised)
    assert less == Table({"a": Room(900, 9, 30)}, {"workers": 3}, {})


def test_comments_docstrings_and_blank_lines_do_not_count(tmp_path: Path) -> None:
    room = tmp_path / "testset" / "room"
    room.mkdir(parents=True)
    (room / "page.py").write_text(
        '"""Says."""\n\n# why\nclass A:\n    """Is."""\n\n    x = 1\n    """An attribute."""\n\n'
        "    def f(self):\n        # a worker\n        return [\n            1,\n        ]\n"
    )
    now = measured(tmp_path)
    # class, x, def, and the three lines of the list.
    assert now.rooms["testset/room"] == Room(7 - 1, 1, 5)
    assert now.rooms["whole"] == replace(now.rooms["testset/room"])
    assert now.mechanisms["workers"] == 1
