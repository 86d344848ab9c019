"""The file of answers while a pipeline is run: it grows by a line an answer, and resumes."""

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import TextIO

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.data.jsonl import iter_jsonl, jsonl_line
from llamaindex_rag_eval.data.naming import content_id
from llamaindex_rag_eval.data.sample import MultiTurnSample, Sample
from llamaindex_rag_eval.errors import OutputError

__all__ = ["AnswerFile"]


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
