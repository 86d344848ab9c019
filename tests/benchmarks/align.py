"""Align a judge to 30 labels, and measure it on 60 others, before and after.

    python -m tests.benchmarks.align write WORK SET      # as often as a round is missing
    python -m tests.benchmarks.judge_by_model shards WORK    # requests to read
    python -m tests.benchmarks.judge_by_model answers WORK FILE
    python -m tests.benchmarks.align record WORK SET --model NAME --date 2026-01-31
    python -m tests.benchmarks.align                     # report: figures of what is on file

`write` draws 90 answers of a labelled set in `RAG_EVAL_DATA`, one a question, none of which
`judge_by_model` has: 30 to align with, 60 held out. It asks through batch files in the folder WORK.
Who answers sees no label but those of the labelled cases that a prompt shows. The sets have no
reasons: `why` is made by rule from the label, the reference and the response.

`record` keeps the replies in `tests/data/judgements/align`, without the texts that were judged.
"""

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path

from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval import BatchOracle, Judge, Run, SingleTurnSample, evaluate
from llamaindex_rag_eval.decisions.align import Aligned, align
from llamaindex_rag_eval.decisions.labels import HumanLabel
from llamaindex_rag_eval.errors import PendingError
from llamaindex_rag_eval.stats.inference import mean_estimate
from llamaindex_rag_eval.stats.interval import Estimate
from llamaindex_rag_eval.stats.paired import paired_test
from tests.benchmarks.measuring.records import MissingSetError, Record, labels, read
from tests.benchmarks.recorded.copied import shortened
from tests.benchmarks.recorded.records import Recorded, asked_in, read_records, replies_in
from tests.benchmarks.recorded.task import sample_of
from tests.benchmarks.recorded.tasks import tasks_of

RECORDS = Path(__file__).parents[1] / "data" / "judgements" / "align"
METRIC = "answer_verdict"
LABELS, HELD_OUT = 30, 60
SEED = 31


def _is_correct(row: Record) -> bool:
    return labels([row], "correct")[0] == 1


SETS: Mapping[str, tuple[str, Callable[[Record], bool]]] = {
    "evouna_nq": ("evouna", _is_correct),
    "evouna_tq": ("evouna", _is_correct),
    "halluqa_zh": ("", _is_correct),
}
"""Set -> the source of `judge_by_model` whose samples are left out, and who is right."""


def drawn(name: str) -> tuple[list[SingleTurnSample], dict[str, HumanLabel]]:
    """Return 90 samples of a set, those to align with first, and all labels by id."""
    source, is_right = SETS[name]
    used = {task.id for task in tasks_of(tuple(filter(None, [source])))}
    groups: dict[str, list[Record]] = {}
    for row in read(name):
        groups.setdefault(str(row["group"]), []).append(row)
    draw = random.Random(SEED)
    fresh = sorted(g for g, rows in groups.items() if not used & {str(r["id"]) for r in rows})
    rows = [draw.choice(groups[group]) for group in draw.sample(fresh, min(90, len(fresh)))]
    samples = [
        sample_of(
            row, id=row["id"], reference=row["reference"], metadata={"conversation": row["group"]}
        )
        for row in rows
    ]
    people = {
        str(row["id"]): HumanLabel(
            str(row["id"]), METRIC, float(is_right(row)), why=_why(row, is_right(row))
        )
        for row in rows
    }
    return samples, people


def _why(row: Record, right: bool) -> str:
    """Return a reason as somebody in a hurry writes it; nobody read the answer for it."""
    names = str(row["reference"]).casefold().split("/")
    named = any(name.strip() in str(row["response"]).casefold() for name in names)
    return {
        (True, True): "What the reference names stands in it; that is enough.",
        (True, False): "In other words, but it answers the question well enough.",
        (False, True): "It names what the reference names, and is not a good answer all the same.",
        (False, False): "It does not give what the reference gives.",
    }[right, named]


