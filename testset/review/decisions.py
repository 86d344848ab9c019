"""Decisions: a reviewer's verdict on each item, on disk before the page gets its answer.

A decision is one line of an append-only file beside the golden set: the item's state before and
after. Then the golden set itself is written anew. A kill between the two loses nothing: opening
the set again applies the decisions that it does not contain yet. A decision on a state that no
longer exists (a refresh has made the item stale since) stays in the file and is not applied.

Several people may review the same set: each undoes only what is theirs, and nobody decides on a
state that they have not seen. Where they disagree, the last decision counts.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from llamaindex_rag_eval.data.sample import Fact
from llamaindex_rag_eval.errors import DatasetError, InputError, OutputError
from testset.golden.golden_set import GoldenSet
from testset.golden.item import GoldenItem, GoldSpan, HardNegative, QuestionType, Status

Action = Literal["accept", "edit", "reject"]

STATUS: dict[Action, Status] = {"accept": "accepted", "edit": "edited", "reject": "rejected"}


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class State(_Frozen):
    """The fields of an item that a decision can change; `None` leaves one as it is."""

    question: str
    reference: str
    reference_aliases: tuple[str, ...] = ()
    reference_facts: tuple[Fact, ...] = ()
    type: QuestionType | None = None
    gold: tuple[tuple[GoldSpan, ...], ...] | None = None
    hard_negatives: tuple[HardNegative, ...] | None = None
    status: Status

    @classmethod
    def of(cls, item: GoldenItem) -> "State":
        """Return the state of an item, without its hard negatives, which new gold alone changes."""
        names = cls.model_fields.keys() - {"hard_negatives"}
        return cls(**{name: getattr(item, name) for name in names})

    def fits(self, item: GoldenItem) -> bool:
        """Return whether an item is in this state."""
        return all(getattr(item, name) == value for name, value in self if value is not None)

    def put_on(self, item: GoldenItem) -> GoldenItem:
        """Return an item in this state."""
        return item.model_copy(update={name: value for name, value in self if value is not None})


class Decision(_Frozen):
    """What a reviewer decided on an item: one line of the file.

    Attributes:
        item_id: The item.
        action: The decision; "undo" takes back the reviewer's last one on the item.
        before: The item's state before it.
        after: Its state from then on.
        reviewer: Who decided; empty if no name was given.
        reason: Why, in the reviewer's words.
    """

    item_id: str
    action: Action | Literal["undo"]
    before: State
    after: State
    reviewer: str = ""
    reason: str = ""


class ChangedMeanwhileError(InputError):
    """Somebody else decided on an item after it was looked at."""


class Decisions:
    """A golden set under review, and the file of its decisions.

    Args:
        golden: The golden set's file. Decisions go to a file beside it, `.decisions.jsonl`.

    Raises:
        DatasetError: One of the files cannot be read; says which line.
    """

    def __init__(self, golden: Path) -> None:
        self.path = golden
        self.log = decisions_beside(golden)
        self._items = {item.id: item for item in GoldenSet.read(golden)}
        self._all: list[Decision] = []
        self._size = len(_whole_lines(self.log, cut=True))
        self._take_in()

    def catch_up(self) -> None:
        """Take in the decisions that another process has written since.

        Raises:
            DatasetError: The file of decisions cannot be read.
        """
        size = self.log.stat().st_size if self.log.exists() else 0
        if size != self._size:
            self._size = size
            self._take_in()

    def _take_in(self) -> None:
        for decision in decisions_in(self.log)[len(self._all) :]:
            self._all.append(decision)
            item = self._items.get(decision.item_id)
            if item is not None and decision.before.fits(item):
                self._items[item.id] = decision.after.put_on(item)

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

    def history(self, item_id: str) -> tuple[Decision, ...]:
        """Return the decisions on an item, the first one first, undone ones among them."""
        return tuple(entry for entry in self._all if entry.item_id == item_id)

    def decide(
        self,
        item_id: str,
        action: Action,
        *,
        question: str | None = None,
        reference: str | None = None,
        type_: QuestionType | None = None,
        gold: tuple[tuple[GoldSpan, ...], ...] | None = None,
        reviewer: str = "",
        reason: str = "",
        seen: int | None = None,
    ) -> GoldenItem:
        """Accept, edit or reject an item, and return it as it is afterwards.

        Args:
            item_id: The item.
            action: The decision.
            question: Its new wording, to edit.
            reference: Its new answer, to edit; its separate facts are dropped with the old one.
            type_: Its new type, to edit.
            gold: Its new gold spans, to edit; a hard negative that holds one is none any more.
            reviewer: Who decides.
            reason: Why.
            seen: How many decisions there were on the item when it was looked at; `None` decides
                whatever others did since.

        Raises:
            ChangedMeanwhileError: There are more decisions on it than were seen; says whose.
            InputError: There is no such item, or the new question is empty.
            OutputError: The decision cannot be written; then it is not made.
        """
        self.catch_up()
        item = self.item(item_id)
        known = self.history(item_id)
        if seen is not None and seen < len(known):
            raise ChangedMeanwhileError(f"{_in_words(known[-1])} meanwhile; look at it again")
        before = State.of(item)
        changes: dict[str, object] = {"status": STATUS[action]}
        if action == "edit":
            wording = item.question if question is None else question.strip()
            answer = item.reference if reference is None else reference.strip()
            if not wording:
                raise InputError("expected a question, got none")
            changes |= {"question": wording, "reference": answer, "type": type_ or item.type}
            if gold is not None:
                before = before.model_copy(update={"hard_negatives": item.hard_negatives})
                changes |= {"gold": gold, "hard_negatives": item.negatives_beside(gold)}
            if answer != item.reference:  # they were those of the other answer
                changes |= {"reference_aliases": (), "reference_facts": ()}
        after = before.model_copy(update=changes)
        words = {"reviewer": reviewer, "reason": reason.strip()}
        return self._write(item_id, before, after, action=action, **words)

    def undo(self, reviewer: str = "") -> GoldenItem | None:
        """Undo the last decision of a reviewer that stands; `None` if there is none.

        Raises:
            ChangedMeanwhileError: Somebody else decided on the item since.
            OutputError: It cannot be written.
        """
        self.catch_up()
        standing = standing_decisions(entry for entry in self._all if entry.item_id in self._items)
        own = [entry for entry in standing if entry.reviewer == reviewer]
        if not own:
            return None
        last = own[-1]
        newest = [entry for entry in standing if entry.item_id == last.item_id][-1]
        if newest is not last:
            raise ChangedMeanwhileError(
                f"{_in_words(newest)} after you; decide on it again instead"
            )
        before = State.of(self.item(last.item_id))
        return self._write(last.item_id, before, last.before, action="undo", reviewer=reviewer)

    def fold(self) -> None:
        """Write the golden set with all decisions in it.

        Raises:
            OutputError: It cannot be written.
        """
        GoldenSet(self.items, size=len(self._items)).write(self.path)

    def _write(self, item_id: str, before: State, after: State, **fields: str) -> GoldenItem:
        """Write a decision: it is on the disk before the golden set changes."""
        states = {"item_id": item_id, "before": before, "after": after}
        decision = Decision.model_validate(states | fields)
        try:
            with self.log.open("ab") as file:
                file.write(f"{decision.model_dump_json()}\n".encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise OutputError(f"cannot write {str(self.log)!r}: {error.strerror}") from error
        self._items[item_id] = after.put_on(self._items[item_id])
        self._all.append(decision)
        self.fold()
        return self._items[item_id]


def standing_decisions(decisions: Iterable[Decision]) -> list[Decision]:
    """Return the decisions that nobody has undone, in order.

    An undo takes its reviewer's last decision on the item away.
    """
    standing: list[Decision] = []
    for decision in decisions:
        if decision.action != "undo":
            standing.append(decision)
            continue
        own = (decision.item_id, decision.reviewer)
        numbers = [n for n, entry in enumerate(standing) if (entry.item_id, entry.reviewer) == own]
        if numbers:
            del standing[numbers[-1]]
    return standing


def _in_words(decision: Decision) -> str:
    done = {"accept": "accepted", "edit": "edited", "reject": "rejected", "undo": "undid"}
    what = "a decision on it" if decision.action == "undo" else "it"
    return f"{decision.reviewer or 'somebody'} {done[decision.action]} {what}"


def decisions_beside(golden: Path) -> Path:
    """Return where the decisions on a golden set are kept."""
    return golden.with_name(f"{golden.name}.decisions.jsonl")


def decisions_in(path: Path) -> list[Decision]:
    """Return the decisions of a file, undone ones among them; none if there is no file.

    Raises:
        DatasetError: It cannot be read, or a whole line is no decision; says which.
    """
    decisions = []
    for number, line in enumerate(_whole_lines(path).splitlines(), 1):
        try:
            decisions.append(Decision.model_validate_json(line))
        except ValidationError as error:
            what = f"expected a decision: {error.errors()[0]['msg']}"
            raise DatasetError(what, file=str(path), line=number) from error
    return decisions


def _whole_lines(path: Path, *, cut: bool = False) -> bytes:
    """Return a file without a last line that a kill left unfinished, which may be cut off it."""
    try:
        data = path.read_bytes() if path.exists() else b""
        size = data.rfind(b"\n") + 1
        if cut and size < len(data):
            os.truncate(path, size)
    except OSError as error:
        raise DatasetError(f"cannot be read: {error.strerror}", file=str(path)) from error
    return data[:size]
