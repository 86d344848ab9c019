"""The journal: every decision on its own line, so that a killed run continues where it stopped.

Lines are only ever appended. A line that was cut short by a kill is dropped when the run starts
again, and the decision is made once more.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from pydantic import JsonValue

from llamaindex_rag_eval.errors import DatasetError, OutputError

__all__ = ["Journal"]

Record = Mapping[str, JsonValue]


class Journal:
    """Decisions by key, kept on disk if there is a path.

    Args:
        path: The file; `None` keeps nothing.
        run: What the run depends on (documents, seed, settings). A journal of another run is
            refused rather than mixed in.
    """

    def __init__(self, path: Path | None, *, run: str) -> None:
        self.path = path
        self.run = run
        self._known: dict[str, Record] = {}
        self._file = -1

    def __enter__(self) -> "Journal":
        """Read what is there and open the file to append.

        Raises:
            DatasetError: It is the journal of another run.
            OutputError: It cannot be written.
        """
        if self.path is None:
            return self
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise OutputError(f"cannot write {str(self.path)!r}: {error.strerror}") from error
        try:
            self._load()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def get(self, key: str) -> Record | None:
        """Return the decision recorded under a key, if there is one."""
        return self._known.get(key)

    def last(self, field: str) -> JsonValue:
        """Return this field of the latest record that has it; `None` if none has."""
        records = reversed(self._known.values())
        return next((record[field] for record in records if field in record), None)

    def put(self, key: str, record: Record) -> None:
        """Record a decision; it is in the file when this returns."""
        self._known[key] = record
        if self._file >= 0:
            self._append({"key": key, **record})

    def _load(self) -> None:
        data = b""
        while part := os.read(self._file, 1 << 20):
            data += part
        whole = data[: data.rfind(b"\n") + 1]
        os.ftruncate(self._file, len(whole))
        os.lseek(self._file, 0, os.SEEK_END)
        lines = whole.decode().split("\n")[:-1]
        if not lines:
            self._append({"run": self.run})
            return
        if _parsed(lines[0], self.path).get("run") != self.run:
            raise DatasetError(
                "the journal of another run (other documents, seed or settings); "
                "expected this run's, or name another file",
                file=str(self.path),
            )
        for line in lines[1:]:
            record = _parsed(line, self.path)
            self._known[str(record["key"])] = record

    def _append(self, record: Record) -> None:
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        os.write(self._file, line.encode() + b"\n")


def _parsed(line: str, path: Path | None) -> dict[str, JsonValue]:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise DatasetError(f"no line of a journal: {error}", file=str(path)) from error
    return dict(record) if isinstance(record, dict) else {}
