"""Answers: a question with its answer or error, and the file that answers are written to."""

import json
import logging
import os
from collections.abc import Mapping
from pathlib import Path

from pydantic import JsonValue

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.files import iter_jsonl, jsonl_line, write_whole
from llamaindex_rag_eval.data.keys import without_keys, without_secrets
from llamaindex_rag_eval.data.lines import LinesInFile
from llamaindex_rag_eval.data.plain_text import without_surrogates
from llamaindex_rag_eval.data.rows import as_json, content_id, row_of
from llamaindex_rag_eval.data.sample import MultiTurnSample, Sample, sample_of
from llamaindex_rag_eval.engines.engine import ENGINE_SETTINGS, settings_of
from llamaindex_rag_eval.errors import OutputError, message_of

_LOG = logging.getLogger("llamaindex_rag_eval.engines")

UNSURE = (
    "%s holds answers to %d of these questions, which are kept. If another engine gave them, name "
    "another file, or tell engines apart by `with_settings`"
)

ANSWER_FIELDS = frozenset(
    {"response", "contexts", "context_ids", "context_spans", "context_scores", "latency", "error"}
)
"""Fields that a pipeline fills; earlier values belong to another answer and are dropped."""

METADATA_FIELDS = frozenset(
    {"context_metadata", "retrieved", "simulation", "trajectory", "usage", ENGINE_SETTINGS}
)
"""Values from a pipeline that have no field of their own and go into the metadata."""

USER_ROLES = frozenset({"user", "system"})
"""Roles whose messages belong to the question, not to the answer."""


def with_answer(question: Sample, fields: Mapping[str, object], *, latency: float) -> Sample:
    """Return the question with this answer, without any that it had before; latency in seconds."""
    return _replace_answer(question, {**fields, "latency": round(latency, 6)})


def with_error(question: Sample, error: BaseException) -> Sample:
    """Return the question without an answer and with the error."""
    return _replace_answer(question, {"error": message_of(error)})


def with_earlier_answer(question: Sample, earlier: Sample) -> Sample:
    """Return the question as it is now, with the answer from an earlier run."""
    several = isinstance(earlier, MultiTurnSample)
    names = ANSWER_FIELDS | {"messages"} if several else ANSWER_FIELDS
    fields = {name: getattr(earlier, name) for name in earlier.model_fields_set & names}
    metadata = {k: v for k, v in earlier.metadata.items() if k in METADATA_FIELDS}
    return _replace_answer(question, {**fields, **metadata})


def _replace_answer(question: Sample, answer: Mapping[str, object]) -> Sample:
    names = question.model_fields_set - ANSWER_FIELDS - {"metadata"}
    row: dict[str, object] = {name: getattr(question, name) for name in names}
    if isinstance(question, MultiTurnSample):
        row["messages"] = tuple(m for m in question.messages if m.role in USER_ROLES)
    row.update(answer)
    if question.metadata:
        row["metadata"] = {k: v for k, v in question.metadata.items() if k not in METADATA_FIELDS}
    return _storable(sample_of(row))


