"""Selection: what is wanted is written and checked, and the set is chosen among what passed.

All attempts of a round are made at the same time, and what they bring is accepted in their order. A
round knows what was accepted in those before it. What is accepted therefore never depends on which
reply came first: a run that is made again, over the replies that are stored, ends as it would have
ended.
"""

import asyncio
import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from llamaindex_rag_eval.errors import BudgetError, CallError, EndpointError, EngineError
from llamaindex_rag_eval.models.ask_ahead import AskAhead
from testset.checks import closed_book, duplicate
from testset.checks.draft import Draft
from testset.generation.account import affordable_questions
from testset.generation.attempt import CALL, LOG, RETRIEVER, Attempt
from testset.generation.choice import ItemWriter, ProposalT
from testset.generation.quotas import Stratum
from testset.generation.run import Run
from testset.generation.targets import of_other_types, spaced
from testset.golden.golden_set import Rejection, Shortfall
from testset.golden.item import GoldenItem
from testset.golden.splits import held_splits, joins_splits, with_splits

UNREACHABLE = 8
"""Attempts in a row, or all there are, that reach no model, or no deployed retriever, before the
run stops."""


class Selection:
    """Let writers write what is wanted, and choose the set among what passed.

    Args:
        run: What is wanted, of which documents. No more is attempted at a time than the budgets of
            its oracles pay for, so that the first are done when these are spent.
    """

    def __init__(self, run: Run) -> None:
        self._stopped = ""
        self._run, self._config, self._targets = run, run.config, run.targets
        self._index, self._accepted = run.prepared.index, run.context.accepted
        self._account = run.account
        self._held = held_splits(run.config.extend or ())
        self._writers: list[ItemWriter[Any]] = []
        self._rejected: list[Attempt] = []
        self._passed: list[GoldenItem] = []
        self._repaired: Counter[str] = Counter()
        self._written_about: dict[str, tuple[str, ...]] = {}
        self._unreachable = 0
        for item in () if run.config.extend is None else run.config.extend.reserve:
            self._take_spare(item)

    @property
    def items(self) -> tuple[GoldenItem, ...]:
        """The items of the set, with their splits."""
        chosen, _ = self._targets.chosen(self._passed)
        seed, about = self._config.seed, self._written_about
        return with_splits(chosen, seed=seed, documents=about, held=self._held)

    @property
    def spares(self) -> tuple[GoldenItem, ...]:
        """What passed all checks and is not wanted now."""
        return self._targets.chosen(self._passed)[1]

    @property
    def rejected(self) -> tuple[Rejection, ...]:
        """The questions that were turned down, with reasons; no words of one of the log."""
        return tuple(attempt.rejection for attempt in self._rejected)

    def _take_spare(self, item: GoldenItem) -> None:
        """Take a spare of the set that is extended, unless it no longer fits set or documents."""
        draft, texts = Draft.of(item), self._run.prepared.corpus.texts
        moved = any(texts.get(s.doc_id, "")[s.start : s.end] != s.quote for s in draft.spans)
        twin = duplicate.by_rule(draft, self._accepted).verdict == "rejected"
        if not (moved or twin or self._joins_splits(draft, item.doc_ids)):
            self._accept(draft, item, item.doc_ids)

    async def write_missing(self, writer: ItemWriter[ProposalT], *, last: bool = True) -> None:
        """Let a writer write until nothing is missing or left to try, or a limit is reached.

        Where a type cannot be written, the last writer writes more of the others in its place.

        Raises:
            EndpointError: The model takes no call, and nothing was written yet.
            EngineError: The deployed retriever fails, and nothing was written yet.
            PendingError: A reply is not there yet; all that could be requested was.
        """
        self._writers.append(writer)
        stopped, steps = "", 0
        while not stopped and (missing := self._targets.open(self._passed)):
            steps += 1
            is_last = last and steps == writer.steps
            share = writer.surplus * len(missing)
            surplus = spaced(missing, math.ceil(share) if is_last else math.floor(share))
            wanted = [*missing, *surplus][: writer.window]
            calls = writer.ask(missing if is_last else wanted)
            stopped = await self._made(writer, calls)
            attempts = writer.take(wanted, any_type=is_last)
            if last and not (calls or attempts):
                rest = missing[: max(0, self._config.wanted - len(self._passed))]
                calls = writer.ask(of_other_types(rest, self._targets.all))
                stopped = await self._made(writer, calls)
                attempts = writer.take(rest, any_type=True)
            stopped = stopped or await self._made(writer, attempts)
            if steps == writer.steps or not (calls or attempts):
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
            for task in tasks:
                try:
                    with ahead:
                        outcome = await task
                        writer.settled(outcome)
                        stopped = self._settle(outcome, last=task is tasks[-1]) or stopped
                except (BudgetError, EndpointError) as error:
                    if isinstance(error, EndpointError) and not self._passed:
                        raise
                    stopped = str(error)
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
        draft = attempt.draft
        if draft is not None and not attempt.rejected_by:
            attempt = attempt.rejected(*self._refusal(draft, attempt))
        if draft is None or attempt.rejected_by:
            self._rejected.append(attempt)
        else:
            self._accept(draft, attempt.item(draft, self._index), attempt.doc_ids)
        return lost

    def _lost(self, attempt: Attempt, *, last: bool) -> str:
        """Return why neither the model nor the retriever is to be reached any more, if so.

        Raises:
            CallError: Nothing was written yet; an `EngineError` if it is the retriever.
        """
        reached = attempt.rejected_by not in (CALL, RETRIEVER)
        self._unreachable = 0 if reached else self._unreachable + 1
        alone = last and self._unreachable == self._account.progress["tried"]
        lost = attempt.reason if alone or self._unreachable >= UNREACHABLE else ""
        if lost and not self._passed:
            raise EngineError(lost) if attempt.rejected_by == RETRIEVER else CallError(lost)
        return lost

    def _refusal(self, draft: Draft, attempt: Attempt) -> tuple[str, str]:
        """Return the check that rejects an attempt in view of the whole set, and why; or blanks."""
        if draft.type != attempt.stratum.type:
            return "hops_needed", attempt.checks["hops_needed"].evidence
        if self._config.log is not None and self._config.log.holds(draft.question):
            return LOG, "is nearly a question of the log"
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
        return sum(closed_book.is_known(item.checks) for item in self._passed)

    def _joins_splits(self, draft: Draft, doc_ids: tuple[str, ...]) -> bool:
        """Return whether a draft joins documents that a set which is extended keeps apart."""
        if not self._held:
            return False
        groups = [item.doc_ids or self._written_about[item.id] for item in self._passed]
        return joins_splits([*groups, draft.doc_ids or doc_ids], self._held)

    def _accept(self, draft: Draft, item: GoldenItem, doc_ids: tuple[str, ...]) -> None:
        self._accepted.add(draft, topic=item.topic)
        self._passed.append(item)
        self._written_about[item.id] = doc_ids
        kept, wanted = min(len(self._passed), self._config.wanted), self._config.wanted
        self._account.progress["kept"] = kept
        self._config.on_progress("write", kept, wanted)

    @property
    def summary(self) -> dict[str, str]:
        """What the data card says of the traffic, of what was written, and of what was spent."""
        items = self.items
        facts = self._targets.summary(items)
        for writer in self._writers:
            facts |= writer.summary(items)
        if self._account.total.calls or self._config.by_model:
            repaired = ", ".join(f"{n} {c}" for c, n in sorted(self._repaired.items()))
            facts["repaired"] = repaired or "none"
            facts |= self._account.summary
        if spares := len(self.spares):
            facts["spare questions"] = str(spares)
        return {**facts, "stopped": self._stopped} if self._stopped else facts

    @property
    def shortfall(self) -> tuple[Shortfall, ...]:
        """The strata below their quota, if the set as a whole is too small."""
        if len(self._passed) >= self._config.wanted:
            return ()
        plan = Counter(target.stratum for target in self._targets.all)
        have = Counter(Stratum(item.topic, item.type) for item in self._passed)
        why = self._writers[-1].why
        return tuple(
            Shortfall(*stratum, wanted, have[stratum], self._stopped or why(stratum))
            for stratum, wanted in sorted(plan.items())
            if have[stratum] < wanted
        )
