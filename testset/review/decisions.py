"""Decisions: a reviewer's verdict on each item, on disk before the page gets its answer.

A decision is one line of an append-only file beside the golden set: the item's state before and
after. Then the golden set itself is written anew. A kill between the two loses nothing: opening
the set again applies the decisions that it does not contain yet. A decision on a state that no
longer exists (a refresh has made the item stale since) stays in the file and is not applied.
"""

import os
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from llamaindex_rag_eval.errors import DatasetError, InputError, OutputError
from testset.golden.golden_set import GoldenSet
from testset.golden.item import GoldenItem, Status

__all__ = ["Action", "Decisions", "State"]

Action = Literal["accept", "edit", "reject"]

STATUS: dict[Action, Status] = {"accept": "accepted", "edit": "edited", "reject": "rejected"}


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class State(_Frozen):
    """The fields of an item that a decision can change."""

    question: str
    reference: str
    reference_aliases: tuple[str, ...] = ()
    reference_facts: tuple[str, ...] = ()
    status: Status

    @classmethod
    def of(cls, item: GoldenItem) -> "State":
        """Return the state of an item."""
        return cls(
            question=item.question,
            reference=item.reference,
            reference_aliases=item.reference_aliases,
            reference_facts=item.reference_facts,
            status=item.status,
        )


class _Decision(_Frozen):
    item_id: str
    action: Literal["accept", "edit", "reject", "undo"]
    before: State
    after: State


class Decisions:
    """A golden set under review, and the file of its decisions.

    Args:
        golden: The golden set's file. Decisions go to a file beside it, `.decisions.jsonl`.

    Raises:
        DatasetError: One of the files cannot be read; says which line.
    """

    def __init__(self, golden: Path) -> None:
        self.path = golden
        self.log = golden.with_name(f"{golden.name}.decisions.jsonl")
        self._items = {item.id: item for item in GoldenSet.read(golden)}
        self._decided: list[_Decision] = []
        for decision in _decisions_of(self.log):
            item = self._items.get(decision.item_id)
            if item is not None and State.of(item) == decision.before:
                self._items[item.id] = _with_state(item, decision.after)
            self._remember(decision)

    @property
    def items(self) -> tuple[GoldenItem, ...]:
        """The items as they are now, in the order of the file."""
        return tuple(self._items.values())

    def item(self, item_id: str) -> GoldenItem:
        """Return an item.

        Raises:
            InputError: There is none of this id.
        """
        if item_id not in self._items:
            raise InputError(f"no item {item_id!r}")
        return self._items[item_id]

    def decide(
        self,
        item_id: str,
        action: Action,
        *,
        question: str | None = None,
        reference: str | None = None,
    ) -> GoldenItem:
        """Accept, edit or reject an item, and return it as it is afterwards.

        Args:
            item_id: The item.
            action: The decision.
            question: Its new wording, to edit.
            reference: Its new answer, to edit; its separate facts are dropped with the old one.

        Raises:
            InputError: There is no such item, or the new question is empty.
            OutputError: The decision cannot be written; then it is not made.
        """
        item = self.item(item_id)
        before = State.of(item)
        changes: dict[str, object] = {"status": STATUS[action]}
        if action == "edit":
            wording = item.question if question is None else question.strip()
            answer = item.reference if reference is None else reference.strip()
            if not wording:
                raise InputError("expected a question, got none")
            changes |= {"question": wording, "reference": answer}
            if answer != item.reference:  # they were those of the other answer
                changes |= {"reference_aliases": (), "reference_facts": ()}
        after = before.model_copy(update=changes)
        return self._write(_Decision(item_id=item_id, action=action, before=before, after=after))

    def undo(self) -> GoldenItem | None:
        """Undo the last decision that stands; return its item, `None` if there is none."""
        if not self._decided:
            return None
        last = self._decided[-1]
        before = State.of(self.item(last.item_id))
        return self._write(
            _Decision(item_id=last.item_id, action="undo", before=before, after=last.before)
        )

    def fold(self) -> None:
        """Write the golden set with all decisions in it.

        Raises:
            OutputError: It cannot be written.
        """
        GoldenSet(self.items, size=len(self._items)).write(self.path)

    def _write(self, decision: _Decision) -> GoldenItem:
        _append_line(self.log, decision.model_dump_json() + "\n")
        item = _with_state(self._items[decision.item_id], decision.after)
        self._items[item.id] = item
        self._remember(decision)
        self.fold()
        return item

    def _remember(self, decision: _Decision) -> None:
        """Keep the decisions that can be undone: those on items that are still in the set."""
        if decision.action != "undo":
            if decision.item_id in self._items:
                self._decided.append(decision)
        elif self._decided and self._decided[-1].item_id == decision.item_id:
            self._decided.pop()


def _with_state(item: GoldenItem, state: State) -> GoldenItem:
    return item.model_copy(update=dict(state))


def _append_line(path: Path, line: str) -> None:
    """Append a line, and return when it is on the disk."""
    try:
        with path.open("ab") as file:
            file.write(line.encode())
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise OutputError(f"cannot write {str(path)!r}: {error.strerror}") from error


def _decisions_of(path: Path) -> list[_Decision]:
    """Return the decisions of a file; a last line that a kill left unfinished is removed."""
    if not path.exists():
        return []
    try:
        data = path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            with path.open("r+b") as file:
                file.truncate(len(whole))
    except OSError as error:
        raise DatasetError(f"cannot be read: {error.strerror}", file=str(path)) from error
    decisions = []
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            decisions.append(_Decision.model_validate_json(line))
        except ValidationError as error:
            what = f"expected a decision: {error.errors()[0]['msg']}"
            raise DatasetError(what, file=str(path), line=number) from error
    return decisions
