"""Waves: slots in groups, written and checked at the same time, accepted in order.

What is accepted depends on the order of the slots alone, never on which reply came first, so that
a run that was killed and resumed ends as it would have ended.
"""

import asyncio
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence

from llamaindex_rag_eval.errors import BudgetError, CallError
from testset.checks import QUOTA, Asked, Draft, duplicate, nearness
from testset.checks.run import Bench
from testset.corpus.duplicates import boilerplate
from testset.corpus.prepared import PreparedCorpus
from testset.generation.config import Settings
from testset.generation.items import finished, item_of
from testset.generation.model_writer import Attempt, Author
from testset.generation.quotas import Cell
from testset.generation.specs import Slot, Slots
from testset.golden.golden_set import Rejection, Shortfall
from testset.golden.item import GoldenItem
from testset.requests.writer import Writer

__all__ = ["Waves"]

IN_A_WAVE = 16
"""Slots at a time: enough to keep a model busy, few enough that later ones know what was asked."""
PATIENCE = 4
"""Attempts for each question asked for, before a type is given up."""
REREAD = frozenset({"unanswerable", "false_premise", "underspecified"})
"""Types that need no new evidence: they are asked about passages that were read for others, as
are all types once they have had as many attempts as questions are wanted."""
AVOIDED = 8
"""Accepted questions of the topic that a writer is shown; the latest ones."""
FEW = 5
"""Answerable questions from which their median nearness says something."""


