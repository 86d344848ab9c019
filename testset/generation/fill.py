"""Filling the quotas: slots are written and checked many at a time, and accepted in their order.

A slot is taken when the one that is a window before it was settled, and knows what was accepted
until then. What is accepted therefore depends on the order of the slots alone, never on which
reply came first, and a run that was killed and resumed ends as it would have ended.
"""

import asyncio
import math
from collections import Counter, deque
from collections.abc import Callable, Mapping

from llamaindex_rag_eval.errors import (
    BudgetError,
    CallError,
    EndpointError,
    EngineError,
    PendingError,
)
from testset.checks import closed_book, duplicate
from testset.checks.draft import Draft
from testset.checks.duplicate import AskedQuestions
from testset.checks.unanswerable import nearness
from testset.corpus.index import CorpusIndex
from testset.generation.attempt import RETRIEVER, TRAFFIC, Attempt, ItemWriter, Slot
from testset.generation.config import GenerationConfig
from testset.generation.gate import Gate
from testset.generation.items import item_of
from testset.generation.lacking import Lacking
from testset.generation.query_log import LOG
from testset.generation.quotas import Stratum
from testset.generation.targets import Targets
from testset.generation.usage import UNLIMITED
from testset.golden.golden_set import Rejection, Shortfall
from testset.golden.item import GoldenItem
from testset.golden.splits import held_splits, joins_splits, with_splits

UNREACHABLE = 8
"""Attempts in a row, or all there are, that find no model, or no deployed retriever, before the run
stops."""

LEAST_KEPT = 1 / 3
"""The least share by which a step writes more than is missing."""

Flying = deque[tuple[Slot, "asyncio.Task[Attempt]"]]
"""Slots that are being written, in their order."""


