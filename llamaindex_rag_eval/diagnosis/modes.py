"""Failure modes: named groups of wrong answers, in a file that people edit.

A line of `modes.jsonl` is a wrong answer with its mode. A person renames a mode in all its lines,
and merges two by giving both one name. A wrong answer that no line names has the mode of the line
whose question or note has the nearest words.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np

from llamaindex_rag_eval._sync import synced
from llamaindex_rag_eval.data.files import jsonl_objects, write_whole
from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.decisions.calibration import labels_of, matched_labels
from llamaindex_rag_eval.decisions.labels import HumanLabel, answer_digest
from llamaindex_rag_eval.decisions.policy import PRIMARY
from llamaindex_rag_eval.diagnosis.cause import cause_texts
from llamaindex_rag_eval.diagnosis.lost_answers import LostAnswer, LostAnswers
from llamaindex_rag_eval.diagnosis.of_run import lost_by_itself, lost_by_scores, threshold_of
from llamaindex_rag_eval.errors import DatasetError, InputError
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.judge.failure_modes import LONGEST_NAME, Failure, FailureModesOf, one_line
from llamaindex_rag_eval.judge.rules.embedding import lexical_vectors
from llamaindex_rag_eval.metrics.registry import metric_of
from llamaindex_rag_eval.models import Usage
from llamaindex_rag_eval.models.dry_run import dry_run_of
from llamaindex_rag_eval.runs.replies import keeping_replies
from llamaindex_rag_eval.runs.run import Run

MODES = "modes.jsonl"
"""The file of modes."""

NEAR = 0.5
"""Cosine of the words of two questions, or of two notes, from which on both are of one mode."""

AT_A_TIME = 40
"""Failures that a model sorts in one call; the names that it gives go into the next."""


@dataclass(frozen=True)
class SortedFailure(JsonFields):
    """A wrong answer with its mode.

    Attributes:
        mode: The name of the mode.
        id: The id of the question.
        answer: A digest of the answer.
        question: The question.
        note: What is wrong, in the words of a person or a model; empty where nobody said.
    """

    _json = "mode id answer question note"

    mode: str
    id: str
    answer: str = ""
    question: str = ""
    note: str = ""


def read_modes(path: str | Path) -> tuple[SortedFailure, ...]:
    """Return the lines of a file of modes; of two about one answer the last.

    Raises:
        DatasetError: It cannot be read, or a line has no mode or no id; names the line.
    """
    failures = {}
    for number, row in jsonl_objects(path):
        texts = {key: one_line(str(row.get(key) or "")) for key in SortedFailure._json.split()}
        for field in ("mode", "id"):
            if not texts[field]:
                raise DatasetError("expected a text", file=str(path), line=number, field=field)
        failures[texts["id"], texts["answer"]] = SortedFailure(**texts)
    return tuple(failures.values())


def write_modes(failures: Iterable[SortedFailure], path: str | Path) -> Path:
    """Write a file of modes, those of one mode together, the most frequent first.

    Raises:
        OutputError: It cannot be written.
    """
    failures = tuple(failures)
    counts = Counter(entry.mode for entry in failures)
    ordered = sorted(failures, key=lambda entry: (-counts[entry.mode], entry.mode, entry.id))
    lines = (json.dumps(entry.as_json(), ensure_ascii=False) for entry in ordered)
    return write_whole(path, (line.encode("utf-8", "replace").decode() + "\n" for line in lines))


def modes_of(lost: Sequence[LostAnswer], known: Sequence[SortedFailure]) -> Mapping[str, str]:
    """Return the mode of each wrong answer, by the id of its question; without those of none.

    It is that of the line about the answer, else that of the line with the nearest question.
    """
    failures = [_failure(entry) for entry in lost]
    modes = (entry.mode for entry in _by_lines(failures, known))
    return {entry.id: mode for entry, mode in zip(failures, modes, strict=True) if mode}


async def asort_failures(
    run: Run,
    labels: Sequence[HumanLabel],
    known: Sequence[SortedFailure] = (),
    *,
    diagnosis: LostAnswers | None = None,
    judge: Judge | None = None,
    usage: Usage | None = None,
) -> tuple[SortedFailure, ...]:
    """Return the wrong answers of a run, each with a mode, after those that have one.

    Wrong is what people say is, and of other answers what the metric says.

    Args:
        run: The answers with their scores.
        labels: What people say of them, with their reasons.
        known: The modes so far: their names are used where they fit.
        diagnosis: Where the answers are lost, if that is known.
        judge: A model that sorts, and names new modes. Without one, words do: new modes are groups
            of notes with similar words, named by one of them; a wrong answer without a note gets a
            mode of its cause and document.
        usage: Counts what would be asked; nothing is asked then.

    Raises:
        InputError: No metric of the run says which answers are wrong.
        PendingError: Replies are asked for in batch files and not there yet.
    """
    lines = {(entry.id, entry.answer): entry for entry in known}
    lost = _wrong(run, labels, diagnosis)
    new = [entry for entry in lost if (entry[0].id, entry[0].answer) not in lines]
    if judge is None:
        return (*known, *_by_words(new, known))
    sorter = judge if usage is None else Judge(dry_run_of(judge.oracle, usage))
    return (*known, *await _by_model(new, known, sorter))


sort_failures = synced(asort_failures)
"""Sort wrong answers into modes: `asort_failures`, with its arguments, where no `await` is."""


Wrong = tuple[SortedFailure, LostAnswer]
"""A failure without a mode, and the answer."""


def _failure(entry: LostAnswer, note: str = "") -> SortedFailure:
    sample = entry.sample
    return SortedFailure("", sample.id, answer_digest(sample.response), sample.query, note)


def _wrong(run: Run, labels: Sequence[HumanLabel], diagnosis: LostAnswers | None) -> list[Wrong]:
    """Return the wrong answers of a run with the notes of people, and with their causes."""
    metrics = sorted(run.metrics, key=lambda info: info.spec != PRIMARY)
    by_metric = ((info, lost_by_scores(run, info)) for info in metrics)
    info, lost = next((pair for pair in by_metric if pair[1] is not None), (None, None))
    if info is None or lost is None:
        raise InputError(f"no metric of the run says which answers are wrong; evaluate {PRIMARY!r}")
    sign, cut = -1 if info.direction == "lower" else 1, threshold_of(info) or 0.0
    people = {x.sample_id: x for x in labels_of(info, matched_labels(run, labels)[0])}
    judged = {entry.sample.id: entry for entry in lost.lost}
    tried = {entry.sample.id: entry for entry in diagnosis.lost} if diagnosis else {}
    wrong = []
    for sample in lost.samples:
        label, entry = people.get(sample.id), judged.get(sample.id)
        right = entry is None if label is None else sign * label.value >= sign * cut
        if not right:
            known = tried.get(sample.id) or entry
            known = known or lost_by_itself(cast("SingleTurnSample", run.sample(sample.id)))
            wrong.append((_failure(known, label.why if label else ""), known))
    return wrong


def _by_lines(
    failures: Sequence[SortedFailure], known: Sequence[SortedFailure]
) -> list[SortedFailure]:
    """Return failures with the mode of their own line, else of the nearest; else with none."""
    own = {(entry.id, entry.answer): entry.mode for entry in known}
    if not known or not failures:
        return [*failures]
    near = np.zeros((len(failures), len(known)))
    for field in ("question", "note"):
        texts = [[getattr(entry, field) for entry in entries] for entries in (failures, known)]
        near = np.maximum(near, lexical_vectors(texts[0]) @ lexical_vectors(texts[1]).T)
    return [
        replace(
            entry,
            mode=own.get((entry.id, entry.answer))
            or own.get((entry.id, ""))  # a line that a person wrote
            or (known[int(row.argmax())].mode if row.max() >= NEAR else ""),
        )
        for entry, row in zip(failures, near, strict=True)
    ]


def _by_words(new: Sequence[Wrong], known: Sequence[SortedFailure]) -> list[SortedFailure]:
    """Return failures with the nearest known mode, else one of similar notes, else by cause."""
    noted = [failure for failure, _ in new if failure.note]
    sorted_notes = _by_notes(_by_lines(noted, known))
    modes = {entry.id: entry.mode for entry in sorted_notes}
    without = _by_lines(
        [failure for failure, _ in new if not failure.note], [*known, *sorted_notes]
    )
    modes |= {entry.id: entry.mode for entry in without if entry.mode}
    by_cause = [entry for failure, entry in new if failure.id not in modes]
    titles = {entry.sample.id: cause_texts()[entry.causes[0]].title for entry in by_cause}
    pairs = {entry.sample.id: (titles[entry.sample.id], _document(entry)) for entry in by_cause}
    counts = Counter(pairs.values())
    for key, (title, document) in pairs.items():
        together = document and counts[title, document] > 1
        modes[key] = f"{title}: {document}"[:LONGEST_NAME] if together else title
    return [replace(failure, mode=modes[failure.id]) for failure, _ in new]


def _by_notes(failures: Sequence[SortedFailure]) -> list[SortedFailure]:
    """Return failures with notes; those without a mode grouped by the words of their notes."""
    from scipy.cluster.hierarchy import fcluster, linkage  # slow to import
    from scipy.spatial.distance import squareform

    new = [entry for entry in failures if not entry.mode]
    vectors = lexical_vectors([entry.note for entry in new])
    distances = np.clip(1 - vectors @ vectors.T, 0, None)
    groups = np.arange(len(new))
    if len(new) > 1:
        tree = linkage(squareform(distances, checks=False), "average")
        groups = fcluster(tree, 1 - NEAR, "distance")
    names: dict[str, str] = {}
    for group in set(groups.tolist()):
        members = np.flatnonzero(groups == group)
        middle = members[distances[np.ix_(members, members)].sum(axis=0).argmin()]
        names |= dict.fromkeys([new[n].id for n in members], new[middle].note[:LONGEST_NAME])
    return [entry if entry.mode else replace(entry, mode=names[entry.id]) for entry in failures]


def _document(entry: LostAnswer) -> str:
    return next((group[0].doc_id for group in entry.sample.gold if group), "")


async def _by_model(
    new: Sequence[Wrong], known: Sequence[SortedFailure], judge: Judge
) -> list[SortedFailure]:
    """Return failures with modes that a model finds, some at a time: names go on to the next."""
    names = dict.fromkeys(entry.mode for entry in known)
    entries: list[SortedFailure] = []
    async with keeping_replies([metric_of(PRIMARY, judge)], None):
        for start in range(0, len(new), AT_A_TIME):
            part = new[start : start + AT_A_TIME]
            failures = tuple(
                Failure(
                    question=sample.query,
                    answer=sample.response,
                    reference=sample.reference,
                    note=failure.note,
                )
                for failure, sample in ((failure, entry.sample) for failure, entry in part)
            )
            reply = await judge.ask(FailureModesOf(known=tuple(names), failures=failures))
            for (failure, _), sorting in zip(part, reply.failures, strict=True):
                names.setdefault(sorting.mode)
                entries.append(
                    replace(failure, mode=sorting.mode, note=failure.note or sorting.fault)
                )
    return entries
