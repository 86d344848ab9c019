"""Merging: golden sets become one, in which each question stands once and each id is unique."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, get_args

from llamaindex_rag_eval.errors import DatasetError, InputError
from testset.corpus.documents import Corpus
from testset.golden.additions import plain_question
from testset.golden.golden_set import GoldenSet
from testset.golden.item import GoldenItem, Status
from testset.golden.splits import joined_splits

Prefer = Literal["first", "last"]
"""Which of two items that ask the same and differ is taken."""
NAMED = 5
"""Conflicts, or gold spans, that an error names."""
BY_PEOPLE: tuple[Status, ...] = ("accepted", "edited", "rejected")
"""What only a reviewer makes of an item."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A question that two sets have, each in its own way.

    Attributes:
        question: The question.
        ids: The ids of the two items, the earlier set's first; they may be equal.
        sets: The names of the two sets.
        fields: The fields that differ, as "reference" and "gold".
    """

    question: str
    ids: tuple[str, str]
    sets: tuple[str, str]
    fields: tuple[str, ...]

    def __str__(self) -> str:
        where, fields = " and ".join(map(repr, self.sets)), ", ".join(self.fields)
        return f"{self.question!r} ({', '.join(dict.fromkeys(self.ids))}): {fields} in {where}"


@dataclass(frozen=True, slots=True)
class Merged:
    """Golden sets as one.

    Attributes:
        golden: The items of all sets, those of an earlier set first.
        twins: How many items were left out because the set had the same already.
        conflicts: The questions of which one of two items was taken.
    """

    golden: GoldenSet
    twins: int
    conflicts: tuple[Conflict, ...]


def merge_golden(
    sets: Mapping[str, GoldenSet], *, prefer: Prefer | None = None, corpus: Corpus | None = None
) -> Merged:
    """Return golden sets as one, with the reports of their generation.

    Of two items with the same question (case, width and blanks aside), conversation, answer and
    gold, the one that a person has reviewed is taken, or else the first. Items keep their ids. A
    document with items in both splits goes to "dev", with all that is joined to it.

    Args:
        sets: The sets by name, in their order; the name says in the report what is of which.
        prefer: Which item is taken if two sets ask the same and differ in answer, gold or what a
            reviewer decided, or have one id for two questions.
        corpus: The documents of all sets, to check the gold spans.

    Raises:
        InputError: `prefer` is neither, or there is no set.
        DatasetError: Sets ask the same and differ and `prefer` is not given, a gold span is not
            in the documents, or, without these, sets have two texts under one document's name.

    Example:
        >>> merge_golden({"a": GoldenSet(()), "b": GoldenSet(())}).twins
        0
    """
    if not sets or prefer not in (None, *get_args(Prefer)):
        raise InputError(f"expected sets, and 'first' or 'last' to prefer, got {prefer!r}")
    if corpus is None:
        _check_names(sets)
    items, twins, conflicts = _each_once(sets, prefer)
    if conflicts and prefer is None:
        what = f"{len(conflicts)} questions are in two sets and differ"
        choice = "choose the 'first' or the 'last' (--prefer), or change one of them"
        raise DatasetError(f"{what}; {choice}: {_some(conflicts)}")
    merged = _with_reports(sets, joined_splits(items))
    if corpus is not None and (amiss := merged.verify(corpus.texts)):
        rows = [f"{entry.item_id} in {entry.doc_id!r}: {entry.reason}" for entry in amiss]
        mend = "`rag-eval golden refresh` fits a set to its documents"
        raise DatasetError(
            f"{len(amiss)} gold spans are not in the documents; {mend}: {_some(rows)}"
        )
    return Merged(merged, twins, tuple(conflicts))


def _each_once(
    sets: Mapping[str, GoldenSet], prefer: Prefer | None
) -> tuple[list[GoldenItem], int, list[Conflict]]:
    """Return the items of all sets, how many came again, and of which one of two was taken."""
    ids: dict[object, str] = {}
    items: dict[str, tuple[str, GoldenItem]] = {}
    twins, conflicts = 0, list[Conflict]()
    for name, item in ((name, item) for name, golden in sets.items() for item in golden):
        asked_by = _asked_by(item)
        rivals = [key for key in dict.fromkeys((ids.get(asked_by), item.id)) if key in items]
        clashes = [
            Conflict(item.question, (key, item.id), (owner, name), fields)
            for key in rivals
            for owner, first in (items[key],)
            if (fields := _differing(first, item))
        ]
        conflicts += clashes
        twins += bool(rivals and not clashes)
        reviewed = _reviewed(item) and not all(_reviewed(items[key][1]) for key in rivals)
        if not rivals or (prefer == "last" if clashes else reviewed):
            for key in rivals:
                del items[key]
            items[item.id], ids[asked_by] = (name, item), item.id
    return [item for _, item in items.values()], twins, conflicts


def _check_names(sets: Mapping[str, GoldenSet]) -> None:
    """Raise `DatasetError` if a document is another text in another set."""
    texts: dict[str, tuple[str, str]] = {}
    for name, golden in sets.items():
        for span in (span for item in golden for group in item.gold for span in group):
            owner, text = texts.setdefault(span.doc_id, (name, span.doc_hash))
            if text != span.doc_hash:
                raise DatasetError(
                    f"{span.doc_id!r} is one text in {owner!r} and another in {name!r}: give the "
                    "documents (--docs) to check the gold spans of both"
                )


def _asked_by(item: GoldenItem) -> object:
    return plain_question(item.question), *((turn.role, turn.content) for turn in item.turns)


def _reviewed(item: GoldenItem) -> bool:
    return item.status in BY_PEOPLE


def _evidence(item: GoldenItem) -> list[list[tuple[str, int, str]]]:
    return [[(span.doc_id, span.start, span.quote) for span in group] for group in item.gold]


def _differing(first: GoldenItem, item: GoldenItem) -> tuple[str, ...]:
    """Return the names of the fields in which two items are not the same."""
    pairs: dict[str, tuple[object, object]] = {
        "question": (_asked_by(first), _asked_by(item)),
        "reference": (first.reference, item.reference),
        "reference_aliases": (first.reference_aliases, item.reference_aliases),
        "gold": (_evidence(first), _evidence(item)),
        "expected_behaviour": (first.expected_behaviour, item.expected_behaviour),
    }
    if _reviewed(first) and _reviewed(item):
        pairs["status"] = first.status, item.status
    return tuple(name for name, (a, b) in pairs.items() if a != b)


def _with_reports(sets: Mapping[str, GoldenSet], items: Sequence[GoldenItem]) -> GoldenSet:
    """Return a set of the items with all that is known of how the sets were made."""
    ids, reports = {item.id for item in items}, list(sets.values())
    reserve = {entry.id: entry for golden in reports for entry in golden.reserve}
    return GoldenSet(
        tuple(items),
        size=len(items),
        shortfall=tuple(dict.fromkeys(chain.from_iterable(g.shortfall for g in reports))),
        rejected=tuple(dict.fromkeys(chain.from_iterable(g.rejected for g in reports))),
        skipped=tuple(dict.fromkeys(chain.from_iterable(g.skipped for g in reports))),
        facts={f"{key}, {name}": text for name, g in sets.items() for key, text in g.facts.items()},
        reserve=tuple(entry for name, entry in reserve.items() if name not in ids),
    )


def _some(rows: Sequence[object]) -> str:
    more = f"; and {len(rows) - NAMED} more" if len(rows) > NAMED else ""
    return "; ".join(map(str, rows[:NAMED])) + more