class Fill:
    """Fill the strata of a plan with what writers write.

    Args:
        plan: Stratum -> its quota.
        config: Size, seed and limits.
        index: The documents.
        asked: The questions accepted so far; the writers know it.
        settled: Called after each attempt.
        targets: What is open of the traffic, if one is given.
        affordable: Says how many slots the budget pays for; no more are written at a time, so
            that the first are done when it is spent.

    Attributes:
        rejected: The questions that were turned down, with reasons.
        repaired: Check -> how many items were repaired for it.
        stopped: Why the run stopped early; empty if it did not.
        progress: Counts the attempts `tried` and those `kept`.
    """

    def __init__(
        self,
        plan: Mapping[Stratum, int],
        config: GenerationConfig,
        index: CorpusIndex,
        asked: AskedQuestions,
        *,
        settled: Callable[[], None],
        targets: Targets | None = None,
        affordable: Callable[[], int] = lambda: UNLIMITED,
    ) -> None:
        self.rejected: list[Rejection] = []
        self.repaired: Counter[str] = Counter()
        self.stopped = ""
        self.progress: Counter[str] = Counter()
        self._plan, self._config, self._index, self._asked = plan, config, index, asked
        self._gate = Gate(affordable)
        self._settled, self._targets = settled, targets
        self._lacking = Lacking(plan)
        self._held = held_splits(config.extend or ())
        self._spares: list[tuple[Attempt, Draft, GoldenItem]] = []
        self._items: list[GoldenItem] = []
        self._kept: list[GoldenItem] = []
        self._have: Counter[Stratum] = Counter()
        self._written_about: dict[str, tuple[str, ...]] = {}
        self._unreachable = 0

    @property
    def items(self) -> tuple[GoldenItem, ...]:
        """The items accepted so far, with their splits, less those that are known by heart."""
        seed, about = self._config.seed, self._written_about
        return with_splits(self._kept, seed=seed, documents=about, held=self._held)

    @property
    def by_heart(self) -> tuple[Rejection, ...]:
        """The items that fall to the quota of what a model knows by heart."""
        if self._config.max_by_heart is None:
            return ()
        kept = {item.id for item in self._kept}
        reason = f"more than {self._config.max_by_heart:.0%} of the set are known by heart"
        return tuple(
            Rejection(item.question, item.reference, item.doc_ids[0], "closed_book", reason)
            for item in self._items
            if item.id not in kept
        )

    async def run(self, writer: ItemWriter, *, last: bool = True) -> None:
        """Let a writer write until the plan is full, nothing is left to try, or a limit is reached.

        Where a stratum cannot be filled, the last writer writes more of the others in its place.

        Raises:
            EndpointError: The model takes no call, and nothing was written yet.
            EngineError: The deployed retriever fails, and nothing was written yet.
            PendingError: A reply is not in a batch file yet; all that could be asked was asked.
        """
        flying: Flying = deque()
        waiting: PendingError | None = None
        steps, done, stopped = self._config.steps, 0, ""
        self._lacking.reopen()
        try:
            while True:
                free = steps is None or (not flying and done < steps)
                if self._targets is not None and steps is not None and done == steps - 1:
                    self._targets.relaxed = max(1, self._targets.relaxed)  # no step is left for it
                if free and waiting is None and not stopped:
                    self._send(writer, flying, last=last)
                    done += any(not slot.prepares for slot, _ in flying)
                if not flying:
                    break
                slot, task = flying.popleft()
                try:
                    attempt = await task
                    writer.settled(attempt)
                    stopped = self._settle(attempt, slot.target, last=not flying) or stopped
                except PendingError as error:
                    waiting = waiting or error
                except (BudgetError, EndpointError) as error:
                    if isinstance(error, EndpointError) and not self._items:
                        raise
                    stopped = str(error)
                    self._give_back(slot.target)
                self._settled()
        finally:
            for _, task in flying:
                task.cancel()
        self.stopped = self.stopped or stopped
        if waiting is not None:
            raise waiting
        self._accept_spares()

    def _send(self, writer: ItemWriter, flying: Flying, *, last: bool) -> None:
        """Take slots: of strata that lack questions; where none has any, of all in their place."""
        lack = self._config.wanted - len(self._kept)
        room = self._with_spares(lack) if self._config.steps else min(lack, writer.window)
        idle, have = not flying, self._have + Counter(slot.stratum for slot, _ in flying)
        have.update(filter(writer.waits, self._plan))
        while len(flying) < room:
            slot = self._lacking.slot(writer, have, self._have)
            begun = any(not entry.prepares for entry, _ in flying)
            enough = len(flying) + len(self._spares) >= room
            if slot is None and begun and not enough and self._config.steps is not None:
                slot = self._lacking.spare(writer, have, self._have)
            if slot is None and idle and last:
                slot = self._lacking.any_slot(writer, have, self._have)
            elif slot is not None:
                idle = False
            if slot is not None:
                have[slot.stratum] += 1
                flying.append((slot, asyncio.ensure_future(self._gate.through(slot.write))))
            elif flying or not writer.more():
                return
            else:
                self._lacking.reopen()

    def _with_spares(self, lack: int) -> int:
        """Return how many to write of which so many are likely kept, by the share kept so far.

        The first step writes no spares: what was written and is not needed is paid for, too.
        """
        tried = self.progress["tried"]
        share = (self.progress["kept"] + len(self._spares)) / tried if tried else 1.0
        return math.ceil(lack / max(LEAST_KEPT, share))

    def _settle(self, attempt: Attempt, target: int | None, *, last: bool) -> str:
        """Accept an attempt, or record why it is rejected; return why the run has to stop."""
        if attempt.prepared:
            self._lacking.reopen()
        if attempt.orders:
            return ""
        self.progress["tried"] += 1
        self._unreachable = self._unreachable + 1 if attempt.unreachable else 0
        alone = last and self._unreachable == self.progress["tried"]
        lost = attempt.reason if alone or self._unreachable >= UNREACHABLE else ""
        if lost and not self._items:
            raise EngineError(lost) if attempt.rejected_by == RETRIEVER else CallError(lost)
        draft, check, reason = attempt.draft, attempt.rejected_by, attempt.reason
        if attempt.repaired:
            self.repaired[attempt.repaired] += 1
        if draft is not None and not check:
            check, reason = self._refusal(draft, attempt)
        item = None if draft is None or check else item_of(attempt, draft, self._index)
        if item is not None and not self._is_wanted(item, target):
            item, check, reason = None, TRAFFIC, "all that is wanted of this kind is there"
        elif item is None:
            self._give_back(target)
        if draft is not None and item is not None and self._is_spare(attempt.stratum.type):
            self._spares.append((attempt, draft, item))
        elif draft is None or item is None:
            shown = draft is not None and check != LOG
            texts = (draft.question, draft.reference) if draft and shown else ("", "")
            self.rejected.append(Rejection(*texts, attempt.doc_ids[0], check, reason))
        else:
            self._accept(attempt, draft, item)
        return lost

    def _is_spare(self, name: str) -> bool:
        """Return whether a step has written more of a type than its quota: others may come yet."""
        had = sum(count for stratum, count in self._have.items() if stratum.type == name)
        steps = self._config.steps is not None and self._targets is None
        return steps and had >= self._lacking.wanted[name]

    def _accept_spares(self) -> None:
        """Accept what is left over of other types, where quotas could not be filled."""
        for attempt, draft, item in self._spares:
            check, reason = self._refusal(draft, attempt)
            if check:
                texts = draft.question, draft.reference
                self.rejected.append(Rejection(*texts, attempt.doc_ids[0], check, reason))
            else:
                self._accept(attempt, draft, item)
        self._spares.clear()

    def _is_wanted(self, item: GoldenItem, target: int | None) -> bool:
        return self._targets is None or target is None or self._targets.settle(target, item)

    def _give_back(self, target: int | None) -> None:
        if self._targets is not None:
            self._targets.give_back(target)

    def _refusal(self, draft: Draft, attempt: Attempt) -> tuple[str, str]:
        """Return the check that rejects an attempt in view of the whole set, and why; or blanks."""
        if len(self._kept) >= self._config.wanted:
            return "size", "the set is full"
        if draft.type != attempt.stratum.type:
            return "hops_needed", attempt.checks["hops_needed"].evidence
        if self._config.log is not None and self._config.log.holds(draft.question):
            return LOG, "is nearly a question of the log"
        if self._is_far_off(draft):
            return "unanswerable", "no passage comes as near as usual"
        if self._joins_splits(draft, attempt.doc_ids):
            return "splits", "joins documents that are in different splits already"
        twin = duplicate.by_rule(draft, self._asked)
        return ("duplicate", twin.evidence) if twin.verdict == "rejected" else ("", "")

    def _is_far_off(self, draft: Draft) -> bool:
        """Return whether a question without an answer is farther off than others of its step.

        Where steps are as large as the set, nothing was usual yet when it was checked.
        """
        if self._config.steps is None or draft.type != "unanswerable":
            return False
        return nearness(draft.asks or draft.question, self._index) < self._asked.typical_nearness

    def _joins_splits(self, draft: Draft, doc_ids: tuple[str, ...]) -> bool:
        """Return whether a draft joins documents that a set which is extended keeps apart."""
        if not self._held:
            return False
        own = tuple(dict.fromkeys(span.doc_id for group in draft.gold for span in group))
        groups = [item.doc_ids or self._written_about[item.id] for item in self._items]
        return joins_splits([*groups, own or doc_ids], self._held)

    def _accept(self, attempt: Attempt, draft: Draft, item: GoldenItem) -> None:
        self.progress["kept"] += 1
        near = nearness(draft.asks or draft.question, self._index) if draft.gold else None
        self._asked.add(draft, topic=attempt.stratum.topic, nearness=near)
        self._items.append(item)
        share, size = self._config.max_by_heart, self._config.wanted
        self._kept = closed_book.within_quota(self._items, share, size=size)
        if self._targets is not None:
            self._targets.keep(self._kept)
        self._have = Counter(Stratum(kept.topic, kept.type) for kept in self._kept)
        self._written_about[item.id] = attempt.doc_ids
        self._config.on_progress("write", len(self._kept), self._config.wanted)

    @property
    def summary(self) -> dict[str, str]:
        """What the data card says of what a model wrote."""
        checks = [found for item in self.items if (found := item.checks.get("closed_book"))]
        by_heart = sum(check.verdict == "tagged" for check in checks)
        return {
            "answered without documents": f"{by_heart} of {len(checks)}",
            "repaired": ", ".join(f"{n} {c}" for c, n in sorted(self.repaired.items())) or "none",
        }

    def shortfall(self, writer: ItemWriter) -> tuple[Shortfall, ...]:
        """Return the strata below their quota, if the set as a whole is too small."""
        if len(self._kept) >= self._config.wanted:
            return ()
        return tuple(
            Shortfall(*stratum, wanted, self._have[stratum], self.stopped or writer.why(stratum))
            for stratum, wanted in sorted(self._lacking.short_of(self._have).items())
        )
