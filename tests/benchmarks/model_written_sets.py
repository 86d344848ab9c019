"""Golden sets that a model wrote through batch files: what was kept, and at what cost.

    python -m tests.benchmarks.model_written_sets write WORK     # as often as a round is missing
    python -m tests.benchmarks.model_written_sets shards WORK     # or: requests to read, 25 a file
    python -m tests.benchmarks.model_written_sets answers WORK FILE
    python -m tests.benchmarks.model_written_sets record WORK --model NAME --date 2026-01-31
    python -m tests.benchmarks.model_written_sets [--show]        # report: by the replies on file

A set is asked for of each of three folders in `RAG_EVAL_DATA` (default `../shared/data` beside the
repository), all at once in one folder of batch files: of the folders that prompts were mended on,
or with `--folders unseen` of three others. Records are kept in `tests/data/written`:
what a reply copies from its request is kept as its place there, so that no document is in them, and
a report needs the documents, and no model. `verdicts.json` says of each item, by its id, what a
reader made of it: keep, mend or drop, and why.
"""

import argparse
import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from llama_index.core.utils import get_tokenizer
from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval.errors import PendingError
from llamaindex_rag_eval.models import BatchOracle
from tests.benchmarks import judge_by_model
from tests.benchmarks.recorded.copied import restored
from tests.benchmarks.recorded.records import (
    Recorded,
    asked_in,
    read_records,
    replies_in,
    write_records,
)
from tests.corpora import data_folder
from testset import GoldenSet, agenerate
from testset.golden.item import QuestionType

KEPT = Path(__file__).parents[1] / "data" / "written"
FOLDERS = {
    "seen": {"tts_en": 12, "gesetze_de": 9, "fastapi_zh": 9},
    "unseen": {"flask": 8, "gitlab_ja_s": 6, "tidb_zh": 6},
}
"""Whether sets of them were read before prompts were mended -> folders of documents -> how many
questions are asked for."""
SEEDS = {"seen": 7, "unseen": 23}
"""Which passages of those folders are drawn; those of the unseen ones had not been read."""
TYPES: Mapping[QuestionType, float] = {
    "single_hop": 0.25,
    "multi_hop": 0.22,
    "unanswerable": 0.12,
    "conditional": 0.09,
    "situational": 0.09,
    "table": 0.06,
    "double": 0.06,
    "conversational": 0.06,
    "false_premise": 0.05,
}
STEPS = 2

Sets = Mapping[str, GoldenSet]
"""Folder of documents -> its golden set, as far as it is done."""


def written_in(folder: Path, asked: str) -> tuple[Sets, tuple[Path, ...]]:
    """Write as far as there are replies; return the sets that are done, the next round's files.

    Args:
        folder: The batch files.
        asked: Which of `FOLDERS`.
    """
    sizes, seed = FOLDERS[asked], SEEDS[asked]
    llm = OpenAI(model="gpt-4o-mini", api_key="none", api_base="http://127.0.0.1:9/v1")
    oracle = BatchOracle(llm, None, folder)

    async def one(name: str, size: int) -> GoldenSet | None:
        documents = data_folder() / "documents" / name
        try:
            return await agenerate(
                documents, size=size, types=TYPES, judge=oracle, steps=STEPS, seed=seed
            )
        except PendingError:
            return None

    async def each() -> list[GoldenSet | None]:
        return await asyncio.gather(*(one(name, size) for name, size in sizes.items()))

    found = zip(sizes, asyncio.run(each()), strict=True)
    done = {name: golden for name, golden in found if golden is not None}
    return done, oracle.write_round()


def write(options: argparse.Namespace) -> None:
    """Write as far as there are replies, and the requests that are missing as a round."""
    done, files = written_in(options.work, options.folders)
    for name, golden in done.items():
        print(f"{name}: {len(golden)} items")
        golden.write(options.work / f"{name}.golden")
    for path in files:
        names = Counter(asked.prompt for asked in asked_in(options.work, path.name))
        print(f"{path}: {sum(names.values())} requests {dict(names)}")


