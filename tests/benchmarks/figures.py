"""The figures that README and docs claim: run their benchmarks, print what left its tolerance.

    python -m tests.benchmarks.figures                  # all, hours on two cores
    python -m tests.benchmarks.figures --list           # figures, values, when measured, how long
    python -m tests.benchmarks.figures --minutes 1      # only benchmarks that take so long at most
    python -m tests.benchmarks.figures --only store     # only those whose name has this in it
    python -m tests.benchmarks.figures --only rate --record   # take what was measured as the value

`make figures` is the first. Figures stand in `tests/golden/figures.toml`: a benchmark is a command
of `tests.benchmarks`; a figure is found in its output by a pattern, and may differ from its value
by `within` (of the same unit) or by `share` (a part of the value). What is measured in seconds
depends on the machine: on another one, look at counts and ratios first.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import tomllib

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "tests" / "golden" / "figures.toml"


@dataclass(frozen=True)
class Figure:
    """A figure.

    Attributes:
        name: What it says.
        value: What is claimed, or was measured last.
        pattern: Finds it in the output; its one group is the number.
        within: By how much it may differ.
        share: By what share of the value it may differ, if `within` is not given.
        at: Which of several matches it is.
        claimed: Where it is claimed.
    """

    name: str
    value: float
    pattern: str
    within: float | None = None
    share: float | None = None
    at: int = 0
    claimed: str = ""

    @property
    def tolerance(self) -> float:
        """By how much it may differ."""
        return self.within if self.within is not None else abs(self.value) * (self.share or 0.0)

    def found_in(self, output: str) -> float | None:
        """Return the number in the output of its benchmark; `None` if it is not there."""
        found = re.findall(self.pattern, output, flags=re.MULTILINE)
        if len(found) <= self.at:
            return None
        return float(found[self.at].replace(",", "").replace("−", "-"))

    def verdict(self, now: float | None) -> str:
        """Return "ok", or in words why not."""
        if now is None:
            return "not found in the output"
        inside = abs(now - self.value) <= self.tolerance + 1e-9
        return "ok" if inside else f"LEFT its tolerance of {self.tolerance:g}"


@dataclass(frozen=True)
class Benchmark:
    """A script with its arguments.

    Attributes:
        name: Names it.
        command: Module of `tests.benchmarks`, and arguments.
        minutes: How long it takes on two cores, about.
        measured: When its figures were measured last.
        figures: What it prints.
        needs: What must be there, in words; empty for nothing.
    """

    name: str
    command: str
    minutes: float
    measured: str
    figures: tuple[Figure, ...]
    needs: str = ""

    def run(self) -> str:
        """Return its output, errors included."""
        words = [sys.executable, "-m", *shlex.split(f"tests.benchmarks.{self.command}")]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, check=False,
        )  # fmt: skip
        return done.stdout


def read(path: Path = TABLE) -> tuple[Benchmark, ...]:
    """Return the benchmarks of a table."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return tuple(
        Benchmark(name, figures=tuple(Figure(**each) for each in entry.pop("figures")), **entry)
        for name, entry in data.items()
    )


def main(arguments: Sequence[str] | None = None, path: Path = TABLE) -> int:
    """Run benchmarks; return 1 if a figure left its tolerance."""
    options = _options(arguments)
    benchmarks = [
        each
        for each in read(path)
        if (options.only is None or options.only in each.name)
        and (options.minutes is None or each.minutes <= options.minutes)
    ]
    if not benchmarks:
        print("no benchmark has that name and that duration; --list shows all", file=sys.stderr)
        return 2
    print(f"{'now':>10} {'value':>10} {'within':>8}  figure")
    left = 0
    for each in benchmarks:
        duration = f"{each.minutes:g} min" + (f", needs {each.needs}" if each.needs else "")
        print(f"{each.name}: {each.command} ({duration}; measured {each.measured})", flush=True)
        output = "" if options.list else each.run()
        found = {figure.name: figure.found_in(output) for figure in each.figures}
        left += sum(_shown(figure, found[figure.name], options.list) for figure in each.figures)
        if options.record and None not in found.values():
            _record(path, each, {name: now for name, now in found.items() if now is not None})
        elif None in found.values() and not options.list:
            print(*output.splitlines()[-5:], sep="\n    | ")
    print("" if options.list else f"{left} figures left their tolerance")
    return int(bool(left))


def _shown(figure: Figure, now: float | None, listed: bool) -> bool:
    """Print the line of a figure; return whether it left its tolerance."""
    verdict = "" if listed else figure.verdict(now)
    number = "" if now is None else f"{now:g}"
    print(f"{number:>10} {figure.value:>10g} {figure.tolerance:>8.3g}  {figure.name}"
          + (f"  {verdict}" if verdict != "ok" else ""), flush=True)  # fmt: skip
    return verdict not in ("", "ok")


def _record(path: Path, benchmark: Benchmark, found: Mapping[str, float]) -> None:
    """Write what was measured into the table, in place of the values; all else stays."""
    text = path.read_text(encoding="utf-8")
    head, mark, rest = text.partition(f"[{benchmark.name}]\n")
    own, following, tail = rest.partition("\n[")
    own = re.sub(r'(?m)^measured = ".*"$', f'measured = "{date.today().isoformat()}"', own)
    for name, now in found.items():
        line = re.compile(rf"(name = {re.escape(_quoted(name))}, value = )[-+\d.e]+")
        own = line.sub(rf"\g<1>{now:g}", own)
    path.write_text(head + mark + own + following + tail, encoding="utf-8")


def _quoted(text: str) -> str:
    return f'"{text}"'


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", metavar="NAME", help="benchmarks whose name has this in it")
    parser.add_argument("--minutes", type=float, help="benchmarks that take so long at most")
    parser.add_argument("--list", action="store_true", help="run nothing")
    parser.add_argument("--record", action="store_true", help="take what is measured as values")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
