"""Selection: rounds in which what the set lacks is chosen, written, checked and accepted.

All attempts of a round are made at the same time, and what they bring is accepted in their order. A
round knows what was accepted in those before it. What is accepted therefore never depends on which
reply came first: a run that is made again, over the replies that are stored, ends as it would have
ended.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from llamaindex_rag_eval.errors import BudgetError, CallError, EndpointError, EngineError
from llamaindex_rag_eval.models.ask_ahead import AskAhead
from testset.checks import closed_book, duplicate
from testset.checks.draft import Draft
from testset.checks.unanswerable import nearness
from testset.generation.account import affordable_questions
from testset.generation.attempt import LOG, RETRIEVER, TRAFFIC, Attempt
from testset.generation.choice import ItemWriter, ProposalT, Round
from testset.generation.quotas import Stratum
from testset.generation.run import Run
from testset.golden.golden_set import Rejection, Shortfall
from testset.golden.item import GoldenItem
from testset.golden.splits import held_splits, joins_splits, with_splits

UNREACHABLE = 8
"""Attempts in a row, or all there are, that reach no model, or no deployed retriever, before the
run stops."""


class Selection:
    """Fill the strata of a plan with what writers write.

    Args:
        plan: Stratum -> its quota.
        run: What is wanted, of which documents. No more is attempted at a time than the budgets of
            its oracles pay for, so that the first are done when these are spent.
    """

    def __init__(self, plan: Mapping[Stratum, int], run: Run) -> None:
        self._plan = plan
        self._taken: Counter[Stratum] = Counter()
        self._stopped = ""
        self._run, self._config, self._targets = run, run.config, run.targets
        self._index, self._accepted = run.prepared.index, run.context.accepted
        self._account = run.account
        self._held = held_splits(run.config.extend or ())
        self._writers: list[ItemWriter[Any]] = []
        self._rejected: list[Attempt] = []
        self._spares: list[tuple[Attempt, Draft]] = []
        self._items: list[GoldenItem] = []
        self._repaired: Counter[str] = Counter()
        self._written_about: dict[str, tuple[str, ...]] = {}
        self._unreachable = 0

    @property
    def items(self) -> tuple[GoldenItem, ...]:
        """The items accepted so far, with their splits."""
        seed, about = self._config.seed, self._written_about
        return with_splits(self._items, seed=seed, documents=about, held=self._held)

    @property
    def rejected(self) -> tuple[Rejection, ...]:
        """The questions that were turned down, with reasons; no words of one of the log."""
        wanted = "all that is wanted of this kind is there"
        spares = (attempt.rejected(TRAFFIC, wanted) for attempt, _ in self._spares)
        return tuple(attempt.rejection for attempt in (*self._rejected, *spares))

    @property
    def _have(self) -> Counter[Stratum]:
        return Counter(Stratum(item.topic, item.type) for item in self._items)

    async def write_missing(self, writer: ItemWriter[ProposalT], *, last: bool = True) -> None:
        """Let a writer write until the plan is full, nothing is left to try, or a limit is reached.

        Where a stratum cannot be filled, the last writer writes more of the others in its place.

        Raises:
            EndpointError: The model takes no call, and nothing was written yet.
            EngineError: The deployed retriever fails, and nothing was written yet.
            PendingError: A reply is not there yet; all that could be requested was.
        """
        self._writers.append(writer)
        stopped = ""
        while not stopped and len(self._items) < self._config.wanted:
            room = min(self._config.wanted - len(self._items), writer.window)
            choice = Round(self._plan, self._have, self._taken, room)
            if attempts := choice.attempts(writer, last=last):
                stopped = await self._made(writer, attempts)
            elif writer.more():
                self._take_spares()
            else:
                break
        self._stopped = self._stopped or stopped

    async def _made(self, writer: ItemWriter[ProposalT], attempts: Sequence[Attempt]) -> str:
        """Make attempts, and accept what they bring in their order; return why the run has to stop.

        Raises:
            PendingError: A reply is not there yet; all that could be requested was.
        """
        paid_for = asyncio.Semaphore(max(1, affordable_questions(self._run.oracles)))

        async def done(attempt: Attempt) -> Attempt:
            async with paid_for:
                return await attempt.done()

        tasks = [asyncio.ensure_future(done(attempt)) for attempt in attempts]
        ahead, stopped = AskAhead(), ""
        try:
            for attempt, task in zip(attempts, tasks, strict=True):
                try:
                    with ahead:
                        outcome = await task
                        writer.settled(outcome)
                        stopped = self._settle(outcome, last=task is tasks[-1]) or stopped
                except (BudgetError, EndpointError) as error:
                    if isinstance(error, EndpointError) and not self._items:
                        raise
                    stopped = str(error)
                    self._targets.give_back(attempt.target)
                self._account.write()
        finally:
            for task in tasks:
                task.cancel()
        ahead.settle()
        return stopped

    def _settle(self, attempt: Attempt, *, last: bool) -> str:
        """Accept an attempt, or record why it is rejected; return why the run has to stop."""
        if attempt.prepares and attempt.proposals:
            return ""
        self._account.progress["tried"] += 1
        lost = self._lost(attempt, last=last)
        if attempt.repaired:
            self._repaired[attempt.repaired] += 1
        self._targets.give_back(attempt.target)
        if attempt.draft is None or attempt.rejected_by:
            self._rejected.append(attempt)
        else:
            self._add(attempt, attempt.draft)
        return lost

    def _add(self, attempt: Attempt, draft: Draft) -> None:
        """Accept a draft that has passed; keep one that fits no open target as a spare."""
        attempt = attempt.rejected(*self._refusal(draft, attempt))
        if attempt.rejected_by:
            self._rejected.append(attempt)
            return
        item = attempt.item(draft, self._index)
        if self._targets.settle(attempt.target, item):
            self._accept(attempt, draft, item)
        else:
            self._spares.append((attempt, draft))

    def _take_spares(self) -> None:
        """Accept of the spares what fits a target by now, as less counts."""
        spares, self._spares = self._spares, []
        for attempt, draft in spares:
            self._add(attempt, draft)

    def _lost(self, attempt: Attempt, *, last: bool) -> str:
        """Return why neither the model nor the retriever is to be reached any more, if so.

        Raises:
            CallError: Nothing was written yet; an `EngineError` if it is the retriever.
        """
        self._unreachable = self._unreachable + 1 if attempt.unreachable else 0
        alone = last and self._unreachable == self._account.progress["tried"]
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
        # Where all that is missing is written at once, nothing was usual yet when it was checked.
        again = self._config.steps is not None and draft.type == "unanswerable"
        if again and self._nearness(draft) < self._accepted.typical_nearness:
            return "unanswerable", "no passage comes as near as usual"
        share = self._config.max_by_heart
        full = share is not None and self._known >= int(share * self._config.wanted)
        if full and closed_book.is_known(attempt.checks):
            return "closed_book", f"more than {share:.0%} of the set are known by heart"
        if self._joins_splits(draft, attempt.doc_ids):
            return "splits", "joins documents that are in different splits already"
        twin = duplicate.by_rule(draft, self._accepted)
        return ("duplicate", twin.evidence) if twin.verdict == "rejected" else ("", "")

    @property
    def _known(self) -> int:
        """How many items are known by heart."""
        return sum(closed_book.is_known(item.checks) for item in self._items)

    def _nearness(self, draft: Draft) -> float:
        return nearness(draft.asks or draft.question, self._index)

    def _joins_splits(self, draft: Draft, doc_ids: tuple[str, ...]) -> bool:
        """Return whether a draft joins documents that a set which is extended keeps apart."""
        if not self._held:
            return False
        groups = [item.doc_ids or self._written_about[item.id] for item in self._items]
        return joins_splits([*groups, draft.doc_ids or doc_ids], self._held)

    def _accept(self, attempt: Attempt, draft: Draft, item: GoldenItem) -> None:
        self._account.progress["kept"] += 1
        near = self._nearness(draft) if draft.gold else None
        self._accepted.add(draft, topic=attempt.stratum.topic, nearness=near)
        self._items.append(item)
        self._written_about[item.id] = attempt.doc_ids
        self._config.on_progress("write", len(self._items), self._config.wanted)

    @property
    def summary(self) -> dict[str, str]:
        """What the data card says of the traffic, of what was written, and of what was spent."""
        items = self.items
        facts = self._targets.summary(items)
        for writer in self._writers:
            facts |= writer.summary(items)
        if self._account.total.calls or self._config.by_model:
            checked = sum("closed_book" in item.checks for item in items)
            repaired = ", ".join(f"{n} {c}" for c, n in sorted(self._repaired.items()))
            facts["answered without documents"] = f"{self._known} of {checked}"
            facts["repaired"] = repaired or "none"
            facts |= self._account.summary
        return {**facts, "stopped": self._stopped} if self._stopped else facts

    @property
    def shortfall(self) -> tuple[Shortfall, ...]:
        """The strata below their quota, if the set as a whole is too small."""
        if len(self._items) >= self._config.wanted:
            return ()
        have, why = self._have, self._writers[-1].why
        return tuple(
            Shortfall(*stratum, wanted, have[stratum], self._stopped or why(stratum))
            for stratum, wanted in sorted(self._plan.items())
            if have[stratum] < wanted
        )
