"""Labelling: which answers of a run a person should label, what was said, and what it tells.

Labels are lines that are only ever appended to one file (`decisions/labels.py` reads them), so that
several people can label at once, and git can merge what they said.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timezone
from itertools import combinations
from pathlib import Path
from typing import Any

from llamaindex_rag_eval.data.files import csv_text, write_table
from llamaindex_rag_eval.data.sample import MultiTurnSample, Sample, transcript
from llamaindex_rag_eval.decisions.by_people import run_digest
from llamaindex_rag_eval.decisions.calibration import (
    FEWEST_FOR_WIDTH,
    corrected_mean,
    judged_by,
    width_sentence,
)
from llamaindex_rag_eval.decisions.label_sheet import label_next
from llamaindex_rag_eval.decisions.labels import Chosen, HumanLabel, answer_digest, read_labels
from llamaindex_rag_eval.decisions.policy import PRIMARY
from llamaindex_rag_eval.errors import InputError, OutputError
from llamaindex_rag_eval.judge.answer_verdict import SCORES
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.raters import cohen_kappa, kappa_interval

VERDICTS: Mapping[str, float] = {name.replace("_", " "): score for name, score in SCORES.items()}
"""What a person can say of an answer, and the label that it is; a metric that is better when it is
lower gets the opposite."""

LABELS = Path("labels.jsonl")
"""The file that labels go to, if no other is named."""

SOMEBODY = "somebody"
"""Who labels, where no name is given."""

SHARED = 20
"""Answers that a second person labels again, before new ones: they show how far both agree."""

FIELDS = ("query", "response", "contexts", "reference")
COLUMNS = ("id", "metric", "label", "by", "chosen", "why", *FIELDS)
"""Of a table of labels and of answers to label."""

LONGEST_CELL = 30_000
"""Characters of a cell; common spreadsheets drop what exceeds 32,767."""

View = dict[str, Any]
"""What the page shows, as plain values."""


class Labelling:
    """The labelling of one run.

    Args:
        run: The answers, with the judge's scores.
        path: The file of labels; it is made with the first one.
        metric: The metric whose scores are checked; by default `answer_verdict`, or the first one
            that reads answers.
        size: How many answers are chosen at a time.
        seed: The same seed chooses the same answers.

    Raises:
        InputError: The run has no such metric, or none that can be labelled.
        DatasetError: The file of labels cannot be read.
    """

    def __init__(
        self, run: Run, path: Path, *, metric: str = "", size: int = 50, seed: int = 0
    ) -> None:
        self.run, self.path, self.size, self.seed = run, path, size, seed
        self.info = _metric(run, metric)
        self._samples = {sample.id: sample for sample in run.samples}
        self._queue = self._next_queue()

    def labels(self, *, merged: bool = False) -> list[HumanLabel]:
        """Return the labels of this run's answers on its metric, one per person."""
        if not self.path.is_file():
            return []
        specs = [info.spec for info in self.run.metrics]
        labels = read_labels(self.path, metrics=specs, merged=merged)
        return [label for label in labels if label.metric == self.info.spec and self._own(label)]

    def next(self, by: str = SOMEBODY) -> View | None:
        """Return the next answer for a person to label; `None` if all are labelled."""
        labels = self.labels()
        own = {label.sample_id for label in labels if label.by == by}
        others = [label.sample_id for label in labels if label.by != by]
        if len(own.intersection(others)) < SHARED:
            again = next((key for key in others if key not in own), None)
            if again is not None:
                return self._view(again)
        labelled = own.union(others)
        open_ids = [key for key in self._queue if key not in labelled]
        if not open_ids:
            self._queue = self._next_queue()
            open_ids = [key for key in self._queue if key not in labelled]
        return self._view(open_ids[0]) if open_ids else None

    def label(
        self,
        sample_id: str,
        verdict: str,
        *,
        by: str = SOMEBODY,
        why: str = "",
        claims: Sequence[bool | None] = (),
    ) -> View:
        """Write what a person says of an answer; return what the judge said of it.

        Args:
            sample_id: The id of the sample.
            verdict: A key of `VERDICTS`.
            by: Who says so.
            why: The reason, a line.
            claims: Whether the contexts support each claim of the answer, in the order of the view;
                `None` for one that was not looked at. Written only if all were looked at.

        Raises:
            InputError: There is no such sample or verdict, or the claims do not fit.
            OutputError: The file cannot be written.
        """
        if sample_id not in self._samples or verdict not in VERDICTS:
            raise InputError(f"there is no answer {sample_id!r}, or no verdict {verdict!r}")
        value = VERDICTS[verdict]
        value = 1 - value if self.info.direction == "lower" else value
        lines = {
            self.info.spec: self._line(
                self.info.spec, sample_id, value, by, verdict=verdict, why=why
            )
        }
        info, texts = _claims(self.run, sample_id)
        if claims and len(claims) != len(texts):
            raise InputError(f"expected {len(texts)} verdicts on claims, got {len(claims)}")
        if info is not None and claims and None not in claims:
            share = sum(map(bool, claims)) / len(claims)
            lines[info.spec] = self._line(
                info.spec, sample_id, share, by, claims=list(claims), why=why
            )
        self._append(lines.values())
        return {"judge": [*self._judged(sample_id)], "progress": self.progress()}

    def undo(self, by: str = SOMEBODY) -> View | None:
        """Take a person's last label back; return its answer again, `None` if there is none."""
        own = [label for label in self.labels() if label.by == by]
        if not own:
            return None
        last = max(own, key=lambda label: label.line).sample_id
        info, _ = _claims(self.run, last)
        specs = dict.fromkeys([self.info.spec, *([] if info is None else [info.spec])])
        self._append([self._line(spec, last, None, by) for spec in specs])
        return self._view(last)

    def take(self, labels: Sequence[HumanLabel], by: str) -> int:
        """Add labels of another file that are about this run; return how many.

        Args:
            labels: The labels.
            by: Who gave those that name nobody.
        """
        specs = {"": self.info.spec, **{info.spec: info.spec for info in self.run.metrics}}
        known = {(x.sample_id, x.by, x.value, x.why) for x in self.labels()}
        lines = [
            {
                **self._line(specs[x.metric], x.sample_id, x.value, x.by or by, why=x.why),
                "chosen": x.chosen,
            }
            for x in labels
            if x.metric in specs and self._own(x)
            if (x.sample_id, x.by, x.value, x.why) not in known or x.metric != self.info.spec
        ]
        self._append(lines)
        return len(lines)

    def write_csv(self, path: Path) -> int:
        """Write the labels that stand, then the answers to label next, as CSV; return how many.

        Its cells are safe to open in a spreadsheet. No column shows the judge's score, which would
        influence the person who labels.

        Raises:
            OutputError: The file cannot be written, or is there already: it may hold labels.
        """
        labels, spec = self.labels(), self.info.spec
        rows = [(x.sample_id, f"{x.value:g}", x.by, x.chosen, x.why) for x in labels]
        known = {label.sample_id for label in labels}
        rows += [(key, "", "", how, "") for key, how in self._queue.items() if key not in known]
        texts = {row[0]: map(_cut, _texts(self._samples[row[0]])) for row in rows}
        table = [(row[0], spec, *row[1:], *texts[row[0]]) for row in rows]
        if path.exists():
            raise OutputError(f"{str(path)!r} is there already, and may hold labels")
        write_table(path, csv_text([COLUMNS, *table]))
        return len(rows)

    def progress(self) -> list[str]:
        """Return in sentences how much is labelled, what it tells, and how much more it takes."""
        labels = self.labels(merged=True)
        random = {x.sample_id: x.value for x in labels if x.chosen == "random"}
        count = f"{len(labels)} of {len(self._samples)} labelled"
        sentences = [f"{count}, {len(random)} of them drawn at random."]
        low, high = self.info.bounds
        scores = self.run.values(self.info.spec)
        people = {key: low + (high - low) * value for key, value in random.items() if key in scores}
        estimate = corrected_mean(scores, people, self.info, self.run.clusters())
        if estimate is not None and len(people) >= FEWEST_FOR_WIDTH and estimate.interval:
            ends = estimate.interval
            sentences.append(
                f"By people, {self.info.spec} is about {estimate.value:.2f} "
                f"({ends.low:.2f} to {ends.high:.2f})."
            )
            sentences.append(width_sentence(estimate, self.info.bounds, len(scores)))
        return sentences + self._agreements()

    def _agreements(self) -> list[str]:
        """Return how far any two people agree, as sentences."""
        by_person: dict[str, dict[str, bool]] = {}
        for label in self.labels():
            by_person.setdefault(label.by, {})[label.sample_id] = label.value >= 1 / 2
        sentences = []
        for (first, left), (second, right) in combinations(sorted(by_person.items()), 2):
            shared = sorted(left.keys() & right.keys())
            if not shared:
                continue
            a, b = [left[key] for key in shared], [right[key] for key in shared]
            alike = sum(x == y for x, y in zip(a, b, strict=True))
            kappa, ends = cohen_kappa(a, b), kappa_interval(a, b)
            beyond = "" if kappa is None else f"; Cohen's kappa {kappa:.2f}"
            within = f" ({ends.low:.2f} to {ends.high:.2f})" if kappa is not None and ends else ""
            sentences.append(
                f"{first} and {second} agree on {alike} of {len(shared)}{beyond}{within}."
            )
        return sentences

    def _next_queue(self) -> dict[str, Chosen]:
        labels = self.labels(merged=True)
        return label_next(self.run, self.info.spec, count=self.size, labels=labels, seed=self.seed)

    def _own(self, label: HumanLabel) -> bool:
        sample = self._samples.get(label.sample_id)
        return sample is not None and label.answer in ("", _digest(sample))

    def _view(self, sample_id: str) -> View:
        sample = self._samples[sample_id]
        if isinstance(sample, MultiTurnSample):
            shown: View = {"query": transcript(sample.messages), "answer": "", "contexts": []}
        else:
            quotes = [span.quote for group in sample.gold for span in group if span.quote]
            contexts = [parts_of(text, quotes) for text in sample.texts]
            shown = {"query": sample.query, "answer": sample.response, "contexts": contexts}
        claims = _claims(self.run, sample_id)[1]
        return {**shown, "id": sample_id, "reference": sample.reference, "claims": claims}

    def _judged(self, sample_id: str) -> Iterator[View]:
        """Yield what the judge says of an answer, the metric that is labelled first."""
        for info in sorted(self.run.metrics, key=lambda info: info.spec != self.info.spec):
            result = self.run.result(sample_id, info.spec)
            if result is None or (result.score is None and info != self.info):
                continue
            if info == self.info or "response" in info.needs:
                score = "no score" if result.score is None else f"{result.score:.2f}"
                yield {"metric": info.spec, "score": score, "feedback": result.feedback or ""}

    def _line(
        self, metric: str, sample_id: str, value: float | None, by: str, **more: object
    ) -> View:
        known = (x.chosen for x in self.labels(merged=True) if x.sample_id == sample_id)
        return {
            "id": sample_id,
            "metric": metric,
            "label": value,
            **{key: entry for key, entry in more.items() if entry != ""},
            "chosen": self._queue.get(sample_id) or next(known, "random"),
            "answer": _digest(self._samples[sample_id]),
            "run": run_digest(self.run),
            "judged": judged_by(self.run, metric),
            "by": by,
            "at": datetime.now(timezone.utc).isoformat(timespec="milliseconds"),
        }

    def _append(self, lines: Iterable[View]) -> None:
        text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8", errors="replace", newline="\n") as file:
                file.write(text)
        except OSError as error:
            raise OutputError(f"cannot write {str(self.path)!r}: {error.strerror}") from error