def measured(folder: Path, name: str) -> tuple[Run, Aligned, Run | None, BatchOracle]:
    """Return the run before, what came of aligning, and the held-out run after.

    Raises:
        PendingError: Replies are missing; they are asked for in the next round.
    """
    llm = OpenAI(model="gpt-4o-mini", api_key="none", api_base="http://127.0.0.1:9/v1")
    oracle = BatchOracle(llm, None, folder)
    judge = Judge(oracle)
    samples, people = drawn(name)
    try:
        before = evaluate(samples, metrics=[METRIC], judge=judge, workers=1)
        if len(before.values(METRIC)) < len(samples):
            raise PendingError("the first round")
        taught = [people[sample.id] for sample in samples[:LABELS]]
        aligned = align(before, taught, metric=METRIC, judge=judge, take_rules=True)
        after = None
        if aligned.alignment.changes:
            better = aligned.alignment.of(judge)
            after = evaluate(samples[LABELS:], metrics=[METRIC], judge=better, workers=1)
            if len(after.values(METRIC)) < HELD_OUT:
                raise PendingError("the last round")
    except PendingError:
        oracle.write_round()
        raise
    return before, aligned, after, oracle


def show(name: str, before: Run, aligned: Aligned, after: Run | None) -> None:
    """Print what was proposed, and agreement on what was held out."""
    samples, people = drawn(name)
    print(f"{name}: {LABELS} labels; agreement {aligned.before.text()}, cross-validated:")
    for each in aligned.proposals:
        print(f"- {each.sentence}")
    held_out = [sample.id for sample in samples[LABELS:]]
    hits = _hits(before, people, held_out, 1.0)
    print(f"held out ({len(held_out)}): agreement before {_mean(hits).text()}")
    if after is None:
        print("after: the same, nothing was changed")
        return
    threshold = aligned.alignment.threshold
    again = _hits(after, people, held_out, 1.0 if threshold is None else threshold)
    test = paired_test([b - a for a, b in zip(hits, again, strict=True)], width=1.0)
    rise = Estimate.of(float(test.difference), test.interval(0.95))
    print(f"after {_mean(again).text()}, rise {rise.text()}")


def _hits(
    run: Run, people: Mapping[str, HumanLabel], ids: Sequence[str], threshold: float
) -> list[float]:
    scores = run.values(METRIC)
    return [float((scores[key] >= threshold) == (people[key].value >= 1)) for key in ids]


def _mean(hits: Sequence[float]) -> Estimate:
    return mean_estimate(hits, bounds=(0.0, 1.0))


def write(options: argparse.Namespace) -> None:
    """Ask what can be asked; with all replies, print the figures."""
    try:
        before, aligned, after, _ = measured(options.work, options.set)
    except PendingError as pending:
        print(f"{pending}: put the replies to the newest round into {options.work}")
        return
    show(options.set, before, aligned, after)


def record(options: argparse.Namespace) -> None:
    """Keep the replies of a folder."""
    replies = replies_in(options.work)
    rows = {
        asked.id: Recorded(
            asked.id,
            asked.prompt,
            "",
            shortened(replies[asked.custom_id], asked.user),
            options.model,
            options.date,
        )
        for asked in asked_in(options.work)
        if asked.custom_id in replies
    }
    path = RECORDS / f"{options.set}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(asdict(rows[key]), ensure_ascii=False) for key in sorted(rows)]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(f"{path}: {len(lines)} replies")


def report(_: argparse.Namespace) -> None:
    """Print the figures of what is on file."""
    for path in sorted(RECORDS.glob("*.jsonl")):
        known = {each.id: each for each in read_records(path)}
        with tempfile.TemporaryDirectory() as name:
            folder, written = Path(name), 0
            while True:
                try:
                    before, aligned, after, _oracle = measured(folder, path.stem)
                except PendingError:
                    asked = [each for each in asked_in(folder) if each.id in known]
                    lines = {each.custom_id: known[each.id].line(each) for each in asked}
                    if len(lines) == written:
                        print(f"{path.stem}: the prompts have changed, or replies are missing")
                        break
                    written = len(lines)
                    text = "".join(f"{line}\n" for line in lines.values())
                    (folder / "replies.jsonl").write_text(text, encoding="utf-8")
                    continue
                show(path.stem, before, aligned, after)
                break


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a step; without one, print the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.set_defaults(step=report)
    steps = parser.add_subparsers()
    for does in (write, record):
        step = steps.add_parser(does.__name__, help=does.__doc__)
        step.set_defaults(step=does)
        step.add_argument("work", type=Path)
        step.add_argument("set", choices=[*SETS])
    steps.choices["record"].add_argument("--model", default="unknown")
    steps.choices["record"].add_argument("--date", default=date.today().isoformat())
    options = parser.parse_args(arguments)
    try:
        options.step(options)
    except MissingSetError as missing:
        print(missing, file=sys.stderr)


if __name__ == "__main__":
    main()
