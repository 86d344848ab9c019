"""Splits: questions to tune a pipeline with ("dev") and questions to report on ("test").

A document is in one split only: a pipeline tuned on questions about a document has seen it.
Documents that one question joins, because it needs both or because either answers it, therefore
go together; the unit that is drawn is a connected component of documents and items.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Literal

from testset.corpus.documents import shuffle_key
from testset.golden.item import GoldenItem

Split = Literal["dev", "test"]

DEV_SHARE = 0.2
"""Share of the documents whose questions are for tuning; the others are for the final test."""


def held_splits(items: Iterable[GoldenItem]) -> dict[str, Split]:
    """Return the split of each document that items have put into one; "dev" if into both.

    Example:
        >>> held_splits([])
        {}
    """
    return {
        doc_id: "dev" if "dev" in splits else "test"
        for doc_id, splits in _splits_by_document(items).items()
        if splits
    }


def joins_splits(groups: Iterable[Sequence[str]], held: Mapping[str, Split]) -> bool:
    """Return whether groups join documents that are in different splits already.

    Example:
        >>> joins_splits([("a", "new"), ("new", "b")], {"a": "dev", "b": "test"})
        True
    """
    return any(len(splits) > 1 for splits in _splits_in(_components(groups), held).values())


def _splits_in(components: Mapping[str, str], held: Mapping[str, Split]) -> dict[str, set[Split]]:
    """Return the splits that each component is in already, of those that are in any."""
    splits: dict[str, set[Split]] = {}
    for name in components.keys() & held.keys():
        splits.setdefault(components[name], set()).add(held[name])
    return splits


def with_splits(
    items: Iterable[GoldenItem],
    *,
    seed: int = 7,
    documents: Mapping[str, Sequence[str]] | None = None,
    held: Mapping[str, Split] | None = None,
) -> tuple[GoldenItem, ...]:
    """Return the items with their splits: about a fifth of the documents is "dev".

    A component is drawn by the hash of the seed and its first id in alphabetical order, so that
    documents that are added leave the others where they were, unless an item joins them. A
    component with documents that are in a split already is in that one; in "dev" if in both.

    Both have items of each type of which documents that nothing joins have two: the smallest
    component that can be spared changes sides.

    Args:
        items: The items, or a golden set.
        seed: Of the draw.
        documents: Item id -> the documents that an item without gold spans was written about.
            Without them it belongs to no document and goes to "test".
        held: The splits that documents are in already; they stay in them.
    """
    groups = [(item, item.doc_ids or (documents or {}).get(item.id, ())) for item in items]
    components = _components(group for _, group in groups)
    drawn = {first: _drawn_split(first, seed) for first in components.values()}
    for first, splits in _splits_in(components, held or {}).items():
        drawn[first] = "dev" if "dev" in splits else "test"
    types: dict[str, Counter[str]] = defaultdict(Counter)
    for item, group in groups:
        types[components[group[0]] if group else ""][item.type] += 1
    types.pop("", None)
    _balance(drawn, types, fixed={components[name] for name in components.keys() & (held or {})})
    return tuple(
        item.model_copy(update={"split": drawn[components[group[0]]] if group else "test"})
        for item, group in groups
    )


def _balance(
    drawn: dict[str, Split], types: Mapping[str, Counter[str]], *, fixed: Set[str]
) -> None:
    """Let components change sides, so that each type is on both if two components have it.

    Args:
        drawn: Component -> its split; changed.
        types: Component -> how many items of each type it has.
        fixed: The components that stay where they are.
    """

    def sides(kind: str, without: str = "") -> set[Split]:
        return {drawn[name] for name, own in types.items() if own[kind] and name != without}

    for kind in sorted({kind for own in types.values() for kind in own}):
        if len(sides(kind)) > 1:
            continue
        spared = [
            name
            for name, own in types.items()
            if own[kind] and name not in fixed
            if all(drawn[name] in sides(other, without=name) for other in own)
        ]
        if spared:
            name = min(spared, key=lambda name: (types[name].total(), name))
            drawn[name] = "test" if drawn[name] == "dev" else "dev"


def joined_splits(items: Iterable[GoldenItem]) -> tuple[GoldenItem, ...]:
    """Return the items with the splits they have, where no document has items in both.

    Documents with items in both splits go to "dev" together with all that are joined to them:
    what a pipeline may have been tuned on must not test it. Items without a split get none.
    """
    items = tuple(items)
    groups = [item.doc_ids for item in items if item.split]
    components, shared = _components(groups), shared_documents(items)
    mixed = {components[doc_id] for doc_id in shared}
    return tuple(
        item.model_copy(update={"split": "dev"})
        if item.split and any(components[doc_id] in mixed for doc_id in item.doc_ids)
        else item
        for item in items
    )


def shared_documents(items: Iterable[GoldenItem]) -> tuple[str, ...]:
    """Return the documents that have questions in more than one split; none should.

    Example:
        >>> shared_documents([])
        ()
    """
    splits = _splits_by_document(items)
    return tuple(sorted(doc_id for doc_id, own in splits.items() if len(own) > 1))


def _splits_by_document(items: Iterable[GoldenItem]) -> dict[str, set[str]]:
    splits: dict[str, set[str]] = defaultdict(set)
    for item in items:
        for doc_id in item.doc_ids:
            splits[doc_id] |= {item.split} - {""}
    return splits


def _components(groups: Iterable[Sequence[str]]) -> dict[str, str]:
    """Return document -> the alphabetically first of those that groups join it to.

    Two documents are joined by a group that holds both, or by a chain of such groups.
    """
    leader: dict[str, str] = {}

    def first_of(name: str) -> str:
        while leader.setdefault(name, name) != name:
            name = leader[name]
        return name

    for group in groups:
        for name in group:
            first, second = sorted((first_of(group[0]), first_of(name)))
            leader[second] = first
    return {name: first_of(name) for name in leader}


def _drawn_split(doc_id: str, seed: int) -> Split:
    share = int(shuffle_key(seed, doc_id)[:8], 16) / 0xFFFFFFFF
    return "dev" if share < DEV_SHARE else "test"
