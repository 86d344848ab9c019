"""Read traces: from files of tracing tools to a data set, sampled, without repeats, masked."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.files import read_text
from llamaindex_rag_eval.data.parquet import parquet_records
from llamaindex_rag_eval.data.rows import as_json, row_of
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import DatasetError, InputError
from llamaindex_rag_eval.traces.formats import spans_of
from llamaindex_rag_eval.traces.masking import Masker
from llamaindex_rag_eval.traces.samples import sample_of_trace
from llamaindex_rag_eval.traces.span import Span

TIMES_ASKED = "asked"
"""The key of the metadata that says how often the same question got the same answer."""

MADE_ID = re.compile("(tr-)?[0-9a-f-]{16,36}")
"""An id that a tool made: no personal data, even where its digits look like a number."""

DEFAULT_MASKER = Masker()


@dataclass(frozen=True, slots=True)
class TracesRead:
    """What files of traces hold.

    Attributes:
        samples: One for each trace that was chosen.
        traces: How many traces there were.
        without_question: Ids of those that ask nothing, as when documents were indexed.
        repeats: How many asked what was asked before, and got the same answer.
        unfinished: How many may still get spans, and wait.
    """

    samples: EvaluationDataset
    traces: int
    without_question: tuple[str, ...] = ()
    repeats: int = 0
    unfinished: int = 0


def read_traces(
    source: str | Path | Sequence[str | Path] | Iterable[object],
    *,
    sample: int | None = None,
    seed: int = 0,
    keep_repeats: bool = False,
    masker: Masker | None = DEFAULT_MASKER,
    until: float | None = None,
) -> TracesRead:
    """Return the questions and answers in traces as samples.

    Spans of OpenInference and of OpenTelemetry's GenAI conventions are read from OTLP JSON, from
    Phoenix (JSON, JSON Lines, or its data frame as Parquet), from MLflow's traces and from
    Langfuse's exports; which it is, they tell themselves.

    Args:
        source: A file, `.json`, `.jsonl` or `.parquet`, or several; or records in memory, as the
            rows of `get_spans_dataframe().reset_index().to_dict("records")`.
        sample: How many traces to take at random; by default all.
        seed: The same seed takes the same traces, whatever their order.
        keep_repeats: Keep traces with the same question and answer as another. By default they are
            one sample, whose `metadata["asked"]` says how many they were.
        masker: Replaces personal data; by default e-mail addresses, phone numbers, card numbers and
            IBANs. `Masker` takes patterns of one's own; `None` leaves texts as they are.
        until: For files that are still written, a time in seconds since 1970: traces with a span
            that ended later are left out, since more spans may come, and so is a last line that is
            not whole.

    Raises:
        InputError: `sample` is below 1, or pyarrow is needed and not installed.
        DatasetError: A file cannot be read, or holds no traces.
    """
    if sample is not None and sample < 1:
        raise InputError(f"'sample' is {sample!r}, expected 1 or more")
    traces: dict[str, list[Span]] = {}
    for span in _spans(source, growing=until is not None):
        traces.setdefault(span.trace_id, []).append(span)
    ended = {
        key: spans
        for key, spans in traces.items()
        if until is None or max(span.end or span.start or 0.0 for span in spans) <= until
    }
    by_trace = {key: sample_of_trace(spans) for key, spans in ended.items()}
    samples = [entry for entry in by_trace.values() if entry is not None]
    distinct = samples if keep_repeats else _without_repeats(samples)
    chosen = _chosen(distinct, sample, seed)
    masked = chosen if masker is None else [_masked(entry, masker) for entry in chosen]
    return TracesRead(
        samples=EvaluationDataset(masked),
        traces=len(traces),
        without_question=tuple(key for key, entry in by_trace.items() if entry is None),
        repeats=len(samples) - len(distinct),
        unfinished=len(traces) - len(ended),
    )


def _spans(source: object, *, growing: bool) -> Iterator[Span]:
    sources = [source] if isinstance(source, str | Path) else source
    if not isinstance(sources, Iterable):
        raise InputError(f"expected files or records of traces, got {type(source).__name__!r}")
    for number, entry in enumerate(sources, start=1):
        if isinstance(entry, str | Path):
            yield from _spans_in(Path(entry), growing=growing)
        else:
            yield from _located(entry, "", number)


def _spans_in(path: Path, *, growing: bool) -> Iterator[Span]:
    if path.suffix == ".parquet":
        for number, record in enumerate(parquet_records(path), start=1):
            yield from _located(record, str(path), number)
        return
    text = read_text(path)
    try:
        yield from _located(json.loads(text), str(path), None)
    except json.JSONDecodeError:
        lines = text.splitlines()
        for number, line in enumerate(lines, start=1):
            is_whole = number < len(lines) or text.endswith("\n") or not growing
            with nullcontext() if is_whole else suppress(DatasetError):
                if line.strip():
                    yield from _located(_parsed(line, path, number), str(path), number)


def _parsed(line: str, path: Path, number: int) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"expected JSON: {error}", file=str(path), line=number) from None


def _located(record: object, file: str, line: int | None) -> Iterator[Span]:
    try:
        yield from spans_of(record)
    except DatasetError as error:
        raise DatasetError(error.expectation, file=file, line=line) from None


def _without_repeats(samples: Sequence[SingleTurnSample]) -> list[SingleTurnSample]:
    groups: dict[tuple[str, ...], list[SingleTurnSample]] = {}
    for entry in samples:
        key = (
            " ".join(entry.asked.casefold().split()),
            " ".join(entry.response.split()),
            entry.error,
        )
        groups.setdefault(key, []).append(entry)
    return [
        first.model_copy(update={"metadata": {**first.metadata, TIMES_ASKED: 1 + len(others)}})
        if others
        else first
        for first, *others in groups.values()
    ]


def _chosen(
    samples: Sequence[SingleTurnSample], count: int | None, seed: int
) -> Sequence[SingleTurnSample]:
    """Return so many samples, those whose ids have the least hashes, in their order."""
    if count is None or count >= len(samples):
        return samples
    least = sorted(samples, key=lambda entry: sha256(f"{seed}\n{entry.id}".encode()).digest())
    ids = {entry.id for entry in least[:count]}
    return [entry for entry in samples if entry.id in ids]


def _masked(sample: SingleTurnSample, masker: Masker) -> SingleTurnSample:
    row = {name: value for name, value in row_of(sample).items() if name != "id"}
    identity = masker.mask([sample.id])[0]
    if identity != sample.id:  # an id may be an address, and must stay one of its own
        identity = sha256(sample.id.encode()).hexdigest()[:32]
    hidden = masker.mask(as_json(row))
    for name in ("trace_id", "span_id"):  # scores find their way back by them
        if MADE_ID.fullmatch(str(sample.metadata.get(name))):
            hidden["metadata"][name] = sample.metadata[name]
    try:
        return SingleTurnSample.model_validate({"id": identity, **hidden})
    except ValidationError as error:
        raise DatasetError(f"trace {sample.id!r} makes no sample: {error}") from None
