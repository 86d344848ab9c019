"""The file of answers while a pipeline is run: it grows by a line an answer, and resumes."""

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import TextIO

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.files import iter_jsonl, jsonl_line, write_whole
from llamaindex_rag_eval.data.rows import content_id, row_of
from llamaindex_rag_eval.data.sample import MultiTurnSample, Sample, sample_of
from llamaindex_rag_eval.errors import OutputError

__all__ = ["OUTCOME", "AnswerFile", "answered", "failed", "taken_over"]


class AnswerFile:
    """Answers to the questions of one data set, on disk from the moment they are there.

    Entered, the file is put in order: answers to these questions are kept, failed ones and a
    line that a killed process did not finish are left out. Answers to other questions are not
    thrown away: the file as it was is kept beside it as `.bak1`, `.bak2`, ….

    Attributes:
        known: The answers that the file held already, by id.
    """

    def __init__(self, path: str | Path, questions: EvaluationDataset) -> None:
        self._path = Path(path)
        self._questions = questions
        self.known: Mapping[str, Sample] = self._take_up()

    def __enter__(self) -> "AnswerFile":
        self._file = self._opened()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def append(self, answer: Sample) -> None:
        """Write one answer so that it outlives this process.

        Raises:
            OutputError: It cannot be written.
        """
        try:
            self._file.write(jsonl_line(answer))
            self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from error

    def finish(self, answers: EvaluationDataset) -> None:
        """Write all answers in the order of the data set, in place of the lines as they came."""
        self._file.close()
        answers.write_jsonl(self._path)

    def _take_up(self) -> dict[str, Sample]:
        if not self._path.exists():
            return {}
        asked = {question.id: content_id(question) for question in self._questions}
        held = list(iter_jsonl(self._path, strict=False))
        strange = next((sample for sample in held if not _is_outcome(sample)), None)
        if strange is not None:
            raise OutputError(
                f"cannot write answers to {str(self._path)!r}: it holds questions without answers "
                f"(as {strange.id!r}); name another file"
            )
        answers = {s.id: s for s in held if asked.get(s.id) == content_id(s) and not s.error}
        failed = sum(bool(sample.error) for sample in held)
        if len(answers) + failed < len(held):
            self._back_up()
        return {key: answers[key] for key in asked if key in answers}

    def _back_up(self) -> None:
        number = 1
        while (copy := self._path.with_name(f"{self._path.name}.bak{number}")).exists():
            number += 1
        write_whole(copy, [self._path.read_text(encoding="utf-8", errors="replace")])

    def _opened(self) -> TextIO:
        write_whole(self._path, map(jsonl_line, self.known.values()))
        try:
            return self._path.open("a", encoding="utf-8", newline="")
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> OutputError:
        return OutputError(f"cannot write {str(self._path)!r}: {error.strerror or error}")


def _is_outcome(sample: Sample) -> bool:
    """Return whether a pipeline has been at this sample."""
    if sample.error or sample.latency is not None:
        return True
    if isinstance(sample, MultiTurnSample):
        return any(message.role == "assistant" for message in sample.messages)
    return sample.has("response") or sample.has("contexts")


OUTCOME = frozenset(
    {"response", "contexts", "context_ids", "context_spans", "context_scores", "latency", "error"}
)
"""Fields that a pipeline fills; what they held before belongs to another answer."""

KEPT_IN_METADATA = frozenset({"context_metadata", "retrieved"})
"""What a pipeline fills that has no field of its own."""

SPOKEN_BY_USER = frozenset({"user", "system"})


def answered(question: Sample, fields: Mapping[str, object], *, latency: float) -> Sample:
    """Return the question with its answer, in the place of any that it had before."""
    return _joined(question, {**fields, "latency": round(latency, 6)})


def failed(question: Sample, error: BaseException) -> Sample:
    """Return the question without an answer and with the error, as `Type: message`."""
    said = str(error)
    kind = type(error).__name__
    return _joined(question, {"error": f"{kind}: {said}" if said else kind})


def taken_over(question: Sample, earlier: Sample) -> Sample:
    """Return the question as it is now, with the answer it got in an earlier run."""
    outcome = OUTCOME | {"messages"} if isinstance(earlier, MultiTurnSample) else OUTCOME
    fields = {name: getattr(earlier, name) for name in earlier.model_fields_set & outcome}
    kept = {k: v for k, v in earlier.metadata.items() if k in KEPT_IN_METADATA}
    return _joined(question, {**fields, **kept})


def _joined(question: Sample, outcome: Mapping[str, object]) -> Sample:
    names = question.model_fields_set - OUTCOME - {"metadata"}
    row: dict[str, object] = {name: getattr(question, name) for name in names}
    if isinstance(question, MultiTurnSample):
        row["messages"] = tuple(m for m in question.messages if m.role in SPOKEN_BY_USER)
    row.update(outcome)
    if question.metadata:
        row["metadata"] = {k: v for k, v in question.metadata.items() if k not in KEPT_IN_METADATA}
    return _unicode(sample_of(row))


def _unicode(sample: Sample) -> Sample:
    """Return the sample with U+FFFD for halves of surrogate pairs, which no file can hold."""
    text = json.dumps(row_of(sample), ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return sample_of(json.loads(whole))
    return sample