class Waves:
    """Fill the cells of a plan.

    Attributes:
        rejected: What was turned down, with reasons.
        repaired: How many items each check sent back.
        stopped: Why the run ended before its end; empty if it did not.
        passages: How many passages were read.
    """

    def __init__(
        self,
        prepared: PreparedCorpus,
        slots: Slots,
        settings: Settings,
        *,
        writer: Writer,
        verifier: Writer,
    ) -> None:
        self.rejected: list[Rejection] = []
        self.repaired: Counter[str] = Counter()
        self.stopped = ""
        self._index, self._slots = prepared.index, slots
        self._writer, self._verifier = writer, verifier
        self._examples = settings.wishes.examples
        self._common = boilerplate(
            (p.document.doc_id, s.text) for p in prepared.kept for s in p.sentences
        )
        self._size, self._seed, self._tell = settings.size, settings.seed, settings.tell
        self._asked = Asked()
        self._items: list[tuple[GoldenItem, tuple[str, ...]]] = []
        self._by_topic: dict[str, list[str]] = {}
        self._near: list[float] = []
        self._got: Counter[Cell] = Counter()
        self._tried: Counter[str] = Counter()
        self._by_heart = 0
        self._read: set[int] = set()

    @property
    def items(self) -> tuple[GoldenItem, ...]:
        """The items accepted so far, with their splits."""
        return finished(self._items, self._seed)

    @property
    def passages(self) -> int:
        """How many passages were planned so far."""
        return len(self._read)

    async def fill(self, plan: Mapping[Cell, int]) -> None:
        """Write until the plan is full, nothing is left to try, or the budget is spent."""
        while not self.stopped:
            wave = self._wave(plan)
            if not wave:
                return
            await self._write(wave, {kind for _, kind in plan})

    async def _write(self, wave: Sequence[Slot], types: set[str]) -> None:
        usual = statistics.median(self._near) if len(self._near) >= FEW else 0.0
        bench = Bench(self._index, self._asked, self._verifier, usual)
        author = Author(self._writer, bench, self._examples, self._common)
        tasks = [author.attempt(slot, self._avoid(slot)) for slot in wave]
        attempts = await asyncio.gather(*tasks, return_exceptions=True)
        for attempt in attempts:
            if isinstance(attempt, BudgetError):
                self.stopped = str(attempt)
            elif isinstance(attempt, BaseException):
                raise attempt
            else:
                self._settle(attempt, types)
        broken = [a for a in attempts if isinstance(a, Attempt) and a.broken]
        if broken and len(broken) == len(attempts):
            if not self._items:
                raise CallError(broken[0].reason)
            self.stopped = broken[0].reason

    def _avoid(self, slot: Slot) -> tuple[str, ...]:
        return tuple(self._by_topic.get(slot.cell[0], ())[-AVOIDED:])

    def _settle(self, attempt: Attempt, types: set[str]) -> None:
        """Accept an attempt, or say why not."""
        draft, dropped, reason = attempt.draft, attempt.dropped, attempt.reason
        if attempt.repaired:
            self.repaired[attempt.repaired] += 1
        if draft is not None and not dropped:
            dropped, reason = self._refusal(attempt, draft, types)
        if draft is None or dropped:
            doc_id = self._doc_ids(attempt.slot)[0]
            said = (draft.question, draft.reference) if draft else ("", "")
            self.rejected.append(Rejection(*said, doc_id, dropped, reason))
            return
        self._accept(attempt, draft)

    def _refusal(self, attempt: Attempt, draft: Draft, types: set[str]) -> tuple[str, str]:
        """Return what speaks against an attempt in view of the whole set."""
        if len(self._items) >= self._size:
            return "size", "the set is full"
        if draft.type not in types:
            return "hops_needed", f"is a {draft.type!r} question, which is not wanted"
        twin = duplicate(draft, self._asked)
        if twin.verdict == "rejected":
            return "duplicate", twin.evidence
        tagged = attempt.checks["closed_book"].verdict == "tagged"
        if tagged and self._by_heart + 1 > max(1, int(QUOTA * self._size)):
            return "closed_book", f"{self._by_heart} of {self._size} are known by heart already"
        self._by_heart += tagged
        return "", ""

    def _accept(self, attempt: Attempt, draft: Draft) -> None:
        topic = attempt.slot.cell[0]
        self._asked.add(draft)
        self._got[topic, draft.type] += 1
        self._by_topic.setdefault(topic, []).append(draft.question)
        if draft.gold:
            self._near.append(nearness(draft.question, self._index))
        item = item_of(
            attempt,
            self._index,
            writer=self._writer.oracle,
            verifier=self._verifier.oracle,
            seed=self._seed,
        )
        self._items.append((item, item.doc_ids or self._doc_ids(attempt.slot)))
        self._tell("write", len(self._items), self._size)

    def _doc_ids(self, slot: Slot) -> tuple[str, ...]:
        passages = (self._index.passages[number] for number in slot.passages)
        return tuple(dict.fromkeys(passage.document.doc_id for passage in passages))

    def _wave(self, plan: Mapping[Cell, int]) -> list[Slot]:
        """Return the next slots: of cells that lack questions, then of others in their place."""
        room = min(IN_A_WAVE, self._size - len(self._items))
        wanted = Counter(_by_type(plan))
        got = Counter(_by_type(self._got))
        wave: list[Slot] = []
        short = {cell: plan[cell] - self._got[cell] for cell in sorted(plan)}
        self._draw(wave, {c: n for c, n in short.items() if n > 0}, room, wanted)
        for type_ in sorted(wanted):  # other topics of a type that its own topics cannot fill
            pending = sum(slot.type == type_ for slot in wave)
            lack = min(wanted[type_] - got[type_] - pending, room - len(wave))
            self._draw(wave, {c: lack for c in sorted(plan) if c[1] == type_}, lack, wanted)
        if not wave:  # other types in place of those that cannot be filled
            self._draw(wave, dict.fromkeys(sorted(plan), room), room, wanted)
        for slot in wave:
            self._tried[slot.type] += 1
            self._read.update(slot.passages)
        return wave

    def _draw(
        self, wave: list[Slot], short: Mapping[Cell, int], room: int, wanted: Mapping[str, int]
    ) -> None:
        """Add up to `room` slots, one of each cell in turn, until no cell gives any more."""
        left, most = dict(short), len(wave) + room
        while left and len(wave) < most:
            for cell in list(left):
                tried = self._tried[cell[1]] + sum(entry.type == cell[1] for entry in wave)
                weary = tried >= PATIENCE * (wanted[cell[1]] + 2)
                again = cell[1] in REREAD or tried >= wanted[cell[1]]
                slot = None if weary else self._slots.take(cell, again=again)
                left[cell] -= 1
                if slot is not None and len(wave) < most:
                    wave.append(slot)
                if slot is None or left[cell] <= 0:
                    del left[cell]

    def shortfall(self, plan: Mapping[Cell, int]) -> tuple[Shortfall, ...]:
        """Return the cells below their quota, if the set as a whole is too small."""
        if len(self._items) >= self._size:
            return ()
        found: list[Shortfall] = []
        for cell, wanted in sorted(plan.items()):
            if self._got[cell] >= wanted:
                continue
            reason = self.stopped or self._why(cell)
            found.append(Shortfall(*cell, wanted, self._got[cell], reason))
        return tuple(found)

    def _why(self, cell: Cell) -> str:
        tried = self._tried[cell[1]]
        if not tried:
            return "no passage fits this type"
        left = self._slots.left(cell)
        return f"{tried} attempts at this type; {left} passages of the cell were not tried"


def _by_type(cells: Mapping[Cell, int]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for (_, type_), count in cells.items():
        counts[type_] += count
    return counts
