"""How much disk a plain install takes, and what each dependency adds that no other one needs.

    python -m tests.benchmarks.install_size                   # installs into a temporary folder
    python -m tests.benchmarks.install_size scipy pdfplumber  # also: what is left without these

Bytecode is not counted. MB are 10^6 bytes of the files; `du` shows a few percent more.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Mapping
from importlib.metadata import Distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PACKAGE = "llamaindex-rag-eval"


def installed(folder: Path) -> dict[str, Distribution]:
    """Install the package into a folder, and return what is there, by name."""
    uv = [str(Path(sys.executable).with_name("uv")), "pip", "install", "--quiet"]
    subprocess.run([*uv, "--target", str(folder), str(ROOT)], check=True)
    return {_plain(each.name): each for each in distributions(path=[str(folder)])}


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def size_of(distribution: Distribution) -> int:
    """Return the bytes of its files, without bytecode."""
    paths = (Path(str(file.locate())) for file in distribution.files or ())
    return sum(p.stat().st_size for p in paths if p.suffix != ".pyc" and p.is_file())


def needed_by(distribution: Distribution) -> Iterator[str]:
    """Yield the names of what a package needs, without its extras."""
    for line in distribution.requires or ():
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield _plain(requirement.name)


def reached(needs: Mapping[str, Collection[str]], without: Collection[str] = ()) -> set[str]:
    """Return what is installed if the package itself does not need some others."""
    names, waiting = {PACKAGE}, [name for name in needs[PACKAGE] if name not in without]
    while waiting:
        name = waiting.pop()
        if name in needs and name not in names:
            names.add(name)
            waiting += needs[name]
    return names


def main() -> None:
    """Print the table, the largest first."""
    with tempfile.TemporaryDirectory() as folder:
        packages = installed(Path(folder))
        sizes = {name: size_of(each) for name, each in packages.items()}
        needs = {name: [*needed_by(each)] for name, each in packages.items()}

    def megabytes(without: Collection[str] = ()) -> float:
        return sum(sizes[name] for name in reached(needs, without)) / 1e6

    whole = megabytes()
    print(f"{whole:.0f} MB, {len(reached(needs))} packages")
    rows = []
    for name in needs[PACKAGE]:
        only = sorted(reached(needs) - reached(needs, [name]), key=lambda n: -sizes[n])
        rows.append((whole - megabytes([name]), sizes[name] / 1e6, name, ", ".join(only[:5])))
    print("\nleaves with it   itself   dependency: what leaves, the largest first")
    for gone, own, name, leaves in sorted(rows, reverse=True):
        print(f"{gone:11.1f} MB {own:5.1f} MB   {name}: {leaves or 'nothing, others need it'}")
    if without := sys.argv[1:]:
        print(f"\nwithout {', '.join(without)}: {megabytes(without):.0f} MB")


if __name__ == "__main__":
    main()
