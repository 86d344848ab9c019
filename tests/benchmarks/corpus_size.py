"""How long planning takes over many documents, the first time and again, and what it takes up.

    python -m tests.benchmarks.corpus_size                          # 1,000 and 10,000 documents
    python -m tests.benchmarks.corpus_size --documents 100000       # some minutes

Planning is all that comes before the first question: reading, cutting into passages,
near-duplicates, topics, both retrievers, and the passages of 50 questions. The documents are made:
Markdown of three sections, with lists and tables, of about 1,400 characters; one in twenty repeats
another. Each round runs in a process of its own. Memory is the most that all its processes together
take up; CPU is the time of all of them, which depends less on what else the machine does.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from threading import Event, Thread

from testset import Corpus
from testset.corpus.prepared import PreparedCorpus
from testset.generation.mixes import MODEL_TYPES
from testset.generation.passages import Passages
from testset.generation.quotas import Stratum, balanced_topics, largest_remainder

SIZES = (1_000, 10_000)
QUESTIONS = 50
PER_FOLDER = 1_000
SUBJECTS = 200
REPEATED = 20
"""One document in so many repeats an earlier one."""
CONSONANTS, VOWELS = "bcdfghklmnpr", "aeio"
COMMON = (
    "the",
    "of",
    "and",
    "a",
    "in",
    "to",
    "is",
    "for",
    "with",
    "on",
    "that",
    "by",
    "from",
    "at",
)
EVERY = 0.2
"""Seconds between two looks at the memory."""


def made(number: int) -> str:
    """Return the text of a document."""
    if number % REPEATED == REPEATED - 1:
        return made(number - 1).replace("Record", "Note", 1)
    draw = Random(number)
    subject = Random(number % SUBJECTS)
    own = [_word(subject) for _ in range(60)]
    name = f"{_word(draw)} {_word(draw)}".title()

    def sentence() -> str:
        count = draw.randrange(9, 18)
        words = [
            draw.choice(COMMON) if draw.random() < 0.45 else own[int(60 * draw.random() ** 2)]
            for _ in range(count)
        ]
        words[draw.randrange(count)] = draw.choice([_word(draw), str(draw.randrange(9_999)), name])
        return " ".join(words).capitalize() + "."

    def section(kind: int) -> str:
        lines = [" ".join(sentence() for _ in range(4))]
        if kind == 1:
            lines += [f"- {sentence()}" for _ in range(3)]
        if kind == 2:
            rows = [f"| {_word(draw)} | {draw.randrange(900)} kg |" for _ in range(3)]
            lines += ["| part | mass |\n|---|---|\n" + "\n".join(rows)]
        return "\n\n".join([f"## {own[kind].title()} of {name}", lines[0], "\n".join(lines[1:])])

    parts = "\n\n".join(section(kind) for kind in range(3))
    return f"# Record of {name}\n\n{parts}\n"


def _word(draw: Random) -> str:
    return "".join(
        draw.choice(letters)
        for _ in range(draw.randrange(2, 5))
        for letters in (CONSONANTS, VOWELS)
    )


def write_documents(folder: Path, count: int) -> None:
    """Write documents into folders of a thousand."""
    for number in range(count):
        path = folder / f"{number // PER_FOLDER:03}" / f"{number:06}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(made(number), encoding="utf-8")


def planned(folder: Path) -> None:
    """Plan 50 questions over a folder, and print what it took; run in a process of its own."""
    started, stages, last = time.perf_counter(), {}, time.perf_counter()

    def tell(stage: str, done: int, total: int) -> None:
        del done, total
        stages[stage] = round(time.perf_counter() - started, 1)

    with Memory() as memory:
        corpus = Corpus.read(folder)
        prepared = PreparedCorpus.of(corpus, tell=tell)
        passages = Passages(prepared, seed=7)
        counts = largest_remainder(dict(MODEL_TYPES.items()), QUESTIONS)
        types = [name for name, count in counts.items() for _ in range(count)]
        topics = balanced_topics(prepared.passages_per_topic(), types)
        taken = [passages.take(Stratum(*cell)) for cell in zip(topics, types, strict=True)]
        last = time.perf_counter()
    spent = os.times()
    row = {
        "passages": len(prepared.index.passages),
        "topics": len(set(prepared.topics.values())),
        "taken": sum(map(bool, taken)),
        "wall": last - started,
        "cpu": spent.user + spent.system + memory.cpu_of_others,
        "mb": memory.most,
        "stages": stages,
    }
    print(json.dumps(row))


class Memory:
    """Looks at the memory of this process and of those it started, until the block ends.

    Attributes:
        most: Megabytes that all of them together took up at most; what they share counts once.
        cpu_of_others: Seconds of CPU of the processes it started.
    """

    def __init__(self) -> None:
        self.most, self.cpu_of_others = 0.0, 0.0
        self._cpu: dict[int, float] = {}
        self._ended = Event()
        self._thread = Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "Memory":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        self.cpu_of_others = sum(self._cpu.values())

    def _watch(self) -> None:
        while not self._ended.wait(EVERY):
            family = _family(os.getpid())
            self.most = max(self.most, sum(map(_megabytes, family)))
            for process in family:
                if process != os.getpid():
                    self._cpu[process] = max(self._cpu.get(process, 0.0), _cpu(process))


def _family(process: int) -> list[int]:
    """Return a process and all that it started."""
    found = [process]
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:
            continue
        found += [each for child in children for each in _family(int(child))]
    return found


def _megabytes(process: int) -> float:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def _cpu(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measured(folder: Path) -> dict[str, float]:
    """Return what a fresh process measures."""
    command = [sys.executable, "-m", "tests.benchmarks.corpus_size", "--folder", str(folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--documents", type=int, nargs="*", default=SIZES)
    options.add_argument("--folder", type=Path, help="plan over this folder alone, once")
    given = options.parse_args()
    if given.folder:
        return planned(given.folder)
    print("documents  passages  round   wall s   CPU s   peak MB  index MB   load")
    for count in given.documents:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            write_documents(folder, count)
            for name in ("first", "second"):
                row = measured(folder)
                index = sum(path.stat().st_size for path in folder.glob(".rag-eval/**/*.*"))
                print(
                    f"{count:9,} {row['passages']:9,}  {name:6} {row['wall']:7.1f} "
                    f"{row['cpu']:7.1f} {row['mb']:9,.0f} {index / 1e6:9,.0f} "
                    f"{os.getloadavg()[0]:6.1f}  {row['stages']}",
                    flush=True,
                )
    return None


if __name__ == "__main__":
    main()