def record(options: argparse.Namespace) -> None:
    """Keep the replies of a folder."""
    asked, replies = list(asked_in(options.work)), replies_in(options.work)
    path = KEPT / f"{options.folders}-{options.model}-{options.date}.jsonl"
    print(
        f"{path}: {len(write_records(path, asked, replies, options.model, options.date))} records"
    )


def report(options: argparse.Namespace) -> None:
    """Print what came of each file of records."""
    verdicts = json.loads((KEPT / "verdicts.json").read_text(encoding="utf-8"))
    for path in sorted(KEPT.glob("*.jsonl")):
        with tempfile.TemporaryDirectory() as folder:
            asked = path.name.partition("-")[0]
            done, rounds, tokens = replay(read_records(path), Path(folder), asked)
        print(f"{path.name}: {len(rounds)} rounds of {', '.join(map(str, rounds))} requests\n")
        show(done, verdicts, whole=options.show)
        items = sum(map(len, done.values()))
        print(f"\n{sum(rounds) / items:.1f} calls and {tokens / items:,.0f} tokens for each item")


def replay(records: Sequence[Recorded], folder: Path, of: str) -> tuple[Sets, list[int], int]:
    """Write with the replies on file; return the sets, the requests a round, and all tokens."""
    known = {record.id: record for record in records}
    count, tokens = get_tokenizer(), 0
    rounds: list[int] = []
    while True:
        done, files = written_in(folder, of)
        asked = [each for path in files for each in asked_in(folder, path.name)]
        lines = []
        for each in asked:
            if each.id in known:
                lines.append(known[each.id].line(each))
                reply = restored(known[each.id].reply, each.user)
                tokens += sum(len(count(text)) for text in (each.system, each.user, reply))
        if not lines:
            return done, rounds, tokens
        rounds.append(len(lines))
        path = folder / f"replies-{len(rounds)}.jsonl"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def show(done: Sets, verdicts: Mapping[str, Mapping[str, str]], *, whole: bool) -> None:
    """Print a table of the sets by type; with `whole`, each item and its verdict."""
    print(
        "| set | items | keep | mend | drop | not read | types |",
        "|---|---|---|---|---|---|---|",
        sep="\n",
    )
    for name, golden in done.items():
        said = Counter(verdicts.get(item.id, {}).get("verdict", "") for item in golden)
        types = Counter(item.type for item in golden).most_common()
        counted = ", ".join(f"{number} {type_}" for type_, number in types)
        figures = " | ".join(str(said[word]) for word in ("keep", "mend", "drop", ""))
        print(f"| {name} | {len(golden)} | {figures} | {counted} |")
        rejected = Counter(entry.check for entry in golden.rejected)
        print(
            f"\nrejected: {dict(rejected)}; {golden.facts.get('repaired', '')}\n" if whole else "",
            end="",
        )
        for item in golden if whole else ():
            print(f"- {item.id} {item.type}, {verdicts.get(item.id, {})}")
            for turn in item.turns:
                print(f"  ({turn.role}) {turn.content}")
            print(f"  Q {item.question}\n  A {item.reference}")
            for group in item.gold:
                quotes = " / ".join(span.quote for span in group)
                print(f"  = {quotes}  [{group[0].doc_id}: {'; '.join(group[0].setting)}]")


def main() -> None:
    """Run one step, by default the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.set_defaults(run=report, show=False)
    parser.add_argument("--show", action="store_true", help="print each item")
    steps = parser.add_subparsers()
    for name, run in (
        ("write", write),
        ("shards", judge_by_model.shards),
        ("answers", judge_by_model.answers),
        ("record", record),
    ):
        step = steps.add_parser(name, help=run.__doc__)
        step.set_defaults(run=run, size=25, model="model", folders="seen")
        step.add_argument("work", type=Path)
        if name in ("write", "record"):
            step.add_argument("--folders", choices=tuple(FOLDERS))
        if name == "shards":
            step.add_argument("--size", type=int)
        if name == "answers":
            step.add_argument("file", type=Path)
        if name == "record":
            step.add_argument("--model", required=True)
            step.add_argument("--date", required=True)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
