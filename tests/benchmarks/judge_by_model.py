"""Have a model judge labelled samples through batch files, keep its replies, print its figures.

    python -m tests.benchmarks.judge_by_model write WORK        # as often as a round is missing
    python -m tests.benchmarks.judge_by_model shards WORK       # or: requests to read, 25 a file
    python -m tests.benchmarks.judge_by_model answers WORK FILE # {"custom_id", "reply"} a line
    python -m tests.benchmarks.judge_by_model record WORK --model NAME --date 2026-01-31
    python -m tests.benchmarks.judge_by_model                   # report: figures of what is on file

`write` draws samples from the labelled sets in `RAG_EVAL_DATA` (default `../shared/data` beside
the repository), scores them as far as there are replies in the folder WORK, and writes what is
missing there as `round-N.requests.jsonl`, which OpenAI and `vllm run-batch` take; their files of
replies go into WORK. Who answers sees no label.

`record` writes `tests/data/judgements/NAME-DATE.jsonl`: each reply under the id of what was asked.
The texts that were judged are not in it, so a report needs the labelled sets, and no model. A
changed prompt asks something else: the report says how many replies of which prompt it orphans. It
reads the files of a model together; where several have a reply to the same request, the newest
counts, and the report says how far the earlier ones decide alike.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from itertools import groupby
from pathlib import Path

from tests.benchmarks.measuring.records import MissingSetError
from tests.benchmarks.recorded.judging import Judged, both_forms, figures, judge_in, replay
from tests.benchmarks.recorded.records import (
    Asked,
    agreement,
    asked_in,
    batch_line,
    read_records,
    replies_in,
    unused,
    write_records,
)
from tests.benchmarks.recorded.task import Task
from tests.benchmarks.recorded.tasks import SOURCES, tasks_of

RECORDS = Path(__file__).parents[1] / "data" / "judgements"


def write(options: argparse.Namespace) -> None:
    """Score what can be, and write the requests that are missing as a round."""
    tasks = tasks_of(options.sources.split(","))
    judged, files = judge_in(options.work, tasks)
    show(tasks, judged)
    for path in files:
        names = Counter(asked.prompt for asked in asked_in(options.work, path.name))
        print(f"{path}: {sum(names.values())} requests ({_counted(names)})")


def shards(options: argparse.Namespace) -> None:
    """Write the requests without a reply to files that a person or a model can read."""
    replies = replies_in(options.work)
    open_ones = [asked for asked in asked_in(options.work) if asked.custom_id not in replies]
    open_ones.sort(key=lambda asked: (asked.prompt, asked.id))
    for number, start in enumerate(range(0, len(open_ones), options.size), start=1):
        path = options.work / f"shard-{number:02}.txt"
        path.write_text(shard(open_ones[start : start + options.size]), encoding="utf-8")
        print(f"{path}: {len(open_ones[start : start + options.size])} requests")


def shard(asked: Sequence[Asked]) -> str:
    """Return requests to read, with what several of them begin with written once."""
    parts = []
    for system, group in groupby(asked, key=lambda each: each.system):
        parts.append(f"##### SYSTEM, for each of the requests until the next one\n{system}")
        parts += [f"### REQUEST {each.custom_id}\n{each.user}" for each in group]
    return "\n\n".join(parts) + "\n"


def answers(options: argparse.Namespace) -> None:
    """Turn a file of simple answers into replies of a batch."""
    known = {asked.custom_id for asked in asked_in(options.work)}
    lines = []
    rows = filter(str.strip, options.file.read_text(encoding="utf-8").splitlines())
    for row in map(json.loads, rows):
        if row["custom_id"] not in known:
            print(f"{row['custom_id']!r} was not asked", file=sys.stderr)
            continue
        reply = row["reply"]
        text = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
        lines.append(batch_line(row["custom_id"], text, options.model))
    path = options.work / f"{options.file.stem}.replies.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(f"{path}: {len(lines)} replies")


def record(options: argparse.Namespace) -> None:
    """Keep the replies of a folder."""
    path = options.to / f"{options.model}-{options.date}.jsonl"
    asked, replies = list(asked_in(options.work)), replies_in(options.work)
    records = write_records(path, asked, replies, options.model, options.date)
    print(f"{path}: {len(records)} records of {len(replies)} replies")


def report(options: argparse.Namespace) -> None:
    """Print the figures of each model with files of records."""
    paths = options.files or sorted(RECORDS.glob("*-20*.jsonl"))
    for name, files in groupby(paths, key=lambda path: path.stem.rpartition("-20")[0]):
        records = [record for path in files for record in read_records(path)]
        who = {f"{each.model}, {each.date}" for each in records}
        print(f"{name}: {len(records)} replies by {'; '.join(sorted(who))}")
        tasks = tasks_of(options.sources.split(","))
        with tempfile.TemporaryDirectory() as folder:
            judged = replay(records, tasks, Path(folder))
        show(tasks, judged)
        for prompt, (count, alike, decided) in agreement(records, judged.used).items():
            print(f"{prompt} asked twice: {count} replies, {alike} of {decided} decisions alike")
        orphans, left = unused(records, judged.used)
        print(f"replies orphaned by a changed prompt: {_counted(orphans) or 'none'}")
        print(f"others that were not asked for: {_counted(left) or 'none'}\n")


def show(tasks: Sequence[Task], judged: Judged) -> None:
    """Print the figures."""
    print("| set | measure | n | | figure, 95 % interval |", "|---|---|---|---|---|", sep="\n")
    for row in figures(tasks, judged):
        print(f"| {' | '.join(map(str, row))} |")
    for measure, (count, alike, gap) in both_forms(tasks, judged).items():
        print(f"{measure} in one request and in separate ones: {alike} of {count} values alike, "
              f"{gap:.3f} apart on average")  # fmt: skip
    print(f"{len(tasks)} tasks: {len(judged.values)} judged, {judged.pending} pending, "
          f"{len(judged.failed)} failed; {judged.corrected} replies corrected")  # fmt: skip
    if judged.rounds:
        print(f"requests of the rounds: {', '.join(map(str, judged.rounds))}")
    for reason in judged.failed:
        print(f"failed: {reason}")


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a step; without one, print the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.set_defaults(step=report, files=[])
    parser.add_argument("--sources", default=",".join(SOURCES), help="separated by commas")
    steps = parser.add_subparsers()

    def step(does: Callable[[argparse.Namespace], None]) -> argparse.ArgumentParser:
        found = steps.add_parser(does.__name__, help=does.__doc__)
        found.set_defaults(step=does)
        if does is not report:
            found.add_argument("work", type=Path)
        return found

    step(write)
    step(shards).add_argument("--size", type=int, default=25)
    for each in (step(answers), step(record)):
        each.add_argument("--model", default="unknown")
    steps.choices["answers"].add_argument("file", type=Path)
    steps.choices["record"].add_argument("--date", default=date.today().isoformat())
    steps.choices["record"].add_argument("--to", type=Path, default=RECORDS)
    step(report).add_argument("files", type=Path, nargs="*")
    options = parser.parse_args(arguments)
    try:
        options.step(options)
    except MissingSetError as missing:
        print(missing, file=sys.stderr)


if __name__ == "__main__":
    main()
