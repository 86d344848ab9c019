"""Filling the quotas: specs are written and checked in batches, and accepted in their order.

What is accepted depends on the order of the specs alone, never on which reply came first, so that
a run that was killed and resumed ends as it would have ended.
"""

import asyncio
import itertools
import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from llamaindex_rag_eval.errors import BudgetError, CallError
from llamaindex_rag_eval.judge import Judge
from testset.checks import closed_book, duplicate
from testset.checks.draft import Draft
from testset.checks.duplicate import AskedQuestions
from testset.checks.run import CheckContext
from testset.checks.unanswerable import nearness
from testset.corpus.duplicates import boilerplate
from testset.corpus.prepared import PreparedCorpus
from testset.generation.config import GenerationConfig
from testset.generation.items import item_from_attempt
from testset.generation.model_writer import Attempt, ModelWriter
from testset.generation.quotas import Stratum
from testset.generation.specs import QuestionSpec, QuestionSpecs
from testset.golden.golden_set import Rejection, Shortfall
from testset.golden.item import GoldenItem
from testset.golden.splits import with_splits
from testset.requests.writer import Writer

__all__ = ["ModelFill"]

BATCH_SIZE = 16
"""Specs at a time: enough to keep a model busy, and few enough that the questions of one batch can
be shown to the writer of the next."""
MAX_ATTEMPTS = 4
"""Attempts for each question of a type, before the type is given up."""
REUSES_PASSAGES = frozenset({"unanswerable", "false_premise", "underspecified"})
"""Types that need no new evidence: passages are preferred that were read for other types. So they
are for every type after as many attempts as questions of it are wanted."""
AVOIDED = 8
"""The latest accepted questions of a topic that a writer is shown, not to ask them again."""
LEAST_ANSWERABLE = 5
"""Answerable questions from which the median of their nearness is used."""


