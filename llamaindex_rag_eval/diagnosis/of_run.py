"""Where answers of a run are lost: what a diagnosis says, or what the answers themselves show."""

import math
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import cast

from pydantic import BaseModel, Field

from llamaindex_rag_eval.data.files import read_text
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.decisions.labels import answer_digest
from llamaindex_rag_eval.diagnosis.cause import Cause, TrialName, causes_of
from llamaindex_rag_eval.diagnosis.diagnose import signs_of
from llamaindex_rag_eval.diagnosis.lost_answers import LostAnswer, LostAnswers, Trial
from llamaindex_rag_eval.errors import DatasetError
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run

DIAGNOSIS = "diagnosis.json"
"""The file that a diagnosis is written to."""


class _Lost(BaseModel):
    id: str
    causes: tuple[Cause, ...] = Field(min_length=1)
    rank: int | None = None
    trials: Mapping[TrialName, Trial] = {}


class _Diagnosis(BaseModel):
    """What a file says that a run does not."""

    answers: Mapping[str, str] = Field(min_length=1)
    lost: tuple[_Lost, ...]
    controls: Mapping[str, Mapping[TrialName, Trial]] = {}
    unjudged: int = 0

    def with_answers(self, run: Run) -> LostAnswers:
        """Return the diagnosis with the answers that it is of."""
        samples = {key: cast("SingleTurnSample", run.sample(key)) for key in self.answers}
        lost = tuple(
            LostAnswer(samples[entry.id], entry.causes, entry.rank, entry.trials)
            for entry in self.lost
            if entry.id in samples
        )
        return LostAnswers([*samples.values()], lost, self.controls, self.unjudged)


def files_beside(folder: Path, name: str) -> list[Path]:
    """Return the files of this name in a folder and in the folders in it, the newest first."""
    files = (path for pattern in (name, f"*/{name}") for path in folder.glob(pattern))
    return sorted(filter(Path.is_file, files), key=lambda path: path.stat().st_mtime, reverse=True)


def diagnosis_beside(run: Run, folder: str | Path) -> LostAnswers | None:
    """Return the newest diagnosis of these answers in a folder, or in a folder in it.

    `None` if there is none: `diagnosis.json` of other answers, or of another form, does not count.
    """
    for path in files_beside(Path(folder), DIAGNOSIS):
        with suppress(DatasetError, ValueError):
            diagnosis = _Diagnosis.model_validate_json(read_text(path))
            if is_of(diagnosis.answers, run):
                return diagnosis.with_answers(run)
    return None


def is_of(answers: Mapping[str, str], run: Run) -> bool:
    """Return whether a run has these answers: question id -> the digest of its answer."""
    samples = ((run.sample(key), digest) for key, digest in answers.items())
    return all(
        isinstance(sample, SingleTurnSample) and answer_digest(sample.response) == digest
        for sample, digest in samples
    )


def lost_by_scores(run: Run, metric: MetricInfo) -> LostAnswers | None:
    """Return the answers of a run that a metric finds wrong, the worst first, with their causes.

    The causes are what the answers themselves say: see `lost_by_itself`.

    Returns:
        `None` if the metric says of no answer whether it is right.
    """
    cut = threshold_of(metric)
    if cut is None or (metric.needs and not {"response", "reference"} <= {*metric.needs}):
        return None
    sign = -1 if metric.direction == "lower" else 1
    scores = {key: sign * score for key, score in run.values(metric.spec).items()}
    judged, lost = [], []
    for sample in run.samples:
        if not isinstance(sample, SingleTurnSample) or not (sample.id in scores or sample.error):
            continue
        judged.append(sample.model_copy(update={"contexts": ()}))  # which take much memory
        if sample.error or scores[sample.id] < sign * cut:
            lost.append(lost_by_itself(sample))
    if not judged:
        return None
    lost.sort(key=lambda entry: scores.get(entry.sample.id, -math.inf))
    return LostAnswers(judged, tuple(lost), unjudged=len(run) - len(judged))


def lost_by_itself(sample: SingleTurnSample) -> LostAnswer:
    """Return a wrong answer with what it says: whether it is one, and had the evidence."""
    return LostAnswer(sample, causes_of(signs_of(sample, None)))


def threshold_of(metric: MetricInfo) -> float | None:
    """Return the score from which on an answer is right; `None` if the metric has no such."""
    if metric.direction == "neither":
        return None
    return metric.default_threshold if metric.threshold is None else metric.threshold
