"""Selection: tasks are done many at a time, and what they bring is accepted in their order.

A task is chosen when the one that is a window before it was settled, and knows what was accepted
until then. What is accepted therefore depends on the order of the tasks alone, never on which
reply came first: a run that is made again, over the replies that are stored, ends as it would have
ended.
"""

import asyncio
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
from testset.generation.account import UNLIMITED
from testset.generation.attempt import RETRIEVER, TRAFFIC, Attempt, Task
from testset.generation.choice import Choice, ItemWriter, ProposalT
from testset.generation.config import GenerationConfig
from testset.generation.query_log import LOG
from testset.generation.quotas import Stratum
from testset.generation.targets import Targets
from testset.golden.golden_set import Rejection, Shortfall
from testset.golden.item import GoldenItem
from testset.golden.splits import held_splits, joins_splits, with_splits

UNREACHABLE = 8
"""Attempts in a row, or all there are, that reach no model, or no deployed retriever, before the
run stops."""

UnderWay = deque[tuple[Task, "asyncio.Task[Attempt]"]]
"""Tasks that are being done, in their order."""


class Selection:
    """Fill the strata of a plan with what writers write.

    Args:
        plan: Stratum -> its quota.
        config: Size, seed and limits.
        index: The documents.
        accepted: The questions accepted so far; the writers know it.
        settled: Called after each attempt.
        targets: What is open of the traffic.
        affordable: Says how many tasks the budget pays for; no more are done at a time, so that
            the first are done when it is spent.

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
        accepted: AskedQuestions,
        targets: Targets,
        *,
        settled: Callable[[], None] = lambda: None,
        affordable: Callable[[], int] = lambda: UNLIMITED,
        progress: Counter[str] | None = None,
    ) -> None:
        self.rejected: list[Rejection] = []
        self.repaired: Counter[str] = Counter()
        self.stopped = ""
        self.progress = Counter() if progress is None else progress
        self._config, self._index, self._accepted = config, index, accepted
        self._settled, self._targets, self._affordable = settled, targets, affordable
        self._choice = Choice(plan)
        self._held = held_splits(config.extend or ())
        self._items: list[GoldenItem] = []
        self._kept: list[GoldenItem] = []
        self._have: Counter[Stratum] = Counter()
        self._written_about: dict[str, tuple[str, ...]] = {}
        self._unreachable = self._running = 0
        self._turn, self._ended = asyncio.Lock(), asyncio.Event()

    @property
    def items(self) -> tuple[GoldenItem, ...]:
        """The items accepted so far, with their splits, less those that are known by heart."""
        seed, about = self._config.seed, self._written_about
        return with_splits(self._kept, seed=seed, documents=about, held=self._held)

    @property
    def by_heart(self) -> tuple[Rejection, ...]:
        """The items that fall to the quota of what a model knows by heart."""
        kept = {item.id for item in self._kept}
        reason = f"more than {self._config.max_by_heart or 0:.0%} of the set are known by heart"
        return tuple(
            Rejection(item.question, item.reference, item.doc_ids[0], "closed_book", reason)
            for item in self._items
            if item.id not in kept
        )

    async def run(self, writer: ItemWriter[ProposalT], *, last: bool = True) -> None:
        """Let a writer write until the plan is full, nothing is left to try, or a limit is reached.

        Where a stratum cannot be filled, the last writer writes more of the others in its place.

        Raises:
            EndpointError: The model takes no call, and nothing was written yet.
            EngineError: The deployed retriever fails, and nothing was written yet.
            PendingError: A reply is not there yet; all that could be requested was.
        """
        under_way: UnderWay = deque()
        waiting: PendingError | None = None
        stopped = ""
        self._choice.reopen()
        try:
            while True:
                if waiting is None and not stopped:
                    self._choose(writer, under_way, last=last)
                if not under_way:
                    break
                task, doing = under_way.popleft()
                try:
                    attempt = await doing
                    writer.settled(task, attempt)
                    stopped = self._settle(task, attempt, last=not under_way) or stopped
                except PendingError as error:
                    waiting = waiting or error
                except (BudgetError, EndpointError) as error:
                    if isinstance(error, EndpointError) and not self._items:
                        raise
                    stopped = str(error)
                    self._targets.give_back(task.target)
                self._settled()
        finally:
            for _, doing in under_way:
                doing.cancel()
        self.stopped = self.stopped or stopped
        if waiting is not None:
            raise waiting

    def _choose(self, writer: ItemWriter[ProposalT], under_way: UnderWay, *, last: bool) -> None:
        """Begin tasks: of strata that lack questions; where none has any, of all in their place."""
        room = min(self._config.wanted - len(self._kept), writer.window)
        idle = not under_way
        have = self._have + Counter(task.attempt.stratum for task, _ in under_way)
        have.update(filter(writer.waits, self._choice.plan))
        while len(under_way) < room:
            task = self._choice.next(writer, have, self._have)
            idle = idle and task is None
            if idle and last:
                task = self._choice.next(writer, have, self._have, of_any=True)
            if task is not None:
                have[task.attempt.stratum] += 1
                under_way.append((task, asyncio.ensure_future(self._in_turn(task))))
            elif under_way or not writer.more():
                return
            else:
                self._choice.reopen()

    async def _in_turn(self, task: Task) -> Attempt:
        """Do a task in its turn, as many at a time as are paid for, and at least one."""
        async with self._turn:
            while self._running >= max(1, self._affordable()):
                self._ended.clear()
                await self._ended.wait()
            self._running += 1
        try:
            return await task.done()
        finally:
            self._running -= 1
            self._ended.set()

    def _settle(self, task: Task, attempt: Attempt, *, last: bool) -> str:
        """Accept an attempt, or record why it is rejected; return why the run has to stop."""
        if task.prepares:
            self._choice.reopen()
            if attempt.proposals:
                return ""
        self.progress["tried"] += 1
        lost = self._lost(attempt, last=last)
        if attempt.repaired:
            self.repaired[attempt.repaired] += 1
        draft, item = attempt.draft, None
        if draft is not None and not attempt.rejected_by:
            attempt = attempt.rejected(*self._refusal(draft, attempt))
            item = None if attempt.rejected_by else attempt.item(draft, self._index)
        if draft is not None and item is not None:
            if self._targets.settle(task.target, item):
                self._accept(attempt, draft, item)
                return lost
            attempt = attempt.rejected(TRAFFIC, "all that is wanted of this kind is there")
        else:
            self._targets.give_back(task.target)
        shown = draft is not None and attempt.rejected_by != LOG
        texts = (draft.question, draft.reference) if draft and shown else ("", "")
        reason = attempt.rejected_by, attempt.reason
        self.rejected.append(Rejection(*texts, attempt.doc_ids[0], *reason))
        return lost

    def _lost(self, attempt: Attempt, *, last: bool) -> str:
        """Return why neither the model nor the retriever is to be reached any more, if so.

        Raises:
            CallError: Nothing was written yet; an `EngineError` if it is the retriever.
        """
        self._unreachable = self._unreachable + 1 if attempt.unreachable else 0
        alone = last and self._unreachable == self.progress["tried"]
        lost = attempt.reason if alone or self._unreachable >= UNREACHABLE else ""
        if lost and not self._items:
            raise EngineError(lost) if attempt.rejected_by == RETRIEVER else CallError(lost)
        return lost

    def _refusal(self, draft: Draft, attempt: Attempt) -> tuple[str, str]:
        """Return the check that rejects an attempt in view of the whole set, and why; or blanks."""
        if draft.type != attempt.stratum.type:
            return "hops_needed", attempt.checks["hops_needed"].evidence
        if self._config.log is not None and self._config.log.holds(draft.question):
            return LOG, "is nearly a question of the log"
        if self._is_far_off(draft):
            return "unanswerable", "no passage comes as near as usual"
        if self._joins_splits(draft, attempt.doc_ids):
            return "splits", "joins documents that are in different splits already"
        twin = duplicate.by_rule(draft, self._accepted)
        return ("duplicate", twin.evidence) if twin.verdict == "rejected" else ("", "")

    def _is_far_off(self, draft: Draft) -> bool:
        """Return whether a question without an answer is farther off than the others.

        Where all that is missing is written at once, nothing was usual yet when it was checked.
        """
        if self._config.steps is None or draft.type != "unanswerable":
            return False
        return _nearness(draft, self._index) < self._accepted.typical_nearness

    def _joins_splits(self, draft: Draft, doc_ids: tuple[str, ...]) -> bool:
        """Return whether a draft joins documents that a set which is extended keeps apart."""
        if not self._held:
            return False
        own = tuple(dict.fromkeys(span.doc_id for group in draft.gold for span in group))
        groups = [item.doc_ids or self._written_about[item.id] for item in self._items]
        return joins_splits([*groups, own or doc_ids], self._held)

    def _accept(self, attempt: Attempt, draft: Draft, item: GoldenItem) -> None:
        self.progress["kept"] += 1
        near = _nearness(draft, self._index) if draft.gold else None
        self._accepted.add(draft, topic=attempt.stratum.topic, nearness=near)
        self._items.append(item)
        share, size = self._config.max_by_heart, self._config.wanted
        self._kept = closed_book.within_quota(self._items, share, size=size)
        self._targets.keep(self._kept)
        self._have = Counter(Stratum(kept.topic, kept.type) for kept in self._kept)
        self._written_about[item.id] = attempt.doc_ids
        self._config.on_progress("write", len(self._kept), size)

    @property
    def summary(self) -> dict[str, str]:
        """What the data card says of what a model wrote."""
        checks = [check for item in self.items if (check := item.checks.get("closed_book"))]
        by_heart = sum(check.verdict == "tagged" for check in checks)
        return {
            "answered without documents": f"{by_heart} of {len(checks)}",
            "repaired": ", ".join(f"{n} {c}" for c, n in sorted(self.repaired.items())) or "none",
        }

    def shortfall(self, writer: ItemWriter[ProposalT]) -> tuple[Shortfall, ...]:
        """Return the strata below their quota, if the set as a whole is too small."""
        if len(self._kept) >= self._config.wanted:
            return ()
        return tuple(
            Shortfall(*stratum, wanted, self._have[stratum], self.stopped or writer.why(stratum))
            for stratum, wanted in sorted(self._choice.short_of(self._have).items())
        )


def _nearness(draft: Draft, index: CorpusIndex) -> float:
    return nearness(draft.asks or draft.question, index)