class ModelFill:
    """Fill the strata of a plan with questions that a model writes.

    Attributes:
        rejected: The questions that were turned down, with reasons.
        repaired: Check -> how many items were repaired for it.
        stopped: Why the run stopped early; empty if it did not.
        progress: Counts the attempts `tried` and those `kept`.
    """

    def __init__(
        self,
        prepared: PreparedCorpus,
        specs: QuestionSpecs,
        config: GenerationConfig,
        *,
        writer: Writer,
        verifier: Writer,
    ) -> None:
        self.progress: Counter[str] = Counter()
        self.rejected: list[Rejection] = []
        self.repaired: Counter[str] = Counter()
        self.stopped = ""
        self._index, self._specs = prepared.index, specs
        self._writer, self._verifier = writer, verifier
        self._examples = tuple(config.examples)
        self._boilerplate = boilerplate(
            (p.document.doc_id, s.text) for p in prepared.kept for s in p.sentences
        )
        self._size, self._seed, self._progress = config.size, config.seed, config.on_progress
        self._steps, self._max_by_heart = config.steps, config.max_by_heart
        self._asked = AskedQuestions()
        self._items: list[GoldenItem] = []
        self._written_about: dict[str, tuple[str, ...]] = {}
        self._questions: dict[str, list[str]] = {}
        self._nearness: list[float] = []
        self._tried: Counter[str] = Counter()
        self._read: set[int] = set()

    @property
    def items(self) -> tuple[GoldenItem, ...]:
        """The items accepted so far, with their splits, less those that are known by heart."""
        return with_splits(self._kept, seed=self._seed, documents=self._written_about)

    @property
    def by_heart(self) -> tuple[Rejection, ...]:
        """The items that fall to the quota of what a model knows by heart."""
        if self._max_by_heart is None:
            return ()
        kept = {item.id for item in self._kept}
        reason = f"more than {self._max_by_heart:.0%} of the set are known by heart"
        return tuple(
            Rejection(item.question, item.reference, item.doc_ids[0], "closed_book", reason)
            for item in self._items
            if item.id not in kept
        )

    @property
    def _kept(self) -> list[GoldenItem]:
        """The items within that quota: which, their ids decide, not the order of writing."""
        return closed_book.within_quota(self._items, self._max_by_heart, size=self._size)

    @property
    def _accepted(self) -> Counter[Stratum]:
        return Counter(Stratum(item.topic, item.type) for item in self._kept)

    @property
    def passages(self) -> int:
        """How many passages specs were made of so far."""
        return len(self._read)

    async def run(self, plan: Mapping[Stratum, int], *, settled: Callable[[], None]) -> None:
        """Write until the plan is full, nothing is left to try, or steps or budget are spent.

        `settled` is called after each batch.
        """
        for _ in itertools.count() if self._steps is None else range(self._steps):
            batch = self._next_batch(plan)
            if not batch:
                return
            await self._write(batch, {stratum.type for stratum in plan})
            settled()
            if self.stopped:
                return

    async def read_ahead(self, plan: Mapping[Stratum, int]) -> None:
        """Ask for the facts of the first questions only, which need nothing else."""
        writer = self._model_writer()
        tasks = [writer.facts(spec) for spec in self._next_batch(plan)]
        await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def _typical_nearness(self) -> float:
        enough = len(self._nearness) >= LEAST_ANSWERABLE
        return statistics.median(self._nearness) if enough else 0.0

    def _model_writer(self) -> ModelWriter:
        judge, typical = Judge(self._verifier.oracle), self._typical_nearness
        context = CheckContext(self._index, self._asked, judge, typical)
        return ModelWriter(self._writer, context, self._examples, self._boilerplate)

    async def _write(self, batch: Sequence[QuestionSpec], types: set[str]) -> None:
        writer = self._model_writer()
        tasks = [writer.attempt(spec, self._avoid(spec)) for spec in batch]
        attempts = await asyncio.gather(*tasks, return_exceptions=True)
        for attempt in attempts:
            if isinstance(attempt, BudgetError):
                self.stopped = str(attempt)
            elif isinstance(attempt, BaseException):
                raise attempt
            else:
                self._settle(attempt, types)
        unreachable = [a for a in attempts if isinstance(a, Attempt) and a.unreachable]
        if unreachable and len(unreachable) == len(attempts):
            if not self._items:
                raise CallError(unreachable[0].reason)
            self.stopped = unreachable[0].reason

    def _avoid(self, spec: QuestionSpec) -> tuple[str, ...]:
        return tuple(self._questions.get(spec.stratum.topic, ())[-AVOIDED:])

    def _settle(self, attempt: Attempt, types: set[str]) -> None:
        """Accept an attempt, or record why it is rejected."""
        draft, check, reason = attempt.draft, attempt.rejected_by, attempt.reason
        self.progress["tried"] += 1
        if attempt.repaired:
            self.repaired[attempt.repaired] += 1
        if draft is not None and not check:
            check, reason = self._refusal(draft, types)
        if draft is None or check:
            doc_id = self._doc_ids(attempt.spec)[0]
            texts = (draft.question, draft.reference) if draft else ("", "")
            self.rejected.append(Rejection(*texts, doc_id, check, reason))
            return
        self.progress["kept"] += 1
        self._accept(attempt, draft)

    def _refusal(self, draft: Draft, types: set[str]) -> tuple[str, str]:
        """Return the check that rejects an attempt in view of the whole set, and why; or blanks."""
        if len(self._kept) >= self._size:
            return "size", "the set is full"
        if draft.type not in types:
            return "hops_needed", f"is a {draft.type!r} question, which is not wanted"
        if self._is_far_off(draft):
            return "unanswerable", "no passage comes as near as usual"
        twin = duplicate.by_rule(draft, self._asked)
        if twin.verdict == "rejected":
            return "duplicate", twin.evidence
        return "", ""

    def _is_far_off(self, draft: Draft) -> bool:
        """Return whether a question without an answer is farther off than others of its step.

        Where steps are as large as the set, nothing was usual yet when it was checked.
        """
        if self._steps is None or draft.type != "unanswerable":
            return False
        return nearness(draft.question, self._index) < self._typical_nearness

    def _accept(self, attempt: Attempt, draft: Draft) -> None:
        topic = attempt.spec.stratum.topic
        self._asked.add(draft)
        self._questions.setdefault(topic, []).append(draft.question)
        if draft.gold:
            self._nearness.append(nearness(draft.question, self._index))
        item = item_from_attempt(
            attempt,
            self._index,
            writer=self._writer.oracle,
            verifier=self._verifier.oracle,
            seed=self._seed,
        )
        self._items.append(item)
        self._written_about[item.id] = self._doc_ids(attempt.spec)
        self._progress("write", len(self._kept), self._size)

    def _doc_ids(self, spec: QuestionSpec) -> tuple[str, ...]:
        passages = (self._index.passages[number] for number in spec.passages)
        return tuple(dict.fromkeys(passage.document.doc_id for passage in passages))

    def _next_batch(self, plan: Mapping[Stratum, int]) -> list[QuestionSpec]:
        """Return the next specs: of strata that lack questions, then of others in their place."""
        room = self._size - len(self._kept)
        if self._steps is None:
            room = min(BATCH_SIZE, room)
        wanted = _by_type(plan)
        accepted = self._accepted
        got = _by_type(accepted)
        batch: list[QuestionSpec] = []
        short = {stratum: plan[stratum] - accepted[stratum] for stratum in sorted(plan)}
        self._draw(batch, {c: n for c, n in short.items() if n > 0}, room, wanted)
        for type_ in sorted(wanted):  # other topics of a type that its own topics cannot fill
            pending = sum(spec.type == type_ for spec in batch)
            lack = min(wanted[type_] - got[type_] - pending, room - len(batch))
            self._draw(batch, {c: lack for c in sorted(plan) if c.type == type_}, lack, wanted)
        if not batch:  # other types in place of those that cannot be filled
            self._draw(batch, dict.fromkeys(sorted(plan), room), room, wanted)
        for spec in batch:
            self._tried[spec.type] += 1
            self._read.update(spec.passages)
        return batch

    def _draw(
        self,
        batch: list[QuestionSpec],
        short: Mapping[Stratum, int],
        room: int,
        wanted: Mapping[str, int],
    ) -> None:
        """Add up to `room` specs, one of each stratum in turn, until no stratum gives any more."""
        left, most = dict(short), len(batch) + room
        while left and len(batch) < most:
            for stratum in list(left):
                tried = self._tried[stratum.type] + sum(
                    entry.type == stratum.type for entry in batch
                )
                exhausted = tried >= MAX_ATTEMPTS * (wanted[stratum.type] + 2)
                again = stratum.type in REUSES_PASSAGES or tried >= wanted[stratum.type]
                spec = None if exhausted else self._specs.take(stratum, again=again)
                left[stratum] -= 1
                if spec is not None and len(batch) < most:
                    batch.append(spec)
                if spec is None or left[stratum] <= 0:
                    del left[stratum]

    def shortfall(self, plan: Mapping[Stratum, int]) -> tuple[Shortfall, ...]:
        """Return the strata below their quota, if the set as a whole is too small."""
        if len(self._kept) >= self._size:
            return ()
        found: list[Shortfall] = []
        accepted = self._accepted
        for stratum, wanted in sorted(plan.items()):
            if accepted[stratum] >= wanted:
                continue
            reason = self.stopped or self._why(stratum)
            found.append(Shortfall(*stratum, wanted, accepted[stratum], reason))
        return tuple(found)

    def _why(self, stratum: Stratum) -> str:
        tried = self._tried[stratum.type]
        if not tried:
            return "no passage fits this type"
        left = self._specs.left(stratum)
        within = "" if self._steps is None else f" in {self._steps} steps"
        return f"{tried} attempts at this type{within}; {left} passages of the cell were not tried"


def _by_type(strata: Mapping[Stratum, int]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for stratum, count in strata.items():
        counts[stratum.type] += count
    return counts
