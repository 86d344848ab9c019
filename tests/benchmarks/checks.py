"""The checks of golden items over labelled drafts: precision and recall of each, and of them all.

    python -m tests.benchmarks.checks [--sets made,verdicts,drafts] [--show]
    python -m tests.benchmarks.checks --every 5 --by-model WORK   # as often as a round is missing
    python -m tests.benchmarks.checks --records FILE      # with replies on file

Drafts are made from the corpora in `RAG_EVAL_DATA` (default `../shared/data` beside the
repository): human questions as they are, and with one fault each. A reader has labelled the others.
What rejects a draft is right if the draft is bad. Each check sees every draft, also those that a
check before it rejects; the cascade stops at the first rejection.

With `--by-model`, requests without a reply are written to the folder WORK; `shards`, `answers` and
`record` of `tests.benchmarks.judge_by_model` turn them into replies and keep those.
"""

import argparse
import asyncio
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from llamaindex_rag_eval.judge import Judge, judge_of
from tests.benchmarks.drafted.labelled import LabelledDraft, read_drafts, read_verdicts
from tests.benchmarks.drafted.made import made_drafts
from tests.benchmarks.recorded.judging import Judged, judge_in, replay
from tests.benchmarks.recorded.records import read_records
from tests.benchmarks.recorded.task import Task, Values
from tests.corpora import data_folder
from testset.checks.duplicate import AskedQuestions
from testset.checks.run import RULE_CHECKS, CheckContext, run_model_checks, run_rule_checks
from testset.corpus.index import CorpusIndex

SETS = {"made": made_drafts, "verdicts": read_verdicts, "drafts": read_drafts}
CASCADE = "all checks"
MENDED = "mended"
"""What a draft is that no check rejects, and that its examiner does not leave as it stands."""

Rejections = Mapping[str, str]
"""Check -> why it rejects a draft; `CASCADE` -> which check does so first."""


async def by_rule(labelled: LabelledDraft, index: CorpusIndex, judge: Judge) -> Rejections:
    """Return which checks reject a draft, each for itself, and which of them all is the first."""
    context = CheckContext(index, AskedQuestions(), judge)
    found: dict[str, str] = {}
    for name in RULE_CHECKS:
        alone = await run_rule_checks(labelled.draft, context, only={name})
        if alone.rejected_by:
            found[name] = alone.reason
    report = await run_rule_checks(labelled.draft, context)
    return {**found, CASCADE: report.rejected_by} if report.rejected_by else found


async def model_values(labelled: LabelledDraft, index: CorpusIndex, judge: Judge) -> Values:
    """Return the check by which a model's cascade rejects a draft, or `MENDED` if it changes it."""
    draft = replace(labelled.draft, verbatim=False)
    context = CheckContext(index, AskedQuestions(), judge)
    report = await run_model_checks(draft, context)
    is_mended = not report.rejected_by and context.examiner.mended(draft) is not None
    return {MENDED if is_mended else report.rejected_by: 1.0}


def one_in(count: int, drafts: Sequence[LabelledDraft]) -> list[LabelledDraft]:
    """Return one draft in so many of each set, half, language and fault."""
    seen: Counter[tuple[str, ...]] = Counter()
    found = []
    for each in drafts:
        group = (each.set, each.half, each.draft.language, each.fault)
        if seen[group] % count == 0:
            found.append(each)
        seen[group] += 1
    return found


def tasks_of(drafts: Sequence[LabelledDraft], indexes: Mapping[str, CorpusIndex]) -> list[Task]:
    """Return the drafts as tasks of a model."""
    return [
        Task(each.set, str(number), {}, partial(model_values, each, indexes[each.corpus]))
        for number, each in enumerate(drafts)
    ]


def rejections_of(judged: Judged) -> dict[int, Rejections]:
    """Return what a model's cascade rejects, by the number of the draft."""
    return {
        number: {name: name for check in values for name in (check, CASCADE) if check}
        for number, values in judged.values.items()
    }