def parts_of(text: str, quotes: Sequence[str]) -> list[tuple[str, bool]]:
    """Return a text in parts, each with whether it is one of the quotes, whatever their blanks.

    Example:
        >>> parts_of("It is 40 m wide.", ["40  m"])
        [('It is ', False), ('40 m', True), (' wide.', False)]
    """
    patterns = [r"\s+".join(map(re.escape, quote.split())) for quote in quotes if quote.split()]
    if not patterns:
        return [(text, False)]
    parts = re.split(f"({'|'.join(patterns)})", text)
    return [(part, number % 2 == 1) for number, part in enumerate(parts) if part]


def _texts(sample: Sample) -> tuple[str, str, str, str]:
    """Return question, answer, contexts and reference of a sample."""
    if isinstance(sample, MultiTurnSample):
        return transcript(sample.messages), "", "", sample.reference
    contexts = "\n\n".join(f"[{n}] {text}" for n, text in enumerate(sample.texts, start=1))
    return sample.query, sample.response, contexts, sample.reference


def _cut(cell: str) -> str:
    return cell if len(cell) <= LONGEST_CELL else cell[:LONGEST_CELL] + "…"


def _metric(run: Run, spec: str) -> MetricInfo:
    """Return the metric that is labelled.

    Raises:
        InputError: The run has no such metric, or none with bounds and a direction.
    """
    fitting = {
        info.spec: info
        for info in run.metrics
        if all(map(math.isfinite, info.bounds)) and info.direction != "neither"
    }
    reads_answers = (
        name for name, info in fitting.items() if not info.needs or "response" in info.needs
    )
    name = spec or (PRIMARY if PRIMARY in fitting else next(reads_answers, ""))
    if name not in fitting:
        known = ", ".join(map(repr, fitting)) or "none that people can label"
        raise InputError(f"the run has no metric {name!r} to label; it has {known}")
    return fitting[name]


def _claims(run: Run, sample_id: str) -> tuple[MetricInfo | None, list[str]]:
    """Return the claims of an answer that a faithfulness judged, and by which metric."""
    for info in run.metrics:
        result = run.result(sample_id, info.spec)
        if info.spec.startswith("faithfulness") and result and isinstance(result.evidence, list):
            texts = [entry.get("claim") for entry in result.evidence if isinstance(entry, Mapping)]
            return info, [text for text in texts if isinstance(text, str) and text]
    return None, []


def _digest(sample: Sample) -> str:
    return answer_digest("" if isinstance(sample, MultiTurnSample) else sample.response)
