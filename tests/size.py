"""How large the packages are: code lines by room, and how far each mechanism reaches.

    python -m tests.size            # the table, beside the most that is allowed
    python -m tests.size --lower    # lower what is allowed to what is there; never raises it
    python -m tests.size --record   # allow what is there; what rises needs a reason, by hand

Code lines are neither blank nor only a comment nor part of a docstring. A room is a package with
all below it. What is allowed stands in `tests/size.toml`; `test_size.py` holds the packages to it.
"""

import argparse
import ast
import io
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import tomllib

ROOT = Path(__file__).parents[1]
TABLE = Path(__file__).with_suffix(".toml")
PACKAGES = ("llamaindex_rag_eval", "testset")

MECHANISMS: Mapping[str, str] = {
    "batch files": r"\bbatch_|Batch[A-Z]|\bPending\b|\bpending\b",
    "clusters": r"[Cc]luster",
    "workers": r"[Ww]orker",
    "checkpoint": r"[Cc]heckpoint",
    "leases": r"\b[Ll]eases?\b|\bClaims\(|models\.claims|models\.lease",
    "Ray": r"\bray\b|on_ray",
}
"""Mechanism -> what a file that knows of it names."""

SLACK = 0.02
"""Share of an allowed number that may be free before it has to be lowered."""

LEAST_SLACK = 20
"""Code lines that may be free in any room."""

WHOLE = "whole"


@dataclass(frozen=True)
class Room:
    """What is counted of a room, or allowed.

    Attributes:
        code: Code lines.
        files: Files.
        longest: Lines of the longest function, with its docstring.
        reason: Why more is allowed than before; empty where nothing was raised.
    """

    code: int
    files: int
    longest: int
    reason: str = ""


@dataclass(frozen=True)
class Table:
    """Rooms by their paths, and for each mechanism the number of files that name it."""

    rooms: Mapping[str, Room]
    mechanisms: Mapping[str, int]
    reasons: Mapping[str, str]


def code_lines(text: str) -> int:
    """Return the number of code lines of a Python file.

    Example:
        >>> code_lines('\"\"\"Says.\"\"\"\\n\\n# why\\nx = 1  # one\\ny = [\\n    2,\\n]\\n')
        4
    """
    silent: set[int] = set()
    for node in _nodes(text):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                silent.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(text.splitlines(), 1)
    shown = (number for number, line in lines if line.strip()[:1] not in ("", "#"))
    return sum(number not in silent for number in shown)


@lru_cache(1)
def _nodes(text: str) -> Sequence[ast.AST]:
    return [*ast.walk(ast.parse(text))]


def longest_function(text: str) -> int:
    """Return the number of lines of the longest function of a file; 0 without any."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    functions = (node for node in _nodes(text) if isinstance(node, kinds))
    return max(((f.end_lineno or f.lineno) - f.lineno + 1 for f in functions), default=0)


def measured(root: Path = ROOT) -> Table:
    """Return what is there."""
    rooms: dict[str, list[tuple[int, int]]] = {}
    named = dict.fromkeys(MECHANISMS, 0)
    for path, text in _product_files(root):
        size = code_lines(text), longest_function(text)
        for name in {_room(path.relative_to(root)), WHOLE}:
            rooms.setdefault(name, []).append(size)
        for name, pattern in MECHANISMS.items():
            named[name] += bool(re.search(pattern, text))
    return Table(
        {
            name: Room(sum(code for code, _ in found), len(found), max(long for _, long in found))
            for name, found in rooms.items()
        },
        named,
        {},
    )


def _product_files(root: Path) -> Iterator[tuple[Path, str]]:
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            yield path, path.read_text(encoding="utf-8")


def _room(path: Path) -> str:
    return "/".join(path.parts[:2]) if len(path.parts) > 2 else path.parts[0]


def allowed(path: Path = TABLE) -> Table:
    """Return what is allowed."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    mechanisms = data["mechanisms"]
    return Table(
        {name: Room(**values) for name, values in data["rooms"].items()},
        {name: entry["files"] for name, entry in mechanisms.items()},
        {name: entry["reason"] for name, entry in mechanisms.items() if "reason" in entry},
    )