def print_tables(drafts: Sequence[LabelledDraft], found: Mapping[int, Rejections]) -> None:
    """Print precision and recall by check, then what the cascade keeps by language and fault."""
    for name, half in dict.fromkeys((each.set, each.half) for each in drafts):
        own = {n: each for n, each in enumerate(drafts) if (each.set, each.half) == (name, half)}
        own = {number: each for number, each in own.items() if number in found}
        bad = sum(bool(each.fault) for each in own.values())
        print(f"\n{name}, {half} half: {len(own) - bad} good, {bad} bad drafts\n")
        print("| check | rejected | precision | recall | good ones lost |")
        print("|---|---|---|---|---|")
        for check in [*RULE_CHECKS, *_others(own, found), CASCADE]:
            hit = [each for number, each in own.items() if check in found[number]]
            right = sum(bool(each.fault) for each in hit)
            print(f"| {check} | {len(hit)} | {_share(right, len(hit))} | {_share(right, bad)} "
                  f"| {_share(len(hit) - right, len(own) - bad)} |")  # fmt: skip
        groups: dict[str, list[bool]] = defaultdict(list)
        for number, each in own.items():
            kept = CASCADE not in found[number]
            groups[f"{each.draft.language}, {'bad' if each.fault else 'good'}"].append(kept)
            if each.fault and each.set == "made":
                groups[each.fault].append(kept)
        print("\n| kept by all checks | | |", "|---|---|---|", sep="\n")
        for group, marks in sorted(groups.items()):
            print(f"| {group} | {sum(marks)} of {len(marks)} | {_share(sum(marks), len(marks))} |")


def print_totals(drafts: Sequence[LabelledDraft], found: Mapping[int, Rejections]) -> None:
    """Print how many good and bad drafts of all sets the cascade keeps."""
    print()
    for name, is_bad in (("good", False), ("bad", True)):
        own = [number for number in found if bool(drafts[number].fault) == is_bad]
        kept = sum(CASCADE not in found[number] for number in own)
        mended = sum(MENDED in found[number] for number in own)
        print(f"{kept} of {len(own)} {name} drafts kept as they stand, {mended} mended")


def _others(own: Mapping[int, LabelledDraft], found: Mapping[int, Rejections]) -> list[str]:
    """Return the checks that only a model's cascade has."""
    names = dict.fromkeys(name for number in own for name in found[number])
    return [name for name in names if name not in RULE_CHECKS and name != CASCADE]


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "–"


def show(drafts: Sequence[LabelledDraft], found: Mapping[int, Rejections]) -> None:
    """Print the errors: good drafts that were lost, and bad ones that were kept."""
    for number, rejections in found.items():
        each = drafts[number]
        if bool(each.fault) != (CASCADE in rejections):
            first = rejections.get(CASCADE, "")
            print(f"{each.set}, {each.half}, {each.draft.language}: {each.fault or 'good'}; "
                  f"{first}: {rejections.get(first, 'kept')}\n  {each.draft.question} -> "
                  f"{each.draft.reference[:120]}")  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", default=",".join(SETS), help="separated by commas")
    parser.add_argument("--show", action="store_true", help="print the errors, too")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one draft in N")
    parser.add_argument("--by-model", type=Path, metavar="WORK")
    parser.add_argument("--records", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    folder = data_folder()
    if folder is None:
        print("the drafts are not here; set RAG_EVAL_DATA", file=sys.stderr)
        return
    drafts: list[LabelledDraft] = []
    indexes: dict[str, CorpusIndex] = {}
    for name in options.sets.split(","):
        more, about = SETS[name](folder)
        drafts += more
        indexes |= about
    drafts = one_in(options.every, drafts)
    if options.records:
        with tempfile.TemporaryDirectory() as work:
            judged = replay(read_records(options.records), tasks_of(drafts, indexes), Path(work))
        found = rejections_of(judged)
    elif options.by_model:
        judged, files = judge_in(options.by_model, tasks_of(drafts, indexes))
        found = rejections_of(judged)
        print(f"{judged.pending} drafts wait for replies: {', '.join(map(str, files)) or 'none'}")
    else:
        judge = judge_of(None)
        found = {
            number: asyncio.run(by_rule(each, indexes[each.corpus], judge))
            for number, each in enumerate(drafts)
        }
    print_tables(drafts, found)
    print_totals(drafts, found)
    if options.show:
        show(drafts, found)


if __name__ == "__main__":
    main()
