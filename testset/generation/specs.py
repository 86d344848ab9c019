"""Slots: for each question that is to be written, the type, the passages and the voice.

All of it follows from hashes of the seed and the place, so that equal inputs give equal slots and
a new document disturbs only what it is drawn for.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from testset.corpus.documents import shuffle_key
from testset.corpus.index import CorpusIndex
from testset.corpus.passages import Passage
from testset.generation.links import partners_of
from testset.generation.quotas import Cell
from testset.generation.wishes import LENGTHS, Wishes

__all__ = ["Slot", "Slots"]

Length = Literal["short", "medium", "long"]

LEAST_CHARACTERS = 80
"""A shorter passage states too little."""
PASSAGES: Mapping[str, int] = {"multi_hop": 2, "summary": 3, "underspecified": 2, "conflict": 2}
"""How many passages, of different documents, a type takes; others take one."""
KINDS: Mapping[str, tuple[str, ...]] = {
    "single_hop": ("factoid", "numeric", "definition", "list", "procedure"),
    "multi_hop": ("bridge", "comparison", "across"),
}


@dataclass(frozen=True, slots=True)
class Slot:
    """One question to be written.

    Attributes:
        cell: Its topic and type.
        passages: Numbers of the passages it is about; the first one was planned.
        aside: Number of a passage that distracts, if the type wants one.
        kind: What is asked for; finer than the type.
        persona: Who asks.
        style: In which manner.
        length: How long.
        language: In which language.
        turn: A number drawn from the place, for what takes turns.
    """

    cell: Cell
    passages: tuple[int, ...]
    aside: int | None
    kind: str
    persona: str
    style: str
    length: Length
    language: str
    turn: int

    @property
    def type(self) -> str:
        """The question type."""
        return self.cell[1]


class Slots:
    """Give out the slots of each cell, passages that nobody has used yet first.

    Args:
        index: All passages.
        kept: Those worth asking about.
        topics: Document id -> topic.
        wishes: Voices and language.
        personas: Who asks.
        seed: Of the order.
    """

    def __init__(
        self,
        index: CorpusIndex,
        kept: Sequence[Passage],
        topics: Mapping[str, str],
        wishes: Wishes,
        personas: Sequence[str],
        *,
        seed: int,
    ) -> None:
        self._index, self._wishes, self._personas, self._seed = index, wishes, personas, seed
        places = {id(passage): number for number, passage in enumerate(index.passages)}
        self._by_topic: dict[str, list[int]] = defaultdict(list)
        for passage in kept:
            if len(passage.text) >= LEAST_CHARACTERS or len(kept) == 1:
                self._by_topic[topics[passage.document.doc_id]].append(places[id(passage)])
        self._left: dict[Cell, list[int]] = {}
        self._used: Counter[int] = Counter()

    def count(self, type_: str) -> int:
        """Return how many passages a type can be asked about."""
        return sum(len(self._order((topic, type_))) for topic in self._by_topic)

    def left(self, cell: Cell) -> int:
        """Return how many passages of a cell have not been tried."""
        return len(self._order(cell))

    def take(self, cell: Cell, *, again: bool = False) -> Slot | None:
        """Return the next slot of a cell, or `None` if all its passages were tried.

        Args:
            cell: The topic and type.
            again: Whether to take a passage that was read already, if there is one: its facts
                are paid for. Else one that was read least often comes first.
        """
        order = self._order(cell)
        if not order:
            return None
        if again:
            number = min(order, key=lambda entry: not self._used[entry])
        else:
            number = min(order, key=lambda entry: self._used[entry])
        order.remove(number)
        slot = self._slot(cell, number)
        self._used.update(slot.passages)
        return slot

    def _order(self, cell: Cell) -> list[int]:
        if cell not in self._left:
            topic, type_ = cell
            fitting = [n for n in self._by_topic.get(topic, ()) if self._fits(n, type_)]
            self._left[cell] = sorted(fitting, key=lambda n: self._hash(n, type_))
        return self._left[cell]

    def _fits(self, number: int, type_: str) -> bool:
        passage = self._index.passages[number]
        if type_ == "table":
            return any(block.kind == "row" for block in passage.blocks)
        return bool(passage.sentences)

    def _hash(self, number: int, salt: str) -> str:
        passage = self._index.passages[number]
        place = f"{salt}/{passage.document.doc_id}"
        return shuffle_key(self._seed, place, passage.start, passage.end)

    def _slot(self, cell: Cell, number: int) -> Slot:
        type_ = cell[1]
        more = 1 if type_ == "distracting" else PASSAGES.get(type_, 1) - 1
        partners = partners_of(self._index, number, count=more) if more else ()
        joined = partners if type_ in PASSAGES else ()
        kinds = KINDS.get(type_, ("",))
        turn = int(self._hash(number, f"turn/{type_}")[:8], 16)
        length = _drawn(LENGTHS, self._hash(number, f"length/{type_}"))
        persona = self._personas[turn % len(self._personas)] if self._personas else ""
        return Slot(
            cell=cell,
            passages=(number, *joined),
            aside=partners[0] if type_ == "distracting" and partners else None,
            kind=kinds[turn % len(kinds)],
            persona=persona,
            style=_drawn(self._wishes.styles, self._hash(number, f"style/{type_}")),
            length="short" if length == "short" else "long" if length == "long" else "medium",
            language=self._wishes.language or self._index.passages[number].language,
            turn=turn,
        )


def _drawn(shares: Mapping[str, float], digest: str) -> str:
    """Return the name that a hash falls on, by shares."""
    left = int(digest[:12], 16) / 16**12 * sum(shares.values())
    for name, share in sorted(shares.items()):
        if left < share:
            return name
        left -= share
    return max(shares)