def _storable(sample: Sample) -> Sample:
    """Return the sample without secrets of the environment and halves of surrogate pairs.

    UTF-8 cannot hold these; U+FFFD takes their place.
    """
    row = row_of(sample)
    masked = without_secrets(row)
    text = json.dumps(masked, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return sample_of(json.loads(without_surrogates(text)))
    return sample if masked == row else sample_of(masked)


class AnswerFile:
    """The answers to the questions of one data set, each written as soon as it is given.

    Once it is open, it holds the answers to these questions that it held before, without failed
    ones and an incomplete last line. If it holds answers to other questions, a copy of it is kept
    as `.bak1`, `.bak2`, …. If it holds answers of an engine that carries other settings than this
    one, it is refused; where one side carries none, it is continued.

    Args:
        path: The file, JSON Lines.
        questions: The data set.
        engine: What answers them. Of its settings no keys are kept, and paths relative to the file.

    Attributes:
        known: Id -> the question as it is now with its answer, of those that the file held already.

    Raises:
        OutputError: The file holds answers of another engine, or questions without answers.
    """

    def __init__(
        self, path: str | Path, questions: EvaluationDataset, engine: object = None
    ) -> None:
        self._path = Path(path)
        self._questions = questions
        self._settings = {n: self._stored(value) for n, value in settings_of(engine).items()}
        self.known: Mapping[str, Sample] = self._read_known()

    def _stored(self, value: object) -> JsonValue:
        """Return a setting as the file holds it."""
        if isinstance(value, Path):
            return os.path.relpath(value.resolve(), self._path.parent.resolve())
        return without_keys(as_json(value))

    def open(self) -> "AnswerFile":
        """Return the file with the answers that are known, for others to come.

        A warning is logged where settings do not tell that this engine gave them.

        Raises:
            OutputError: It cannot be written.
        """
        known = (sample.metadata.get(ENGINE_SETTINGS) for sample in self.known.values())
        if unsure := sum(not settings or settings != self._settings for settings in known):
            _LOG.warning(UNSURE, self._path, unsure)
        write_whole(self._path, map(jsonl_line, self.known.values()))
        try:
            self._lines = LinesInFile(self._path, writable=True)
        except OSError as error:
            raise self._write_error(error) from error
        return self

    def append(self, answer: Sample) -> Sample:
        """Append one answer to the file, flush it, and return it with the settings of its engine.

        An error has none: it keeps no other engine from the file.

        Raises:
            OutputError: It cannot be written: no more questions should be paid for.
        """
        if self._settings and not answer.error:
            metadata = {**answer.metadata, ENGINE_SETTINGS: self._settings}
            answer = answer.model_copy(update={"metadata": metadata})
        self._lines.append(jsonl_line(answer).encode())
        if self._lines.failure is not None:
            raise self._write_error(self._lines.failure)
        return answer

    def finish(self, answers: EvaluationDataset) -> None:
        """Replace the file by all answers in the order of the data set.

        Raises:
            OutputError: It cannot be written.
        """
        answers.write_jsonl(self._path)

    def _read_known(self) -> dict[str, Sample]:
        """Return the answers in the file to the same questions, in the order of the questions."""
        if not self._path.exists():
            return {}
        content = {question.id: content_id(question) for question in self._questions}
        rows = list(iter_jsonl(self._path, strict=False))
        unanswered = next((sample for sample in rows if not _is_answer(sample)), None)
        if unanswered is not None:
            raise OutputError(
                f"cannot write answers to {str(self._path)!r}: it holds questions without answers "
                f"(as {unanswered.id!r}); name another file"
            )
        for known in (sample.metadata.get(ENGINE_SETTINGS) for sample in rows if not sample.error):
            if self._settings and isinstance(known, dict) and known != self._settings:
                raise OutputError(
                    f"{str(self._path)!r} holds answers of {_shown(known)}, not of "
                    f"{_shown(self._settings)}: name another place (--out), or delete this file"
                )
        answers = {s.id: s for s in rows if content.get(s.id) == content_id(s) and not s.error}
        failed = sum(bool(sample.error) for sample in rows)
        if len(answers) + failed < len(rows):
            self._back_up()
        answered = (question for question in self._questions if question.id in answers)
        return {q.id: with_earlier_answer(q, answers[q.id]) for q in answered}

    def _back_up(self) -> None:
        number = 1
        while (copy := self._path.with_name(f"{self._path.name}.bak{number}")).exists():
            number += 1
        write_whole(copy, [self._path.read_text(encoding="utf-8", errors="replace")])

    def _write_error(self, error: OSError) -> OutputError:
        return OutputError(f"cannot write {str(self._path)!r}: {error.strerror or error}")


def _shown(settings: Mapping[str, object]) -> str:
    """Return settings as an error names them."""
    return ", ".join(f"{name}={value!r}" for name, value in settings.items())


def _is_answer(sample: Sample) -> bool:
    """Return whether the sample holds an answer or an error of a pipeline."""
    if sample.error or sample.latency is not None:
        return True
    if isinstance(sample, MultiTurnSample):
        return any(message.role == "assistant" for message in sample.messages)
    return sample.has("response") or sample.has("contexts")
