"""Where answers are lost: for the terminal, as JSON, as a page, and as a section of a report."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.table import Table

from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.data.plain_text import json_safe
from llamaindex_rag_eval.diagnosis.cause import TrialName, cause_texts
from llamaindex_rag_eval.diagnosis.lost_answers import LostAnswers
from llamaindex_rag_eval.diagnosis.modes import MODES, SortedFailure, modes_of, read_modes
from llamaindex_rag_eval.diagnosis.of_run import (
    DIAGNOSIS,
    diagnosis_beside,
    files_beside,
    is_of,
    lost_by_scores,
    threshold_of,
)
from llamaindex_rag_eval.report.console import text_table
from llamaindex_rag_eval.report.example import example_of
from llamaindex_rag_eval.report.head import quality_of, shown_run
from llamaindex_rag_eval.report.numbers import counted, interval, number
from llamaindex_rag_eval.report.templates import render
from llamaindex_rag_eval.report.view import Shown, View
from llamaindex_rag_eval.runs.run import Run

READING: Mapping[TrialName, str] = {
    "alone": "tried from the evidence alone, the share that stays right is",
    "noise": "tried with more nodes beside the evidence, the share that stays right is",
    "without": "tried without the evidence, the share in which the engine declines is",
    "exchanged": "tried with a changed value in the nodes, the share that gives that value is",
}
"""Of a trial with right answers, what its share is."""


MOST_NAMED = 10
"""Golden items that are named; JSON has all."""

UNSORTED = "other"
"""What a wrong answer is called that is near no failure mode."""


def lost_sentences(lost: LostAnswers) -> Iterator[str]:
    """Yield what was found, in sentences."""
    causes = ", ".join(f"{entry.count} {entry.text.title}" for entry in lost.causes)
    wrong = f"{len(lost.lost)} got no fully right answer" if lost.lost else "all got a right answer"
    yield f"Of {counted(lost.questions, 'question')} {wrong}{': ' if causes else ''}{causes}."
    yield f"The share of right answers is {lost.right.text()}."
    if lost.lost and lost.reach.value is not None:
        yield f"With perfect retrieval this share would be about {lost.reach.text()}."
    for name, share in lost.reading.items():
        yield f"Of {counted(share.n, 'right answer')} {READING[name]} {share.text()}."
    both = sum(len(entry.causes) > 1 for entry in lost.lost)
    if both:
        yield f"Wrong answers with a second cause, where fixing the first is not enough: {both}."
    doubtful = [entry.sample.id for entry in lost.lost if "golden_item" in entry.causes]
    if doubtful:
        more = " …" if doubtful[MOST_NAMED:] else ""
        yield f"The golden items to read: {', '.join(doubtful[:MOST_NAMED])}{more}."
    if lost.unjudged:
        yield f"{counted(lost.unjudged, 'question')} without a verdict are left out."


def lost_table(lost: LostAnswers) -> Table:
    """Return a row for each cause, in the order of a pipeline, with what to do."""
    rows = [
        (
            entry.text.title,
            entry.count,
            number(entry.share.value),
            interval(entry.share.low, entry.share.high),
            entry.text.remedy,
        )
        for entry in lost.causes
    ]
    heads = ("answers", "share", "interval")
    return text_table(
        "Where answers are lost", ["cause"], heads, "what to do", rows=rows, whole=heads
    )


def lost_html(lost: LostAnswers) -> str:
    """Return the page; it loads nothing and runs no script, and every text is escaped."""
    return render("lost.html.j2", part=_shown({"answers": lost}, "answers"))


def beside_runs(runs: Iterable[tuple[Run, Path]]) -> dict[str, Any]:
    """Return what `html_report` shows of runs that lies in folders: `diagnoses` and `modes`.

    Args:
        runs: Each with the folder that is looked in, and in its folders.

    Raises:
        DatasetError: A file of modes has a wrong line.
    """
    runs = tuple(runs)
    known = [diagnosis_beside(run, folder) for run, folder in runs]
    files = (files_beside(folder, MODES)[:1] for folder in dict.fromkeys(f for _, f in runs))
    modes = [entry for paths in files for path in paths for entry in read_modes(path)]
    return {"diagnoses": [lost for lost in known if lost is not None], "modes": modes}


def lost_section(
    view: View,
    diagnoses: Sequence[LostAnswers] = (),
    modes: Sequence[SortedFailure] = (),
) -> Shown | None:
    """Return what a report shows of where answers are lost.

    It is of the run whose answers are shown, beside counts of the others: by the diagnosis of the
    run if there is one, else by what its answers say. `None` if no metric says which are wrong.

    Args:
        view: What the report shows.
        diagnoses: What `diagnose` returned, of any runs.
        modes: The lines of a file of failure modes.
    """
    metric = quality_of(view.metrics)
    number = shown_run(view, metric)
    known = [next((d for d in diagnoses if is_of(d.answers, run)), None) for run in view.runs]
    tried = known[number] is not None
    if metric is not None and not tried:
        known = [lost_by_scores(run, metric) for run in view.runs]
    pairs = zip(view.names, known, strict=True)
    lost = {name: replace(entry, clusters=view.clusters) for name, entry in pairs if entry}
    if metric is None or not lost:
        return None
    run, name = view.runs[number], view.names[number]
    shown = _shown(lost, name)
    by = "at least" if metric.direction != "lower" else "at most"
    return shown | {
        "rule": "" if tried else f"{metric.spec} is {by} {threshold_of(metric):g}",
        "example": lambda sample: example_of(run, sample, metric.spec),
        "first": view.names[0] if len(view.names) > 1 else "",
        "modes": _modes(lost, name, modes) if modes else (),
    }


def _modes(of_runs: Mapping[str, LostAnswers], name: str, lines: Sequence[SortedFailure]) -> Shown:
    """Return the modes of the run of this name, the most frequent first, beside those of all."""
    known = [(of_run.lost, modes_of(of_run.lost, lines)) for of_run in of_runs.values()]
    of_all = [
        {e.sample.id: modes.get(e.sample.id, UNSORTED) for e in lost} for lost, modes in known
    ]
    counts = [Counter(modes.values()) for modes in of_all]
    number, lost = list(of_runs).index(name), of_runs[name]
    names = dict.fromkeys(mode for count in counts for mode in count)
    order = sorted(names, key=lambda mode: (mode == UNSORTED, -counts[number][mode]))
    total, rows, before = len(lost.lost) or 1, [], 0
    for mode in order:
        ids = [key for key, own in of_all[number].items() if own == mode]
        before += len(ids)
        row = {"mode": mode, "counts": [count[mode] for count in counts], "ids": ids}
        example = next((e.sample.query for e in lost.lost if e.sample.id in ids), "")
        share = {"share": len(ids) / total, "so_far": before / total}
        rows.append({**row, **share, "example": example})
    changes = [
        f"{mode} {counts[0][mode]} → {counts[-1][mode]}"
        for mode in order
        if len(counts) == 2 and counts[0][mode] != counts[-1][mode]
    ]
    slices = lost.by_slice(of_all[number])
    return {"rows": rows, "changes": ", ".join(changes), "slices": slices}


def _shown(of_runs: Mapping[str, LostAnswers], name: str) -> Shown:
    """Return what the templates show of the run of this name, beside the counts of all."""
    lost = of_runs[name]
    causes, right = {key: of_run.causes for key, of_run in of_runs.items()}, lost.right
    counts = [{entry.cause: entry.count for entry in of_run} for of_run in causes.values()]
    shares, start, rows = {entry.cause: entry.share for entry in causes[name]}, right.value, []
    for cause, text in cause_texts().items():
        if any(cause in of_run for of_run in counts):
            share = shares.get(cause)
            rows.append(
                {
                    "cause": cause,
                    "text": text,
                    "counts": [of_run.get(cause, 0) for of_run in counts],
                    "start": start,
                    "share": share,
                    "ids": [e.sample.id for e in lost.lost if e.causes[0] == cause],
                    "examples": lost.examples(cause),
                }
            )
            start = (start or 0.0) + (share.value or 0.0 if share else 0.0)
    return {
        "lost": lost,
        "name": name,
        "names": list(of_runs),
        "right": right,
        "slices": lost.slices,
        "counts": [of_run.questions - len(of_run.lost) for of_run in of_runs.values()],
        "rows": rows,
        "sentences": tuple(lost_sentences(lost)),
        "titles": {cause: text.title for cause, text in cause_texts().items()},
        "rule": "",
        "example": None,
        "first": "",
        "modes": (),
    }


def write_lost(lost: LostAnswers, folder: str | Path) -> tuple[Path, ...]:
    """Write `diagnosis.json` and `diagnosis.html` to a folder, and return their paths.

    Raises:
        OutputError: They cannot be written.
    """
    texts = {
        DIAGNOSIS: json_safe(json.dumps(lost.as_json(), ensure_ascii=False, indent=2)) + "\n",
        "diagnosis.html": lost_html(lost),
    }
    return tuple(write_whole(Path(folder) / name, [text]) for name, text in texts.items())
