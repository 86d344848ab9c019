"""The checkpoint: decisions and replies on disk, so that a killed run continues where it stopped.

Lines are only appended, one decision a line. A line that a kill has cut short is dropped when the
run starts again, and its decision is made once more. The file is the `journal` of `generate`.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from pydantic import JsonValue

from llamaindex_rag_eval.errors import DatasetError, OutputError, ReplyError
from llamaindex_rag_eval.models.cached import CachedOracle
from llamaindex_rag_eval.models.request import Oracle, ReplyT, Request, check_reply
from llamaindex_rag_eval.models.store import reply_key

Record = Mapping[str, JsonValue]

SPENT = "spent"
"""The key of what was spent; of its records the last one counts."""

SENT = "sent"
"""The key of how many calls were sent; of its records the last one counts."""


class Checkpoint:
    """Decisions by key, on disk if there is a path.

    Args:
        path: The file; `None` keeps decisions in memory only.
        run: What the run depends on (documents, seed, settings). The file of another run is
            refused, unless it holds no decision.
    """

    def __init__(self, path: Path | None, *, run: str) -> None:
        self.path = path
        self.run = run
        self._known: dict[str, Record] = {}
        self._file = -1

    def __enter__(self) -> "Checkpoint":
        """Read what is there and open the file to append.

        Raises:
            DatasetError: It belongs to another run.
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

    @property
    def spent(self) -> Record:
        """What was recorded last by `spend`; empty if nothing was."""
        return self._known.get(SPENT, {})

    def spend(self, record: Record) -> None:
        """Record all that was spent until now."""
        self.put(SPENT, record)

    @property
    def sent(self) -> int:
        """Calls that were sent, as recorded last by `send`; else those that were spent."""
        return int(str(self._known.get(SENT, self.spent).get("calls", 0)))

    def send(self, calls: int) -> None:
        """Record how many calls were sent until now, before the last of them is."""
        self.put(SENT, {"calls": calls})

    def put(self, key: str, record: Record) -> None:
        """Record a decision; it is in the file when this method returns."""
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
        same = bool(lines) and _parse_line(lines[0], self.path).get("run") == self.run
        decided = [line for line in lines[1:] if not line.startswith(f'{{"key":"{SENT}"')]
        if not same and not decided:  # of a run that failed before its first decision
            os.ftruncate(self._file, 0)
            os.lseek(self._file, 0, os.SEEK_SET)
            self._append({"run": self.run})
            return
        if not same:
            raise DatasetError(
                "the journal of another run (other documents, seed or settings); "
                "expected this run's, or name another file",
                file=str(self.path),
            )
        for line in lines[1:]:
            record = _parse_line(line, self.path)
            self._known[str(record["key"])] = record

    def _append(self, record: Record) -> None:
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        os.write(self._file, line.encode() + b"\n")


def _parse_line(line: str, path: Path | None) -> dict[str, JsonValue]:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise DatasetError(f"no line of a journal: {error}", file=str(path)) from error
    return dict(record) if isinstance(record, dict) else {}


class CheckpointedOracle:
    """Answer from a checkpoint; ask `inner` and record its reply where there is none.

    Everything that a run decides follows from replies. A run that is resumed therefore decides the
    same again, and asks only what has no reply on disk.

    Args:
        inner: The oracle to ask. It gets a cache if it has none, so that equal requests at the
            same time are asked once.
        checkpoint: Open, and of this run.
    """

    def __init__(self, inner: Oracle, checkpoint: Checkpoint) -> None:
        self.inner = inner if isinstance(inner, CachedOracle) else CachedOracle(inner)
        self.checkpoint = checkpoint

    def __repr__(self) -> str:
        return f"CheckpointedOracle({self.inner!r})"

    def fingerprint(self, request: type[Request[ReplyT]]) -> str:
        """Return the fingerprint of `inner`: a checkpoint changes no answer."""
        return self.inner.fingerprint(request)

    def answers(self, request: type[Request[ReplyT]]) -> bool:
        """Return whether `inner` answers requests of this type."""
        return self.inner.answers(request)

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        """Return the recorded reply to an equal request, or ask for one and record it."""
        kind = type(request).__name__
        key = reply_key(self.fingerprint(type(request)), kind, request.model_dump_json())
        kept = self.checkpoint.get(key)
        if kept is not None:
            try:
                return check_reply(request, request.reply.model_validate(kept["reply"]))
            except (ReplyError, ValueError):
                pass  # recorded by a version of this package with another reply format
        reply = await self.inner.ask(request)
        if kept is None and self.checkpoint.get(key) is None:
            self.checkpoint.put(key, {"reply": reply.model_dump(mode="json")})
        return reply