def written(table: Table, path: Path = TABLE) -> None:
    """Write what is allowed, a line for each room and mechanism."""
    out = io.StringIO()
    out.write(
        "# Code lines, files and the longest function of each room, and the files that name\n"
    )
    out.write("# each mechanism. Lower by `python -m tests.size --lower`; raise by hand, with a\n")
    out.write('# reason beside it: `reason = "…"`.\n\n[rooms]\n')
    for name, room in sorted(table.rooms.items()):
        reason = f", reason = {_quoted(room.reason)}" if room.reason else ""
        numbers = f"code = {room.code}, files = {room.files}, longest = {room.longest}"
        out.write(f"{_quoted(name)} = {{ {numbers}{reason} }}\n")
    out.write("\n[mechanisms]\n")
    for name, files in table.mechanisms.items():
        reason = f", reason = {_quoted(table.reasons[name])}" if name in table.reasons else ""
        out.write(f"{_quoted(name)} = {{ files = {files}{reason} }}\n")
    path.write_text(out.getvalue(), encoding="utf-8")


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def violations(now: Table, most: Table) -> list[str]:
    """Return what is larger than allowed, and what is so much smaller that it has to be lowered."""
    found = [f"{name}: a new room; add it to the table" for name in now.rooms.keys() - most.rooms]
    found += [f"{name}: gone; lower the table" for name in most.rooms.keys() - now.rooms]
    for name in sorted(now.rooms.keys() & most.rooms.keys()):
        room, limit = now.rooms[name], most.rooms[name]
        found += _over(name, "code lines", room.code, limit.code, lines=True)
        found += _over(name, "files", room.files, limit.files)
        found += _over(name, "lines of the longest function", room.longest, limit.longest)
    for name, files in now.mechanisms.items():
        found += _over(name, "files that name it", files, most.mechanisms.get(name, 0))
    return found


def _over(name: str, what: str, now: int, most: int, *, lines: bool = False) -> Iterator[str]:
    free = max(LEAST_SLACK, int(most * SLACK)) if lines else 0
    if now > most:
        yield f"{name}: {now} {what}, {most} allowed; raise it with a reason, or make it smaller"
    elif now < most - free:
        yield f"{name}: {now} {what}, {most} allowed; lower it: python -m tests.size --lower"


def lowered(now: Table, most: Table) -> Table:
    """Return what is allowed, lowered to what is there; nothing rises but what is new."""
    rooms = {}
    for name, room in now.rooms.items():
        limit = most.rooms.get(name, room)
        least = Room(
            min(room.code, limit.code),
            min(room.files, limit.files),
            min(room.longest, limit.longest),
            limit.reason,
        )
        rooms[name] = least if least == limit else replace(least, reason="")
    mechanisms = {name: min(n, most.mechanisms.get(name, n)) for name, n in now.mechanisms.items()}
    kept = {k: why for k, why in most.reasons.items() if mechanisms.get(k) == most.mechanisms[k]}
    return Table(rooms, mechanisms, kept)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, or write it; return 1 if something is larger than allowed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lower", action="store_true", help="lower what is allowed")
    parser.add_argument("--record", action="store_true", help="allow what is there")
    options = parser.parse_args(arguments)
    now = measured()
    if options.record:
        written(now)
    elif options.lower:
        written(lowered(now, allowed()))
    most = allowed()
    print(f"{'room':34} {'code':>6} {'allowed':>8} {'files':>6} {'longest':>8}")
    for name, room in sorted(now.rooms.items(), key=lambda entry: (-entry[1].code, entry[0])):
        limit = most.rooms.get(name, Room(0, 0, 0))
        print(f"{name:34} {room.code:6} {limit.code:8} {room.files:6} {room.longest:8}")
    for name, files in now.mechanisms.items():
        print(f"files that name {name:18} {files:6} {most.mechanisms.get(name, 0):8}")
    wrong = violations(now, most)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
